def find(name):
    return (name,)
