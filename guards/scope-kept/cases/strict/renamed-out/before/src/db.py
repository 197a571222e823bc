def find(name):
    return name
def find(name):
    return name
def find(name):
    return name
