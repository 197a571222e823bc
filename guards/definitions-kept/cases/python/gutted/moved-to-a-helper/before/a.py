def load(path):
    """Old name."""
    text = open(path).read()
    data = parse(text)
    check(data)
    return data
