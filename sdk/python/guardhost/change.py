"""The change under judgement."""

from dataclasses import dataclass
from typing import Iterable

from componentize_py_types import Err
from wit_world.imports import change as host
from wit_world.imports import types
from wit_world.imports.change import Hunk, Person, Status, Trailer
from wit_world.imports.types import Blob, Mode, Side


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

    def __init__(self, blob: Blob, file: host.File, side: Side) -> None:
        #: Hex object id of the content, as git names it.
        self.oid = blob.oid
        self.mode = blob.mode
        #: Bytes.
        self.size = blob.size
        self._file = file
        self._side = side

    @property
    def is_regular(self) -> bool:
        """Content of its own: not a link, not a submodule."""
        return self.mode in (Mode.FILE, Mode.EXECUTABLE)

    def bytes(self) -> bytes:
        """As git holds it. Raises `Unreadable`."""
        try:
            return self._file.read(self._side)
        except Err as error:
            raise Unreadable(_reason(error.value)) from None

    def text(self) -> str:
        """Decoded by the host, without a byte order mark; line endings stay as they are. Raises `Unreadable`."""
        try:
            return self._file.text(self._side)
        except Err as error:
            raise Unreadable(_reason(error.value)) from None


class File:
    """A touched file."""

    def __init__(self, handle: host.File) -> None:
        #: Relative to the repository's root, `/` between parts.
        self.path: str = handle.path()
        # The host takes it back when the call ends.
        self._handle = handle

    @property
    def old_path(self) -> str | None:
        """Where a renamed or copied file came from."""
        return self._handle.old_path()

    @property
    def status(self) -> Status:
        return self._handle.status()

    @property
    def before(self) -> Version | None:
        """The file in the base; None when it is added."""
        return self._version(Side.BEFORE)

    @property
    def after(self) -> Version | None:
        """The file in the candidate; None when it is deleted."""
        return self._version(Side.AFTER)

    def hunks(self) -> list[Hunk]:
        """What differs between the two sides, without context; empty when either side is not text."""
        return self._handle.hunks()

    def added_lines(self) -> list[Line]:
        """The lines that the change brings in. Raises `Unreadable`."""
        return _pick(self.after, ((hunk.new_start, hunk.new_lines) for hunk in self.hunks()))

    def removed_lines(self) -> list[Line]:
        """The lines that the change takes away, numbered as in the base. Raises `Unreadable`."""
        return _pick(self.before, ((hunk.old_start, hunk.old_lines) for hunk in self.hunks()))

    def _version(self, side: Side) -> Version | None:
        blob = self._handle.blob(side)
        return blob and Version(blob, self._handle, side)


@dataclass(frozen=True)
class Task:
    """What the model was asked to do."""

    text: str
    #: Paths that the task names as its scope; empty means that none were given.
    hints: list[str]
    #: The build was broken and only that is to be fixed.
    is_compile_fix: bool


@dataclass(frozen=True)
class Commit:
    """A commit of the change."""

    #: Hex object id; None for a commit that is not made yet.
    oid: str | None
    message: str
    author: Person
    trailers: list[Trailer]


class Change:
    """The touched files that concern this guard, the task, and the commits."""

    def __init__(self) -> None:
        #: Sorted by the bytes of their path.
        self.files = [File(handle) for handle in host.files()]

    @property
    def task(self) -> Task | None:
        """What the model was asked to do; None when the change is judged without a task."""
        handle = host.get_task()
        return handle and Task(handle.text(), handle.hints(), handle.is_compile_fix())

    @property
    def commits(self) -> list[Commit]:
        """Those that make the change, oldest first; none when no message is known, as for staged files."""
        return [Commit(each.oid(), each.message(), each.author(), each.trailers()) for each in host.commits()]


def _pick(version: Version | None, runs: Iterable[tuple[int, int]]) -> list[Line]:
    if version is None:
        return []
    # Not `splitlines`: only a line feed ends a line, and a carriage return before it belongs to the ending.
    *ended, last = version.text().split("\n")
    lines = [line.removesuffix("\r") for line in ended] + [last]
    return [Line(number, lines[number - 1]) for start, count in runs for number in range(start, start + count)]


def _reason(why: types.Unreadable) -> str:
    match why:
        case types.Unreadable_Absent():
            return "it does not exist on that side"
        case types.Unreadable_NotText(what):
            return f"it is not text ({what})"
        case types.Unreadable_TooLarge(most):
            return f"it is {most.size} bytes large and the limit is {most.limit}"
        case types.Unreadable_NotGranted():
            return "the pin does not grant this path"
        case types.Unreadable_Other(what):
            return what
