"""Tries each door to the outside and says what it got."""

import os
import posix
import random
import socket
import time
from typing import Any

from guardhost import About, Change, guard, info

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


def check(change: Change, settings: dict[str, Any]):
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
