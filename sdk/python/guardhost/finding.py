"""Findings: `error("rule", "message").at("path", 3).helped_by("do this")`.

They are plain data, and become resources of the host when `check` returns.
"""

from dataclasses import dataclass, field
from typing import Self

from wit_world.imports import report
from wit_world.imports.report import Edit
from wit_world.imports.types import Severity


@dataclass
class Related:
    """Another place that explains a finding: first and last line, and what is there."""

    path: str
    line: int
    end_line: int
    message: str


@dataclass
class Finding:
    """One thing that is wrong, or worth saying. Each method changes it and gives it back."""

    rule: str
    severity: Severity
    message: str
    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None
    help: str | None = None
    fix: str | None = None
    edits: list[Edit] = field(default_factory=list)
    related: list[Related] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)

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

    def columns(self, first: int, last: int) -> Self:
        """The first column in the first line and the last one in the last line, from 1, in Unicode scalar values."""
        self.column, self.end_column = first, last
        return self

    def helped_by(self, help: str) -> Self:
        """What to do instead, in words that a model can act on."""
        self.help = help
        return self

    def fixed_by(self, title: str, edits: list[Edit]) -> Self:
        """A mechanical remedy, which the host may apply without asking the model."""
        self.fix, self.edits = title, edits
        return self

    def related_to(self, path: str, line: int, end_line: int, message: str) -> Self:
        """Another place that explains this one: its first and last line, and what is there."""
        self.related.append(Related(path, line, end_line, message))
        return self

    def with_attribute(self, name: str, value: str) -> Self:
        """Anything else. A host ignores names that it does not know."""
        self.attributes[name] = value
        return self


@dataclass(frozen=True)
class NotApplicable:
    """What `check` returns when nothing concerns the guard, and why."""

    reason: str


def error(rule: str, message: str) -> Finding:
    """Must be fixed before the change may pass. `rule` is kebab-case and stable: people filter by it."""
    return Finding(rule, Severity.ERROR, message)


def warning(rule: str, message: str) -> Finding:
    """Worth saying; does not reject by itself."""
    return Finding(rule, Severity.WARNING, message)


def info(rule: str, message: str) -> Finding:
    return Finding(rule, Severity.INFO, message)


def not_applicable(reason: str) -> NotApplicable:
    """Nothing here concerns this guard, and why."""
    return NotApplicable(reason)


def hand_over(finding: Finding) -> report.Finding:
    """The host's own resource. Errors name the property that has another type than the contract's."""
    if not isinstance(finding, Finding):
        raise TypeError(f"`check` gives findings, not {finding!r}")
    _checked(finding)
    said = report.Finding(finding.rule, finding.severity, finding.message)
    if finding.path is not None:
        said.set_path(finding.path)
    if finding.line is not None:
        said.set_lines(finding.line, finding.end_line or finding.line)
    if finding.column is not None:
        said.set_columns(finding.column, finding.end_column or finding.column)
    if finding.help is not None:
        said.set_help(finding.help)
    if finding.fix is not None:
        said.set_fix(finding.fix, finding.edits)
    for place in finding.related:
        said.add_related(place.path, place.line, place.end_line, place.message)
    for name, value in finding.attributes.items():
        said.set_attribute(name, value)
    return said


def _checked(finding: Finding) -> None:
    def must(name: str, value: object, kind: type) -> None:
        # The engine ends a guard without a word when a value has another type.
        if type(value) is not kind or (kind is int and not 1 <= value < 2**32):  # type: ignore[operator]
            wanted = "a whole number from 1" if kind is int else f"of type {kind.__name__}"
            raise TypeError(f"{name} of the finding {finding.rule!r} must be {wanted}, and is {value!r}")

    must("severity", finding.severity, Severity)
    for name in ("rule", "message"):
        must(name, getattr(finding, name), str)
    for names, kind in ((("path", "help", "fix"), str), (("line", "end_line", "column", "end_column"), int)):
        for name in names:
            if getattr(finding, name) is not None:
                must(name, getattr(finding, name), kind)
    for edit in finding.edits:
        must("an edit", edit, Edit)
        must("an edit's path", edit.path, str)
        must("an edit's replacement", edit.replacement, bytes)
        for name in ("start", "end"):
            if type(getattr(edit, name)) is not int or not 0 <= getattr(edit, name) < 2**64:
                must(f"an edit's {name}", getattr(edit, name), int)
    for place in finding.related:
        for name, kind in (("path", str), ("line", int), ("end_line", int), ("message", str)):
            must(f"a related place's {name}", getattr(place, name), kind)
    for name, value in finding.attributes.items():
        must("an attribute's name", name, str)
        must(f"the attribute {name!r}", value, str)
