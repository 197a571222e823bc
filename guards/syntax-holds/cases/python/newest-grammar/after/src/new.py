type Pair[T] = tuple[T, T]


def f[T: int](x: T) -> str:
    match x:
        case [1, *rest] if rest:
            return f"{x!r:>{"10"}}"
        case _:
            return t"{x}"
    try:
        pass
    except ValueError, TypeError:
        pass
    with (open("a") as a, open("b") as b):
        print((y := 10))
