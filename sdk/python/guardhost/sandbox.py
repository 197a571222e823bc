"""What Python expects of its surroundings and a guard does not have: ordinary exceptions instead of traps.

A component is a snapshot of the interpreter after the imports at the top of the guard's modules. Whatever asks the system after
that ends the guard without a word, so that the usual doors are closed here, each with its reason.
"""

import builtins
import io
import linecache
import os
import random
import sys
import time
from typing import Any, Callable, NoReturn

from wit_world.imports import log


class _Log(io.TextIOBase):
    def write(self, text: str) -> int:
        log.stderr(text.encode())
        return len(text)


def _none(what: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise OSError(f"a guard has no {what}")

    return refuse


def enter() -> None:
    """Once a call, which is once a process: every call has a fresh copy of the snapshot."""
    sys.stdout = sys.stderr = _Log()  # type: ignore[assignment]
    # A traceback would look for sources.
    linecache.getlines = lambda *_, **__: []  # type: ignore[assignment]
    # Modules that are not in the snapshot cannot come in.
    sys.meta_path[:] = [finder for finder in sys.meta_path if getattr(finder, "__name__", "") != "PathFinder"]
    files, clock, chance = _none("files"), _none("clock"), _none("random numbers")
    builtins.open = io.open = files  # type: ignore[assignment]
    for name in ("open", "stat", "lstat", "listdir", "scandir", "mkdir", "remove", "rename", "readlink", "getcwd"):
        setattr(os, name, files)
    os.environ.clear()
    for name in ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep", "localtime", "gmtime"):
        setattr(time, name, clock)
    os.urandom = chance  # type: ignore[assignment]
    # The snapshot holds the seed of the build; a guard that wants chance seeds it.
    random.seed(0)
