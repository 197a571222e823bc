"""Findings: `error("rule", "message").at("path", 3).helped_by("do this")`."""

from typing import Self

from wit_world.imports import types
from wit_world.imports.types import Edit, Fix, Severity, Verdict, Verdict_NotApplicable, Verdict_Pass, Verdict_Reject


class Finding(types.Finding):
    """One thing that is wrong, or worth saying. Each method changes it and gives it back."""

    def file(self, path: str) -> Self:
        """The file that is meant, as a whole."""
        self.path = path
        return self

    def at(self, path: str, line: int) -> Self:
        """A line of the candidate's file, from 1 (of the base's when the file is deleted)."""
        self.path, self.line = path, line
        return self

    def to(self, end_line: int) -> Self:
        """The last line, inclusive, of what begins at `at`."""
        self.end_line = end_line
        return self

    def helped_by(self, help: str) -> Self:
        """What to do instead, in words that a model can act on."""
        self.help = help
        return self

    def fixed_by(self, title: str, edits: list[Edit]) -> Self:
        """A mechanical remedy, which the host may apply without asking the model."""
        self.fix = Fix(title, edits)
        return self


def error(rule: str, message: str) -> Finding:
    """Must be mended before the change may pass. `rule` is kebab-case and stable: people filter by it."""
    return _finding(Severity.ERROR, rule, message)


def warning(rule: str, message: str) -> Finding:
    """Worth saying; does not reject by itself."""
    return _finding(Severity.WARNING, rule, message)


def info(rule: str, message: str) -> Finding:
    return _finding(Severity.INFO, rule, message)


def not_applicable(reason: str) -> Verdict:
    """Nothing here concerns this guard, and why."""
    return Verdict_NotApplicable(reason)


def verdict(said: Verdict | list[Finding]) -> Verdict:
    """Findings reject when one of them is an error, and are advice otherwise."""
    if not isinstance(said, list):
        return said
    rejects = any(finding.severity == Severity.ERROR for finding in said)
    return Verdict_Reject(said) if rejects else Verdict_Pass(said)  # type: ignore[arg-type]


def _finding(severity: Severity, rule: str, message: str) -> Finding:
    return Finding(rule, severity, None, None, None, message, None, None)
