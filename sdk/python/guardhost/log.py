"""Lines for people and figures for records; never shown to a model. `print` writes here too."""

from wit_world.imports import log as host
from wit_world.imports.log import Level


def debug(text: object) -> None:
    host.line(Level.DEBUG, str(text))


def info(text: object) -> None:
    host.line(Level.INFO, str(text))


def warn(text: object) -> None:
    host.line(Level.WARN, str(text))


def metric(name: str, value: float) -> None:
    """A figure that belongs to this verdict, such as a score."""
    host.metric(name, value)
