# 1
# 2
# 3
# 4
# 5
# 6
def one():
    x = load()
    check(x)
    return x


def two():
    x = load()
    check(x, strict=True)
    return x
