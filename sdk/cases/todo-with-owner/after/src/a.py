one
# TODO(ana): mend this
# (TODO(ana b.))
