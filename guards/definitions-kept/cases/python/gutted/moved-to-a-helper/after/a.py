def load(path):
    """Old name."""


def read(path):
    text = open(path).read()
    data = parse(text)
    check(data)
    return data
