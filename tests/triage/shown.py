# The names of
# the ballot.
NAMES = ("one  two",)  # one more
SHOWN = f"""first  line

# not a comment {NAMES}
"""


def count(votes):
    # A vote counts once.
    return f"""{
        len(votes)
    =}"""
