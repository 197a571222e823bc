"""From a description and a function to what the host calls."""

import json
import traceback
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable

from componentize_py_types import Err
from wit_world.exports.judge import Verdict, Verdict_NotApplicable, Verdict_Pass, Verdict_Reject
from wit_world.imports.report import Description

from . import sandbox
from .change import Change
from .finding import Finding, NotApplicable, Severity, hand_over

NO_SETTINGS = {"type": "object", "additionalProperties": False}


@dataclass(frozen=True, kw_only=True)
class Need:
    """A capability beyond the package `guardhost:guard`. It has a line in wit/world.wit, too."""

    #: The name of its package, such as `repo`.
    capability: str
    #: Shown to whoever grants it.
    why: str
    #: Gitignore-style globs, when a grant for these files is enough.
    paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A rule of which findings may speak."""

    rule: str
    summary: str
    #: Where it is documented: an https address.
    url: str | None = None


@dataclass(frozen=True, kw_only=True)
class About:
    """What a guard says of itself; the same at every call."""

    #: Kebab-case, 1 to 64 bytes; the id under which it is pinned.
    id: str
    #: Semver of the guard itself.
    version: str
    #: One sentence: what a change that passes can be relied on to hold.
    promise: str
    #: The short mark in reports, such as `G13`.
    mark: str = ""
    #: Name of the trace event when it rejects.
    event: str = ""
    #: When it is asked: `patch`, `content`, `command`, `score`; none means `content`.
    stages: tuple[str, ...] = ()
    #: Gitignore-style globs of the paths that concern it; none means every path.
    globs: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    rules: tuple[Rule, ...] = ()
    #: JSON Schema (2020-12) of the settings, an object. The host checks settings against it; its defaults are filled in.
    settings: dict[str, Any] = field(default_factory=lambda: NO_SETTINGS)
    #: Anything else. A host ignores names that it does not know.
    attributes: dict[str, str] = field(default_factory=dict)


type Check = Callable[[Change, dict[str, Any]], NotApplicable | Iterable[Finding]]


def guard(about: About, check: Check) -> tuple[type, type]:
    """The two classes that a guard's module exports: `Metadata, Judge = guard(ABOUT, check)`.

    `check` gives every finding, not the first; none is a pass. What it raises means that the guard itself failed, and rejects.
    """
    defaults = {
        name: rule["default"] for name, rule in about.settings.get("properties", {}).items() if "default" in rule
    }

    class Metadata:
        def describe(self) -> Description:
            return _description(about)

    class Judge:
        def check(self, settings: str) -> Verdict:
            sandbox.enter()
            try:
                return _verdict(check(Change(), defaults | json.loads(settings)))
            except Exception:
                raise Err(traceback.format_exc()) from None

    return Metadata, Judge


def _description(about: About) -> Description:
    said = Description(about.id, about.version, about.promise)
    said.set_settings_schema(json.dumps(about.settings))
    if about.mark:
        said.set_mark(about.mark)
    if about.event:
        said.set_event(about.event)
    for stage in about.stages:
        said.add_stage(stage)
    for glob in about.globs:
        said.add_glob(glob)
    for need in about.needs:
        if need.paths:
            said.add_need_of_paths(need.capability, list(need.paths), need.why)
        else:
            said.add_need(need.capability, need.why)
    for rule in about.rules:
        said.add_rule(rule.rule, rule.summary, rule.url)
    for name, value in about.attributes.items():
        said.set_attribute(name, value)
    return said


def _verdict(said: NotApplicable | Iterable[Finding]) -> Verdict:
    """Findings reject when one of them is an error, and are advice otherwise."""
    if isinstance(said, NotApplicable):
        return Verdict_NotApplicable(said.reason)
    # What a generator does is done here, where its exceptions are caught.
    findings = list(said)
    handed_over = [hand_over(finding) for finding in findings]
    rejects = any(finding.severity == Severity.ERROR for finding in findings)
    return Verdict_Reject(handed_over) if rejects else Verdict_Pass(handed_over)
