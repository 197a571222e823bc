from typing import Protocol, overload


class Reader(Protocol):
    def read(self, size): ...


@overload
def parse(text: str) -> int: ...
@overload
def parse(text: bytes) -> int: ...
def parse(text):
    return int(text)
