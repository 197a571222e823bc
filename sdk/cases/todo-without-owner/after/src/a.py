one
# TODO: mend this
three
