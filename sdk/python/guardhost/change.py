"""The change under judgement."""

from dataclasses import dataclass
from typing import Iterable

from componentize_py_types import Err
from wit_world.imports import change as host
from wit_world.imports.change import Blob, Hunk, Mode, Side, Status, Task, Unreadable_Absent, Unreadable_NotText


class Unreadable(Exception):
    """There is no text, and why; its message reads as the rest of a sentence."""


@dataclass(frozen=True)
class Line:
    """A line of a file."""

    #: From 1.
    number: int
    #: Without its line ending.
    text: str


class Version:
    """One side of a touched file."""

    def __init__(self, blob: Blob, index: int, side: Side) -> None:
        #: Hex object id of the content, as git names it.
        self.oid = blob.oid
        self.mode = blob.mode
        #: Bytes.
        self.size = blob.size
        self._index = index
        self._side = side

    @property
    def is_regular(self) -> bool:
        """Content of its own: not a link, not a submodule."""
        return self.mode in (Mode.FILE, Mode.EXECUTABLE)

    def bytes(self) -> bytes:
        """As git holds it. Raises `Unreadable`."""
        try:
            return host.read(self._index, self._side)
        except Err as error:
            raise Unreadable(_reason(error.value)) from None

    def text(self) -> str:
        """Decoded by the host, without a byte order mark; line endings stay as they are. Raises `Unreadable`."""
        try:
            return host.text(self._index, self._side)
        except Err as error:
            raise Unreadable(_reason(error.value)) from None


class File:
    """A touched file."""

    def __init__(self, record: host.File, index: int) -> None:
        #: Relative to the repository's root, `/` between parts.
        self.path: str = record.path
        #: Where a renamed or copied file came from.
        self.old_path: str | None = record.old_path
        self.status: Status = record.status
        #: The file in the base; None when it is added.
        self.before = record.before and Version(record.before, index, Side.BEFORE)
        #: The file in the candidate; None when it is deleted.
        self.after = record.after and Version(record.after, index, Side.AFTER)
        self._index = index

    def hunks(self) -> list[Hunk]:
        """What differs between the two sides, without context; empty when either side is not text."""
        return host.hunks(self._index)

    def added_lines(self) -> list[Line]:
        """The lines that the change brings in. Raises `Unreadable`."""
        return _pick(self.after, ((hunk.new_start, hunk.new_lines) for hunk in self.hunks()))

    def removed_lines(self) -> list[Line]:
        """The lines that the change takes away, numbered as in the base. Raises `Unreadable`."""
        return _pick(self.before, ((hunk.old_start, hunk.old_lines) for hunk in self.hunks()))


class Change:
    """The touched files that concern this guard, and the task."""

    def __init__(self) -> None:
        #: Sorted by the bytes of their path.
        self.files = [File(record, index) for index, record in enumerate(host.files())]

    @property
    def task(self) -> Task | None:
        """What the model was asked to do; None when the change is judged without a task."""
        return host.get_task()


def _pick(version: Version | None, runs: Iterable[tuple[int, int]]) -> list[Line]:
    if version is None:
        return []
    # Not `splitlines`: only a line feed ends a line, and a carriage return before it belongs to the ending.
    *ended, last = version.text().split("\n")
    lines = [line.removesuffix("\r") for line in ended] + [last]
    return [Line(number, lines[number - 1]) for start, count in runs for number in range(start, start + count)]


def _reason(why: host.Unreadable) -> str:
    match why:
        case Unreadable_Absent():
            return "it does not exist on that side"
        case Unreadable_NotText(what):
            return f"it is not text ({what})"
        case _:
            size, limit = why.value
            return f"it is {size} bytes large and the limit is {limit}"
