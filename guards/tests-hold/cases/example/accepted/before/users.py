def find(users, name):
    return users.get(name.lower())
