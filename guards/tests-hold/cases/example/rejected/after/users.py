def find(users, name):
    return users[name]
