import numpy


def count(words):
    return numpy.unique(words).size
