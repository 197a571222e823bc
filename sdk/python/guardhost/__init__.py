"""Write a guard for Guardhost in Python: one function, and `Metadata, Judge = guard(About(...), check)`."""

from . import log
from .change import Change, Commit, File, Line, Task, Unreadable, Version
from .finding import Edit, Finding, NotApplicable, Severity, error, info, not_applicable, warning
from .guard import About, Need, Rule, guard

__all__ = [
    "About", "Change", "Commit", "Edit", "File", "Finding", "Line", "Need", "NotApplicable", "Rule", "Severity", "Task",
    "Unreadable", "Version", "error", "guard", "info", "log", "not_applicable", "warning",
]  # fmt: skip
