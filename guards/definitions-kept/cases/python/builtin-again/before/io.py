def open(path):
    return path


def read(path):
    return open(path)
