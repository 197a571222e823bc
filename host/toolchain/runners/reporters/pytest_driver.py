"""Runs pytest and reports its tests over a descriptor that the processes of tests do not inherit.

Arguments: the folders to search for the project's modules, separated as in PATH, and pytest's own. pytest itself is imported before
they are searched, so that no module of the project can take its place, and what it has loaded takes no place of the project's. Tests
run in this process, like the code that they test.
"""

import json
import os
import sys

DESCRIPTOR = int(os.environ.pop("GUARDHOST_REPORT"))
KEY = 32
DETAIL = 8192


class Channel:
    """Every line begins with a key that can be read once."""

    def __init__(self):
        os.set_inheritable(DESCRIPTOR, False)
        line = b""
        while len(line) <= KEY:
            more = os.read(DESCRIPTOR, KEY + 1 - len(line))
            if not more:
                raise EOFError("the host closed the descriptor of the report")
            line += more
        self._start = line[:KEY] + b" "
        self._write = os.write
        self._dumps = json.dumps
        # A test may fork: a copy of this process reports nothing.
        self._process = os.getpid()
        self._getpid = os.getpid

    def record(self, value):
        if self._getpid() != self._process:
            return
        line = self._start + self._dumps(value).encode() + b"\n"
        while line:
            line = line[self._write(DESCRIPTOR, line):]


def set_aside(folders):
    """Packages that pytest has loaded and the project has too, such as pluggy: pytest keeps what it has, and tests load the project's."""
    installed = {name.partition(".")[0] for name, module in list(sys.modules.items()) if is_installed(module)}
    of_project = {name for name in installed for folder in folders if is_module(os.path.join(folder, name))}
    of_pytest = of_project & {"pytest", "_pytest"}
    if of_pytest:
        sys.exit(f"error: {min(of_pytest)} of the project is what runs its tests: what they say of it is not known")
    for name in list(sys.modules):
        if name.partition(".")[0] in of_project:
            del sys.modules[name]


def is_installed(module):
    parts = (getattr(module, "__file__", None) or "").split(os.sep)
    return "site-packages" in parts or "dist-packages" in parts


def is_module(path):
    return os.path.isfile(path + ".py") or os.path.isfile(os.path.join(path, "__init__.py"))


def reporter(pytest, channel, lines):
    class Reporter:
        @pytest.hookimpl(tryfirst=True)
        def pytest_load_initial_conftests(self, early_config):
            # Of pytest-cov: a coverage that is too low would fail a run in which every test passes.
            if hasattr(early_config.known_args_namespace, "no_cov"):
                early_config.known_args_namespace.no_cov = True
            # Of pytest-xdist: lines are counted in this process.
            if lines and hasattr(early_config.known_args_namespace, "numprocesses"):
                early_config.known_args_namespace.numprocesses = 0
                early_config.known_args_namespace.dist = "no"

        def pytest_collection_finish(self, session):
            channel.record({"collected": [item.nodeid for item in session.items]})

        # In the process that distributes tests to others.
        @pytest.hookimpl(optionalhook=True)
        def pytest_xdist_node_collection_finished(self, ids):
            channel.record({"collected": list(ids)})

        def pytest_collectreport(self, report):
            if not report.passed:
                self._phase(report, "collect")

        def pytest_runtest_logreport(self, report):
            self._phase(report, report.when)

        def _phase(self, report, when):
            crash = getattr(report.longrepr, "reprcrash", None) if report.failed else None
            detail = f"{crash.message}\n{report.longreprtext}" if crash else report.longreprtext if report.failed else ""
            phase = {"id": report.nodeid, "when": when, "outcome": report.outcome, "detail": detail[:DETAIL]}
            channel.record({"phase": phase})

    return Reporter()


def main():
    # In the folder of this file; Python has put nothing of the project into the path.
    import python_lines
    sys.path.pop(0)
    lines = python_lines.asked(os.getcwd())
    folders, arguments = sys.argv[1], sys.argv[2:]
    import pytest

    channel = Channel()
    set_aside(folders.split(os.pathsep))
    sys.path[:0] = folders.split(os.pathsep)
    os.environ["PYTHONPATH"] = folders
    sys.argv = [pytest.__file__, *arguments]
    if lines:
        lines.start()
    code = int(pytest.main(arguments, plugins=[reporter(pytest, channel, lines)]))
    if lines:
        lines.write()
    channel.record({"ended": code})
    sys.exit(code)


if __name__ == "__main__":
    main()
