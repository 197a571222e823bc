def one():
    x = load()
    check(x, strict=True)
    return x


def two():
    x = load()
    check(x, strict=True)
    return x
