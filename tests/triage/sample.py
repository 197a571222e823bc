"""Counts votes.

    Not code, but kept.
"""
# The names stand here,
# in the order of the ballot.
import re  # noqa: F401

NAMES = ("one  two", 'three # four', r"\d+  #")
QUERY = """
first  line

from b  -- not a comment
"""


RAW = r'''first  line

# not a comment.'''


def count(votes, *, limit=10):
    # A vote counts once.
    seen = {}
    for vote in votes:
        if vote in seen:  # not again

            continue
        seen[vote] = f"{vote}  {limit}"

    total = len(seen) + \
        limit
    return total if total else None  # type: ignore


class Box:
    size = 3

    # What is left.
    def rest(self):
        return [
            self.size,
            # the last one
            1,
        ]
