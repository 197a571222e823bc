def find(users, name):
    """The user of that name, in whatever case; None when there is none."""
    return users.get(name.lower())
