"""From a description and a function to what the host calls."""

import json
import traceback
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable

import wit_world
from componentize_py_types import Err
from wit_world.imports.types import Description, Need, Stage, Verdict

from . import sandbox
from .change import Change
from .finding import Finding, verdict

NO_SETTINGS = {"type": "object", "additionalProperties": False}


@dataclass(frozen=True, kw_only=True)
class About:
    """What a guard says of itself; the same at every call."""

    #: Kebab-case, 1 to 64 bytes; the id under which it is pinned.
    id: str
    #: Semver of the guard itself.
    version: str
    #: The short mark in reports, such as `G13`.
    mark: str = ""
    #: One sentence: what a change that passes can be relied on to hold.
    promise: str
    stages: tuple[Stage, ...] = (Stage.CONTENT,)
    #: Gitignore-style globs of the paths that concern it; none means every path.
    globs: tuple[str, ...] = ()
    #: Imports beyond `change` and `log`, each with the reason that whoever grants it will read.
    needs: tuple[Need, ...] = ()
    #: JSON Schema (2020-12) of the settings, an object. The host checks settings against it; its defaults are filled in.
    settings: dict[str, Any] = field(default_factory=lambda: NO_SETTINGS)
    #: Name of the trace event when it rejects.
    event: str


type Check = Callable[[Change, dict[str, Any]], Verdict | Iterable[Finding]]


def guard(about: About, check: Check) -> type:
    """The class of a guard's module, which must be called `WitWorld`.

    `check` gives every finding, not the first; none is a pass. What it raises means that the guard itself failed, and rejects.
    """
    description = Description(
        about.id, about.version, about.mark, about.promise, list(about.stages), list(about.globs), list(about.needs),
        json.dumps(about.settings), about.event,
    )  # fmt: skip
    defaults = {
        name: rule["default"] for name, rule in about.settings.get("properties", {}).items() if "default" in rule
    }

    class World(wit_world.WitWorld):
        def describe(self) -> Description:
            return description

        def check(self, settings: str) -> Verdict:
            sandbox.enter()
            try:
                said = check(Change(), defaults | json.loads(settings))
                # What a generator does is done here, where its exceptions are caught.
                return verdict(list(said) if isinstance(said, Iterable) else said)
            except Exception:
                raise Err(traceback.format_exc()) from None

    return World
