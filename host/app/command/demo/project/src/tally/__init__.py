"""Counts the words of a text."""

from collections import Counter


def words(text):
    """The words of a text, in order."""
    return text.split()


def count(text):
    """How often each word occurs."""
    return Counter(words(text))
