"""Runs unittest's tests and reports them as TAP. Arguments: the report's file, and the files of tests; all that discovery finds without any."""

import os
import sys
import unittest

import python_lines


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.lines = []

    def line(self, result, test, directive="", detail=""):
        self.lines.append((result, name(test) + directive, detail))

    def addSuccess(self, test):
        self.line("ok", test)

    def addError(self, test, err):
        self.line("not ok", test, detail=self._exc_info_to_string(err, test))

    addFailure = addError

    def addSkip(self, test, reason):
        self.line("ok", test, " # SKIP " + reason.replace("\n", " "))

    def addExpectedFailure(self, test, err):
        self.line("ok", test)

    def addUnexpectedSuccess(self, test):
        self.line("not ok", test, detail="it was expected to fail")

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.line("not ok", subtest, detail=self._exc_info_to_string(err, test))


def name(test):
    identity = test.id()
    module = sys.modules.get(type(test).__module__)
    file = getattr(module, "__file__", None)
    # A module that cannot be imported stands as a test with its name.
    if type(test).__name__ == "_FailedTest":
        return identity.rsplit(".", 1)[-1].replace(".", "/") + ".py"
    own = identity.removeprefix(type(test).__module__ + ".").replace(".", " > ")
    return (os.path.relpath(file) + " > " + own) if file else identity


def main():
    report, files = sys.argv[1], sys.argv[2:]
    lines = python_lines.asked(os.getcwd())
    sys.path[0] = os.getcwd()
    loader = unittest.TestLoader()
    if files:
        modules = [os.path.splitext(path)[0].replace("/", ".") for path in files if path.endswith(".py")]
        suite = loader.loadTestsFromNames(modules)
    else:
        suite = loader.discover(".")
    result = Result()
    if lines:
        lines.start()
    suite.run(result)
    if lines:
        lines.write()
    with open(report, "w", encoding="utf-8") as out:
        print("TAP version 13", file=out)
        for number, (outcome, text, detail) in enumerate(result.lines, 1):
            print(f"{outcome} {number} - {text}".replace("\n", " "), file=out)
            for line in detail.splitlines():
                print("# " + line, file=out)
        print(f"1..{len(result.lines)}", file=out)
    sys.exit(0 if not any(outcome == "not ok" for outcome, _, _ in result.lines) else 1)


if __name__ == "__main__":
    main()
