#!/usr/bin/env python3
"""What running a change shows, on real commits that fix something and bring tests.

    evidence.py select FOLDER...            # candidates of commits, as lines of `commits.txt`
    evidence.py run --host HOST --clones FOLDER [--only NAME] [--most N]
    evidence.py red --host HOST --clones FOLDER [--only NAME] [--most N] [--from N]
    evidence.py nearest --host HOST --clones FOLDER [--only NAME] [--most N]
    evidence.py mutants --host HOST --clones FOLDER [--only NAME] [--most N]
    evidence.py triage --host HOST --clones FOLDER [--only NAME] [--most N]

`run`: every commit of `commits.txt` is judged twice by the guards `no-test-regressions` and `red-first`:

* as it was: it should not be rejected, and its tests should be red first;
* undone: its code is put back to that of its parent and its tests stay. The tests that came with the fix fail then, so that the change
  that undoes it should be rejected.

`red`: the commits as they were, judged by `red-first` alone.

`repositories.toml` says how tests are run. Nothing is fetched: `--clones` holds a clone of each repository, by its name with `+` for `/`,
and `--packages`, in a folder of the same name, the `node_modules` of those that need any. A result is one line of JSON for each commit,
and the sums at the end. A commit that was judged already in `--known`, the output of an earlier run, is not judged again.

`nearest`: the undone commits again, with the base's results at hand: seconds until the change is rejected when all tests are run, and when
the nearest come first, and whether these were enough.

`mutants`: the commits as they were, judged by the guard of that name: how many mutants were killed, survived and were not run.

`triage`: the undone commits once more: how many files of them `host check --triage` proves to be harmless, and how many commits as a whole.
Nothing is run for it. Of what undoes a fix, nothing may be proved as a whole.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).parent
CODE = re.compile(r"\.(py|go|rb|rs|js|mjs|cjs|ts|php|java|c|cc|cpp|h)$")
TEST = re.compile(r"(^|/)(tests?|specs?|__tests__|testdata|fixtures)(/|$)|(^|/)test_[^/]*$|[._-](test|spec)\.[a-z]+$|_test\.[a-z]+$|conftest\.py$")
FIX = re.compile(r"\b(fix(es|ed)?|bug)\b", re.IGNORECASE)
# What leaves the behaviour as it is, by the words of its author.
UPKEEP = re.compile(r"\b(typos?|spell(ing)?|lint(s|er)?|style|docs?|comments?|warnings?|rubocop|flake8|ci|format(ting)?|docstrings?|mypy|coverage|staticcheck)\b", re.IGNORECASE)
MOST_FILES = 12
GRANTS = {"no-test-regressions": ["toolchain", "repo"], "red-first": ["toolchain"], "mutants": ["toolchain", "repo"]}


def git(folder, *words, check=True):
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, errors="replace")
    if check and done.returncode:
        raise RuntimeError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def parts(folder, commit):
    """Code and tests that a commit touches, without the files that it renames."""
    code, tests = [], []
    for line in git(folder, "diff-tree", "-r", "--no-commit-id", "--no-renames", "--name-only", commit).splitlines():
        if TEST.search(line):
            tests.append(line)
        elif CODE.search(line):
            code.append(line)
    return code, tests


def select(folders):
    for folder in folders:
        path = pathlib.Path(folder)
        name = (path.parent if path.name == "repo" else path).name.replace("+", "/")
        log = git(folder, "log", "--no-merges", "--since=2018-01-01", "--format=%H %s")
        for line in log.splitlines():
            commit, subject = line.split(" ", 1)
            if FIX.search(subject) and not UPKEEP.search(subject):
                code, tests = parts(folder, commit)
                if code and tests and len(code) + len(tests) <= MOST_FILES:
                    print(name, commit, subject)


def place(finding):
    """`src/a.py:3: `, for a finding at a line."""
    return f"{finding['path']}:{finding['line']}: " if finding.get("path") and finding.get("line") else ""


class Bench:
    def __init__(self, host, clones, packages, components, mutants_each, settings):
        self.host, self.clones, self.packages, self.settings = host, clones, packages, settings
        self.components, self.mutants_each = components, mutants_each
        self.scratch = tempfile.TemporaryDirectory(prefix="evidence-")

    def judge(self, folder, base, head, settings, guards, task=None, guard_settings=None):
        """What each of the guards says of a range, by its id."""
        rules = "schema = 1\n"
        for runner in settings.get("runner", []):
            rules += "[[runner]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in runner.items())
        for guard in guards:
            grants = json.dumps(GRANTS[guard])
            rules += f'[[guard]]\nid = "{guard}"\ngrants = {grants}\nlimits = {{ seconds = {settings.get("seconds", 120)} }}\n'
            rules += f"settings = {{ {guard_settings} }}\n" if guard_settings else ""
            component = self.components and self.components.resolve() / f"{guard}.wasm"
            rules += f'source = "path:{component}"\n' if component and component.is_file() else ""
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
            config.write(rules)
            config.flush()
            words = [self.host, "check", "--range", f"{base}..{head}", "--format", "json", "--config", config.name]
            words += ["--task", task] if task else []
            environment = {**os.environ, "PATH": settings.get("path", "") + ":" + os.environ["PATH"]}
            begun = time.monotonic()
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment)
            seconds = round(time.monotonic() - begun, 1)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report, why = {}, done.stderr.strip()[-300:]
        else:
            why = str(report)[:300]
        return {guard: self.said(report, guard, why, seconds) for guard in guards}

    def said(self, report, guard, why, seconds):
        found = next((one for one in report.get("guards", []) if one["id"] == guard), None)
        if found is None:
            return {"verdict": "error", "reason": why, "seconds": seconds}
        findings = [f"{one['rule']}: {place(one)}{one['message'].splitlines()[0][:300]}" for one in found["findings"]]
        return {
            "verdict": found["verdict"],
            "reason": found["reason"],
            "findings": findings[:20],
            "rules": sorted({one["rule"] for one in found["findings"]}),
            "metrics": found["metrics"],
            "seconds": seconds,
        }

    def clone(self, name, commit):
        """A clone at a commit, and the commit's parent. A repository has one clone, so that what tools keep for it is built once, as where people work."""
        source = self.clones / name.replace("/", "+")
        source = source / "repo" if (source / "repo").is_dir() else source
        folder = pathlib.Path(self.scratch.name) / name.replace("/", "+")
        if not folder.is_dir():
            subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(source), str(folder)], check=True)
            git(folder, "config", "user.name", "bench")
            git(folder, "config", "user.email", "bench@localhost")
        git(folder, "checkout", "-q", "--force", commit)
        git(folder, "clean", "-q", "-ffdx", "--exclude=node_modules")
        modules = self.packages / name.replace("/", "+") / "node_modules" if self.packages else None
        if modules and modules.is_dir() and not (folder / "node_modules").exists():
            subprocess.run(["cp", "-al", str(modules), str(folder / "node_modules")], check=True)
        return folder, git(folder, "rev-parse", commit + "^").strip()

    def undo(self, folder, commit, parent):
        """Commits the code of the parent with the tests of the commit."""
        for path in parts(folder, commit)[0]:
            was_there = subprocess.run(["git", "-C", str(folder), "cat-file", "-e", f"{parent}:{path}"], capture_output=True)
            if was_there.returncode == 0:
                git(folder, "checkout", "-q", parent, "--", path)
            else:
                git(folder, "rm", "-q", "--", path)
        git(folder, "commit", "-q", "--no-verify", "-m", "another way")
        return git(folder, "rev-parse", "HEAD").strip()

    def nearest(self, name, commit):
        folder, parent = self.clone(name, commit)
        undone = self.undo(folder, commit, parent)
        guard, settings = "no-test-regressions", self.settings[name]
        judge = lambda words: self.judge(folder, commit, undone, settings, [guard], guard_settings=words)[guard]
        judge("nearest = 0")
        every, near = judge("nearest = 0"), judge("nearest = 60")
        # What was left out is said: then the nearest tests decided.
        decided = near["verdict"] == "reject" and "not-run" in near["rules"]
        return {"repository": name, "commit": commit, "all": every, "nearest": near, "nearest_decided": decided}

    def mutants(self, name, commit):
        folder, parent = self.clone(name, commit)
        result = self.judge(folder, parent, commit, self.settings[name], ["mutants"], guard_settings=f"most = {self.mutants_each}")["mutants"]
        return {"repository": name, "commit": commit, **result}

    def triage(self, name, commit):
        folder, parent = self.clone(name, commit)
        undone = self.undo(folder, commit, parent)
        # Proofs do not ask what guards say.
        words = ["check", "--range", f"{commit}..{undone}", "--triage", "--guard", "syntax-holds", "--format", "json"]
        done = subprocess.run([self.host, *words], cwd=folder, capture_output=True, text=True)
        found = json.loads(done.stdout)["triage"]
        files = [{"path": one["path"], "class": one["class"]} for one in found["files"]]
        return {"repository": name, "commit": commit, "proved": found["proved"], "files": files}

    def commit(self, name, commit):
        settings, guards = self.settings[name], ["no-test-regressions", "red-first"]
        folder, parent = self.clone(name, commit)
        result = {"repository": name, "commit": commit, "subject": git(folder, "log", "-1", "--format=%s").strip()}
        was = self.judge(folder, parent, commit, settings, guards)
        result["as_it_was"], result["red_first"] = (was[guard] for guard in guards)
        undone = self.undo(folder, commit, parent)
        result["undone"] = self.judge(folder, commit, undone, settings, guards[:1])[guards[0]]
        return result

    def red(self, name, commit):
        folder, parent = self.clone(name, commit)
        subject = git(folder, "log", "-1", "--format=%s").strip()
        said = self.judge(folder, parent, commit, self.settings[name], ["red-first"])["red-first"]
        return {"repository": name, "commit": commit, "subject": subject, "red_first": said}


def shown(said):
    """What the tests of a commit show, all in all: one that was red first is enough."""
    metrics = said.get("metrics") or {}
    of_tests = next((kind for kind in ("red-first", "not-known", "still-red", "never-red") if metrics.get(kind)), None)
    return of_tests or f"{said['verdict']}: {(said['reason'] or '').splitlines()[0][:100]}"


def sums(results):
    """Of what could be run: a commit whose tests do not run on either side shows nothing."""
    count = collections.Counter(commits=len(results))
    for result in results:
        for key in ("undone", "as_it_was", "red_first"):
            if key in result:
                count[f"{key}: {result[key]['verdict']}"] += 1
        metrics = result["red_first"].get("metrics") or {}
        for kind, number in metrics.items():
            count[f"tests {kind}"] += int(number)
        if "red_first" in result:
            count[f"commits: {shown(result['red_first'])}"] += 1
        ran = result.get("undone", {}).get("verdict") in ("pass", "reject")
        count["undone, could be run"] += ran
        count["undone, caught"] += ran and result["undone"]["verdict"] == "reject"
    return dict(sorted(count.items()))


def sums_of_nearest(results):
    rejected = [result for result in results if result["all"]["verdict"] == "reject"]
    ran = [result for result in rejected if (result["nearest"].get("metrics") or {}).get("nearest")]
    decided = [result for result in ran if result["nearest_decided"]]
    missed = [result for result in ran if not result["nearest_decided"]]
    seconds = lambda chosen, key: statistics.median(result[key]["seconds"] for result in chosen) if chosen else None
    return {
        "undone": len(results),
        "rejected when all tests are run": len(rejected),
        "of these, rejected when the nearest come first": sum(result["nearest"]["verdict"] == "reject" for result in rejected),
        "the nearest tests were run apart": len(ran),
        "of these, they decided": len(decided),
        "of these, they missed": len(missed),
        "of these, all tests found": sum(result["nearest"]["verdict"] == "reject" for result in missed),
        "median seconds, all, where they decided": seconds(decided, "all"),
        "median seconds, nearest first, where they decided": seconds(decided, "nearest"),
        "median seconds, all, where they were run apart": seconds(ran, "all"),
        "median seconds, nearest first, where they were run apart": seconds(ran, "nearest"),
        "median seconds, all, of all rejected": seconds(rejected, "all"),
        "median seconds, nearest first, of all rejected": seconds(rejected, "nearest"),
    }


def sums_of_mutants(results):
    count = collections.Counter()
    for result in results:
        count[result["verdict"]] += 1
        for name in ("killed", "survived", "not-run"):
            count[name] += int((result.get("metrics") or {}).get(name, 0))
    return {**dict(sorted(count.items())), "median seconds": statistics.median(result["seconds"] for result in results)}


def sums_of_triage(results):
    files = [file for result in results for file in result["files"]]
    classes = collections.Counter(file["class"] for file in files if file["class"])
    proved = [f"{result['repository']} {result['commit']}" for result in results if result["proved"]]
    return {"undone": len(results), "proved as a whole": proved, "files": len(files), "of these proved": dict(sorted(classes.items()))}


SUMS = {"run": sums, "red": sums, "nearest": sums_of_nearest, "mutants": sums_of_mutants, "triage": sums_of_triage}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("select")
    one.add_argument("folders", nargs="+")
    for name in ("run", "red", "nearest", "mutants", "triage"):
        two = commands.add_parser(name)
        two.add_argument("--host", required=True)
        two.add_argument("--clones", required=True, type=pathlib.Path)
        two.add_argument("--path", default="", help="folders of tools that come before those of PATH")
        two.add_argument("--only", help="one repository")
        two.add_argument("--packages", type=pathlib.Path, help="a folder of node_modules")
        two.add_argument("--components", type=pathlib.Path, help="a folder of guards that take the place of the host's")
        two.add_argument("--mutants", type=int, default=40, help="mutants of one commit")
        two.add_argument("--known", type=pathlib.Path, help="results that count as they are")
        two.add_argument("--from", type=int, default=0, dest="first", help="commits of one repository to leave out")
        two.add_argument("--most", type=int, default=10, help="commits of one repository")
    options = parser.parse_args()
    if options.command == "select":
        return select(options.folders)
    settings = tomllib.loads((HERE / "repositories.toml").read_text())["repository"]
    settings = {one["name"]: {**one, "path": options.path} for one in settings}
    bench, seen = Bench(os.path.abspath(options.host), options.clones, options.packages, options.components, options.mutants, settings), collections.Counter()
    known = [json.loads(line) for line in options.known.read_text().splitlines()] if options.known else []
    results, judged = list(known), {(one["repository"], one["commit"]) for one in known}
    for line in (HERE / "commits.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, commit = line.split(" ")[:2]
        seen[name] += 1
        is_asked = options.first < seen[name] <= options.first + options.most and options.only in (None, name)
        if not is_asked or (name, commit) in judged:
            continue
        ask = {"run": bench.commit, "red": bench.red, "nearest": bench.nearest, "mutants": bench.mutants, "triage": bench.triage}[options.command]
        result = ask(name, commit)
        results.append(result)
        print(json.dumps(result), flush=True)
    print(json.dumps(SUMS[options.command](results), indent=2), file=sys.stderr)


if __name__ == "__main__":
    main()
