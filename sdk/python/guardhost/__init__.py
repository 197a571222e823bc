"""Write a guard for Guardhost in Python: one function, and `WitWorld = guard(About(...), check)`."""

from . import log, sandbox
from .change import Change, File, Line, Unreadable, Version
from .finding import Finding, error, info, not_applicable, warning
from .guard import About, Need, guard

__all__ = [
    "About", "Change", "File", "Finding", "Line", "Need", "Unreadable", "Version",
    "error", "guard", "info", "log", "not_applicable", "warning",
]  # fmt: skip
