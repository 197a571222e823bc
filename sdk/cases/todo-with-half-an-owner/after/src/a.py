TODO(): nobody
TODO(ana: not closed
TODO (ana): apart
TODO(ana), TODO: one of two
TODO(é): fine
