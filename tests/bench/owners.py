#!/usr/bin/env python3
"""What the people who own a repository do with the hooks, each step with its exit code and time, in clones of real repositories.

    cargo build --bins && python3 tests/bench/owners.py --host target/debug/host REPOSITORY…

A REPOSITORY is a git repository on this machine; it is cloned and not changed. A step that does not end as it must ends the script with 1.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Walk:
    def __init__(self, top, host):
        self.top, self.steps, self.wrong = top, [], 0
        (top / "home").mkdir()
        self.env = {
            "PATH": f"{host.parent}:{os.environ['PATH']}", "HOME": str(top / "home"), "LANG": "C.UTF-8",
            "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@localhost", "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x@localhost",
        }

    def step(self, what, folder, *words, code=0, env=None):
        begun = time.monotonic()
        ran = subprocess.run(words, cwd=folder, env=self.env | (env or {}), capture_output=True, text=True)
        good = ran.returncode == code
        self.wrong += not good
        self.steps.append((what, " ".join(words)[:60], ran.returncode, time.monotonic() - begun, good))
        if not good:
            print(f"{what}: {' '.join(words)} ended with {ran.returncode}, not {code}\n{ran.stdout}{ran.stderr}", file=sys.stderr)
        return ran.stdout + ran.stderr

    def pull_request(self, what, folder, base, label, code):
        """The command of the workflow that `host install github` writes, with the label or without."""
        words = ["host", "check", "--range", f"{base}...HEAD", "--allow-empty", "--format", "github"]
        return self.step(what, folder, *words, code=code, env={"CI": "true", "GUARDHOST_ALLOW_RULE_CHANGES": "true" if label else "false"})


def walk(top, host, source):
    self = Walk(top, host)
    server, mine, theirs, empty = top / "server.git", top / "mine", top / "theirs", top / "empty.git"
    quiet = lambda *words: subprocess.run(words, check=True, env=self.env, capture_output=True, text=True).stdout.strip()
    quiet("git", "clone", "--quiet", "--bare", str(source), str(server))
    quiet("git", "clone", "--quiet", str(server), str(mine))
    quiet("git", "clone", "--quiet", str(server), str(theirs))
    quiet("git", "init", "--quiet", "--bare", str(empty))
    branch = quiet("git", "-C", str(mine), "symbolic-ref", "--short", "HEAD")
    before = quiet("git", "-C", str(mine), "rev-parse", "HEAD")
    note = lambda folder, text: (folder / "NOTES-OF-THE-WALK.md").write_text(f"# Notes\n\n{text}\n")

    self.step("init", mine, "host", "init", "--hooks", "git", "--commit")
    self.pull_request("CI: the first rules", mine, before, label=False, code=0)
    self.step("push", mine, "git", "push", "--quiet", "origin", branch)
    self.step("a new remote", mine, "git", "push", "--quiet", str(empty), branch)
    note(mine, "One.")
    self.step("add", mine, "git", "add", "--all")
    self.step("commit", mine, "git", "commit", "--quiet", "-m", "notes: one")
    self.step("push", mine, "git", "push", "--quiet", "origin", branch)
    (mine / "broken_by_the_walk.py").write_text("def x(:\n")
    self.step("add", mine, "git", "add", "--all")
    self.step("a broken commit", mine, "git", "commit", "--quiet", "-m", "broken", code=1)
    self.step("undo", mine, "git", "rm", "--quiet", "-f", "broken_by_the_walk.py")
    rules = mine / "guards.toml"
    rules.write_text(rules.read_text() + "\n[fix]\n")
    self.step("a change of the rules", mine, "git", "commit", "--quiet", "-am", "rules", code=1)
    tip = quiet("git", "-C", str(mine), "rev-parse", "HEAD")
    self.step("the same, allowed", mine, "git", "commit", "--quiet", "-am", "rules", env={"GUARDHOST_ALLOW_RULE_CHANGES": "1"})
    said = self.pull_request("CI: without approval", mine, tip, label=False, code=7)
    self.wrong += "needs-approval" not in said
    self.pull_request("CI: approved", mine, tip, label=True, code=0)
    self.step("push", mine, "git", "push", "--quiet", "origin", branch)
    self.step("teammate: hooks", theirs, "host", "install", "git")
    self.step("teammate: pull", theirs, "git", "pull", "--quiet", "--ff-only")
    note(theirs, "Two.")
    self.step("teammate: commit", theirs, "git", "commit", "--quiet", "-am", "notes: two")
    self.step("teammate: push", theirs, "git", "push", "--quiet")
    self.step("pull", mine, "git", "pull", "--quiet", "--ff-only")
    self.step("a branch, deleted", mine, "git", "branch", "topic")
    self.step("a branch, deleted", mine, "git", "branch", "-D", "topic")
    return self


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPOSITORY")
    args = parser.parse_args()
    wrong = 0
    for source in args.repositories:
        with tempfile.TemporaryDirectory() as top:
            done = walk(Path(top), args.host.resolve(), source.resolve())
        print(f"\n{source}: {len(done.steps)} steps, {done.wrong} wrong\n\n| step | command | exit code | s |\n|---|---|---|---|")
        for what, words, code, seconds, good in done.steps:
            print(f"| {what} | `{words}` | {code}{'' if good else ' (wrong)'} | {seconds:.2f} |")
        wrong += done.wrong
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
