#!/usr/bin/env python3
"""Writes docs/mission.md: how many statements of the documents that this project began with hold as written, and what is otherwise on purpose or missing.

    cargo build --workspace && python3 tests/bench/mission/table.py --host target/debug/host

A row of `rows.tsv` names what holds it: `run:NAME` is a scenario that is run now with the built binary (`scenarios.py`), `all:MODULE::NAME` a test
of `tests/`, `unit:` and `service:` one of a crate, `case:` and `file:` a file. A scenario that fails, a test or a file that is not there ends the script with 1, and
the document stays as it is. With `--check` nothing is written, and a document that differs is an error too.
"""

import argparse
import re
import sys
from pathlib import Path

import scenarios

ROOT = scenarios.ROOT
ROWS = Path(__file__).with_name("rows.tsv")
DOCUMENT = ROOT / "docs/mission.md"
STATES = {
    "works": "holds",
    "better": "holds, in another way that gives more",
    "renamed": "holds under another name or at another place, which the row gives",
    "deliberate": "is otherwise on purpose; the row says why that is not worse",
    "worse": "holds in part, or in a worse way",
    "left out": "is not built, on purpose; the row says why",
    "missing": "does not hold",
}
# What a reader of the page misses; `rows.tsv` says of the others why.
LISTED = ("worse", "left out", "missing")
# Nothing of this project can hold them.
NOT_BUILT = ("left out", "missing")
# The row must say more than its state.
EXPLAINED = ("renamed", "deliberate", "worse", *NOT_BUILT)
HEAD = """# What this project set out to do

The project began with five documents, about patches for one file (`000`), records of patches (`001`), patches in an agent's session (`002`), fixing issues (`003`), and a
whole improvement run with its observer (`004`), and a card that names the parts. `tests/bench/mission/rows.tsv` has each of their statements with the scenario, test or file that holds it; `table.py` beside it
checks them with the built binary, and writes this page.

"""


class Held:
    """Looks for what rows name, and remembers what was run."""

    def __init__(self, host):
        self.host, self.ran, self.wrong = host, {}, []

    def scenario(self, name):
        if name not in self.ran:
            kind, _, argument = name.partition(" ")
            try:
                scenarios.guard(self.host, argument) if kind == "guard" else scenarios.ALL[name](self.host)
                self.ran[name] = None
            except Exception as error:  # Whatever it is, the row does not hold.
                self.ran[name] = f"{type(error).__name__}: {error}"
                self.wrong.append(f"run:{name}: {self.ran[name]}")
        return f"run now, {name}"

    def test(self, kind, name):
        where, _, function = name.rpartition("::")
        folders = {"all": ROOT / "tests", "service": ROOT / "host/service/tests", "unit": ROOT}
        if kind == "all":
            parts = where.split("::")
            found = [ROOT / "tests/integration" / "/".join(parts[:depth]) for depth in range(len(parts), 0, -1)]
            files = [file for base in found for file in (base.with_suffix(".rs"), base / "mod.rs") if file.is_file()][:1]
        else:
            files = [file for file in [folders[kind] / where] if file.is_file()]
        is_there = any(re.search(rf"\bfn {re.escape(function)}\(", file.read_text()) for file in files)
        if not is_there:
            self.wrong.append(f"{kind}:{name}: there is no such test")
        return f"test {name}"

    def file(self, name):
        if not (ROOT / name).exists():
            self.wrong.append(f"{name} is not there")
        return f"`{name}`"

    def by(self, text):
        kind, _, name = text.partition(":")
        match kind:
            case "run":
                return self.scenario(name)
            case "all" | "unit" | "service":
                return self.test(kind, name)
            case "case" | "file":
                return self.file(name)
            case "":
                return ""
        self.wrong.append(f"{text}: nothing that can hold a row")
        return ""


def document(rows, held):
    counts, areas = dict.fromkeys(STATES, 0), {}
    for area, statement, here, state, by, why in rows:
        if state not in STATES or (state in NOT_BUILT) == bool(by) or (state in EXPLAINED) > bool(why):
            held.wrong.append(f"{area}, {statement}: a row is of a known state, held by something unless it is not built, and says what is otherwise")
            continue
        counts[state] += 1
        areas.setdefault(area, []).append((statement, here, state, held.by(by), why))
    text = HEAD + "| state | rows | meaning |\n|---|---|---|\n"
    text += "".join(f"| {state} | {counts[state]} | {meaning} |\n" for state, meaning in STATES.items())
    text += f"| all | {len(rows)} | |\n"
    text += "\nWhat is missed:\n\n"
    for area, found in areas.items():
        for statement, here, state, _, why in (row for row in found if row[2] in LISTED):
            statement, here = (re.sub(r"([<>*])", r"\\\1", cell) for cell in (statement, here))
            text += f"- {area}: {statement}" + (f" ({here})" if here else "") + f" **{state}**" + (f": {why}" if why else "") + "\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    held = Held(str(args.host.resolve()))
    rows = [line.split("\t") for line in ROWS.read_text().splitlines() if line and not line.startswith("#")]
    text = document(rows, held)
    for wrong in held.wrong:
        print(wrong, file=sys.stderr)
    if not held.wrong and args.check and DOCUMENT.read_text() != text:
        held.wrong.append("differs")
        print("docs/mission.md is not what this script writes", file=sys.stderr)
    if held.wrong:
        sys.exit(1)
    if not args.check:
        DOCUMENT.write_text(text)
    print(f"{len(rows)} rows, {len(held.ran)} scenarios run")


if __name__ == "__main__":
    main()
