def init_schema(x):
    return x
