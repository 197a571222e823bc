"""Tries each door to the outside and says what it got."""

import os
import posix
import random
import socket
import time
from typing import Any

from guardhost import About, Change, Edit, Finding, error, guard, info

DOORS = {
    "files": lambda: open("/etc/passwd").read(),
    "files-behind-the-sdk": lambda: posix.open("/etc/passwd", 0),
    "environment": lambda: dict(os.environ),
    "environment-behind-the-sdk": lambda: posix.environ,
    "network": lambda: socket.socket().connect(("127.0.0.1", 80)),
    "clock": lambda: time.time(),
    "random": lambda: random.random(),
    "another-random": lambda: os.urandom(4),
}


def everything(change: Change) -> Finding:
    file, commit = change.files[0], change.commits[0]
    trailer = commit.trailers[0]
    given = f"{file.status.name.lower()}, {'a task' if change.task else 'no task'}, {len(commit.oid or '')}: {commit.message.strip()}"
    return (
        error("probe", f"{given} by {commit.author.name} <{commit.author.email}>, {trailer.key}={trailer.value}")
        .at(file.path, 1)
        .to(2)
        .columns(1, 3)
        .helped_by("Leave it out.")
        .fixed_by("Write one", [Edit(file.path, 0, 3, b"one")])
        .related_to(file.path, 1, 2, "it begins here")
        .with_attribute("confidence", "0.9")
    )


def check(change: Change, settings: dict[str, Any]):
    if settings["door"] == "everything":
        yield everything(change)
        return
    try:
        yield info("probe", f"got {DOORS[settings['door']]()!r}")
    except Exception as error:
        yield info("probe", f"refused: {error!r}")


Metadata, Judge = guard(
    About(
        id="{{name}}",
        version="0.1.0",
        promise="Tells what it could reach.",
        settings={"type": "object", "additionalProperties": False, "properties": {"door": {"type": "string"}}},
        event="probe.fail",
    ),
    check,
)
