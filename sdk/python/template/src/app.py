import re
from collections.abc import Iterator
from typing import Any

from guardhost import About, Change, File, Finding, Line, Rule, Unreadable, error, guard, info

ABOUT = About(
    id="{{name}}",
    version="0.1.0",
    promise="No line comes in that is too long, and no TODO without an owner.",
    rules=(
        Rule("long-line", "a new line has more characters than the limit"),
        Rule("todo-without-owner", "a new TODO names no owner"),
        Rule("unreadable", "a file is not text, and was not judged"),
    ),
    settings={
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "max_line_length": {
                "type": "integer", "minimum": 1, "default": 120, "description": "Characters (Unicode scalar values).",
            },
            "todo_owner": {"type": "boolean", "default": True, "description": "Whether a TODO must name its owner."},
        },
    },
    event="{{name}}.fail",
)  # fmt: skip

# The word TODO without `(name)` right behind it.
UNOWNED = re.compile(r"(?<![A-Za-z0-9_])TODO(?![A-Za-z0-9_])(?!\([^()]+\))")


def check(change: Change, settings: dict[str, Any]) -> Iterator[Finding]:
    for file in change.files:
        if file.after is None or not file.after.is_regular:
            continue
        try:
            lines = file.added_lines()
        except Unreadable as why:
            yield info("unreadable", f"{file.path} was not judged: {why}").file(file.path)
            continue
        for line in lines:
            yield from judge(file, line, settings)


def judge(file: File, line: Line, settings: dict[str, Any]) -> Iterator[Finding]:
    limit = settings["max_line_length"]
    length = len(line.text)
    if length > limit:
        yield (
            error("long-line", f"this line has {length} characters, {limit} is the limit")
            .at(file.path, line.number)
            .helped_by(f"Break it into lines of at most {limit} characters.")
        )
    if settings["todo_owner"] and UNOWNED.search(line.text):
        yield (
            error("todo-without-owner", "this TODO has no owner")
            .at(file.path, line.number)
            .helped_by("Write TODO(name), or leave it out.")
        )


Metadata, Judge = guard(ABOUT, check)
