def one():
    x = load()
    check(x)
    return x


def two():
    x = load()
    check(x)
    return x
