"""Counts which lines of the tree run, with coverage.py, without any configuration of the tree's, and whatever comments leave out."""

import ast
import json
import os
import sys


class Lines:
    def __init__(self, file, tree):
        self._file, self._tree, self._process = file, tree, os.getpid()
        try:
            import coverage
        except ImportError:
            self._tell({"not_known": f"coverage.py is not installed for {sys.executable}: `pip install coverage`"})
            sys.exit(3)
        self._counter = coverage.Coverage(data_file=None, config_file=False, source=[tree], messages=False)
        self._counter.clear_exclude()

    def start(self):
        self._counter.start()

    def write(self):
        self._counter.stop()
        # A test may fork: a copy of this process writes nothing.
        if os.getpid() == self._process:
            files = self._counter.get_data().measured_files()
            told = {path: lines for path in files if (lines := self._of(path))}
            self._tell({"files": told})

    def _of(self, path):
        try:
            with open(path, "rb") as file:
                spans = dict(spread(ast.parse(file.read())))
            _, statements, _, missing, _ = self._counter.analysis2(path)
        except Exception:  # Of a file that a test wrote and removed nothing is known.
            return None
        missing = set(missing)
        lines = {True: set(), False: set()}
        for line in statements:
            lines[line not in missing].update(range(line, spans.get(line, line) + 1))
        return {"run": sorted(lines[True]), "not_run": sorted(lines[False] - lines[True])}

    def _tell(self, value):
        with open(self._file, "w", encoding="utf-8") as file:
            json.dump(value, file)


def spread(tree):
    """The first and last line of each statement, or of its head if it holds others."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            inner = min((getattr(one, "lineno", node.end_lineno) for one in body), default=0) - 1 if body else node.end_lineno
            yield node.lineno, max(node.lineno, inner)


def asked(tree):
    """None when no lines are asked for. Before the tree is searched for modules, so that none of them is taken for coverage.py."""
    file = os.environ.pop("GUARDHOST_COVERAGE", None)
    return Lines(file, tree) if file else None
