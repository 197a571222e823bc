"""Who got how many votes."""


def clean(name):
    """A name without what a typist adds to it."""
    name = name.strip()
    while "  " in name:
        name = name.replace("  ", " ")
    return name


def tally(names):
    """Votes by name."""
    votes = {}
    for name in names:
        name = clean(name)
        if name:
            votes[name] = votes.get(name, 0) + 1
    return votes


def leaders(votes):
    """Everybody who has the most votes."""
    if not votes:
        return []
    most = max(votes.values())
    return sorted(name for name, count in votes.items() if count == most)
