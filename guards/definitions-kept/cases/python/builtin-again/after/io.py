def read(path):
    return open(path)
