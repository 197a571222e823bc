"""What part of all votes a name has."""

from .count import tally

__all__ = ["portions"]


def portion_of(count, total):
    """One part."""
    if total == 0:
        return 0
    return count / total


def portions(names):
    """All of them."""
    votes = tally(names)
    everything = sum(votes.values())
    return {name: portion_of(count, total=everything) for name, count in votes.items()}
