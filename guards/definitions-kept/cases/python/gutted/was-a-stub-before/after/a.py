def later(x, y):
    ...


X = 2
