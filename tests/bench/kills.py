#!/usr/bin/env python3
"""Kills of every command that writes: what is torn, and what is lost.

    cargo build && python3 tests/bench/kills.py [--kills 500] [--seed 1]

In a small repository, each command is killed (`kill -9`) at a random moment of the time that it takes when nobody kills it; on a disk that fills
(a tmpfs, which needs root), with `.git` that may only be read (not as root, whom no mode stops), and beside another one of the same kind. Afterwards the
next command (`host doctor`, then `host check --worktree`) does what a person would do next, and:

- torn: files of one change are there in part, or hold neither what they held nor what they were to hold;
- lost: what a person had written in the work tree, and no commit has, is gone; or `git fsck` finds damage.

Ends with 1 if anything is torn or lost, with 2 if no command was killed in its midst."""

import argparse, collections, os, pathlib, random, shutil, signal, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {f"src/m{number}.py": (f"def f{number}():\n    return 1\n", f"def f{number}():\n    return 2\n") for number in range(12)}
OWN = ("notes.txt", "a person's own words, in no commit\n")


def git(folder, *words, stdin=None):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True)


def patch():
    parts = []
    for path, (old, new) in FILES.items():
        first, before, after = old.splitlines()[0], old.splitlines()[1], new.splitlines()[1]
        parts.append(f"--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n {first}\n-{before}\n+{after}\n")
    return "".join(parts)


class Bench:
    def __init__(self, args):
        self.args, self.random = args, random.Random(args.seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kills-"))
        self.home = self.folder / "home"
        self.home.mkdir()
        self.replies = self.folder / "replies.jsonl"
        import json

        self.replies.write_text("".join(json.dumps({"round": number, "reply": patch()}) + "\n" for number in (1, 2, 3)))
        self.durations, self.found, self.numbers = {}, collections.Counter(), 0

    def env(self):
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
                "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}

    def host(self, repo, words, stdin="", wait=True):
        process = subprocess.Popen([self.args.host, *words], cwd=repo, env=self.env(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, start_new_session=True)
        if not wait:
            try:
                process.stdin.write(stdin)
                process.stdin.close()
            except BrokenPipeError:
                pass  # It ended before it had read everything.
            return process
        process.communicate(stdin)
        return process.returncode

    def repository(self, below):
        self.numbers += 1
        repo = below / f"r{self.numbers}"
        repo.mkdir(parents=True)
        git(repo, "init", "-q", "-b", "main")
        for path, (old, _) in FILES.items():
            (repo / path).parent.mkdir(exist_ok=True)
            (repo / path).write_text(old)
        git(repo, "add", "-A")
        git(repo, "commit", "-q", "-m", "base")
        (repo / OWN[0]).write_text(OWN[1])
        return repo

    def run_words(self):
        return ["run", "--task", "Let all return 2", "--provider", f"replay:{self.replies}", "--quiet"]

    def commands(self):
        """Name, preparation, command line, standard input."""
        nothing = lambda repo: None
        def ran(repo):
            self.host(repo, self.run_words())
        def staged(repo):
            (repo / "src/m0.py").write_text("def f0():  \n    return 1\n")
            git(repo, "add", "src")
        def ruled(repo):
            self.host(repo, ["init", "--commits", "0", "--commit"])
        return [
            ("apply", nothing, ["apply", "--patch", "-"], patch()),
            ("run", nothing, self.run_words(), ""),
            ("run --onto-worktree", nothing, [*self.run_words(), "--onto-worktree"], ""),
            ("accept", ran, ["accept"], ""),
            ("discard", ran, ["discard"], ""),
            ("check --staged --fix", staged, ["check", "--staged", "--fix"], ""),
            ("init --commit", nothing, ["init", "--commits", "0", "--commit"], ""),
            ("guard lock", ruled, ["guard", "lock"], ""),
            ("install git", nothing, ["install", "git"], ""),
            ("apply twice at once", nothing, ["apply", "--patch", "-"], patch()),
        ]

    def one(self, below, command, is_read_only=False):
        name, prepare, words, stdin = command
        repo = self.repository(below)
        prepare(repo)
        if name not in self.durations:
            begun = time.time()
            code = self.host(repo, words, stdin)
            self.durations[name] = time.time() - begun
            if code != 0:
                sys.exit(f"{name} ends with {code} when nobody kills it: there is nothing to kill")
            shutil.rmtree(repo)
            return
        head = git(repo, "rev-parse", "HEAD").stdout
        filler = self.fill(below)
        if is_read_only:
            for folder, _, _ in os.walk(repo / ".git"):
                os.chmod(folder, 0o555)
        processes = [self.host(repo, words, stdin, wait=False) for _ in range(2 if "twice" in name else 1)]
        time.sleep(self.random.uniform(0, self.durations[name] * 1.1))
        killed = False
        for process in processes:
            if process.poll() is None:
                killed = True
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()
        self.found["killed" if killed else "ended before"] += 1
        if is_read_only:
            for folder, _, _ in os.walk(repo / ".git"):
                os.chmod(folder, 0o755)
        if filler:
            filler.unlink()
        self.host(repo, ["doctor"])
        self.host(repo, ["check", "--worktree"])
        self.judge(repo, name, head)
        shutil.rmtree(repo)

    def fill(self, below):
        """Leaves a random part of a small disk."""
        if below.parent.name != "full":
            return None
        filler = below.parent / "filler"
        left = os.statvfs(below.parent)
        size = max(left.f_bavail * left.f_bsize - self.random.randrange(0, 400 << 10), 0)
        try:
            with open(filler, "wb") as file:
                file.write(b"x" * size)
        except OSError:
            pass
        return filler

    def judge(self, repo, name, head):
        problems = []
        # What Python wrote was right when it was staged with two blanks: that is the person's, or the fix's.
        texts = {path: (repo / path).read_text() if (repo / path).is_file() else None for path in FILES}
        states = set()
        for path, (old, new) in FILES.items():
            text = texts[path]
            plain = None if text is None else "".join(line.rstrip() + "\n" for line in text.splitlines())
            states.add("old" if plain == old else "new" if plain == new else f"neither: {path}: {text!r}")
        if len(states) > 1 or any(state.startswith("neither") for state in states):
            problems.append(("torn", f"{sorted(states)}"))
        if not (repo / OWN[0]).is_file() or (repo / OWN[0]).read_text() != OWN[1]:
            problems.append(("lost", OWN[0]))
        fsck = git(repo, "fsck", "--strict", "--no-dangling")
        if fsck.returncode or git(repo, "status", "--porcelain").returncode:
            problems.append(("lost", fsck.stdout + fsck.stderr))
        if git(repo, "merge-base", "--is-ancestor", head.strip(), "HEAD").returncode:
            problems.append(("lost", "HEAD is no descendant of what it was"))
        for kind, what in problems:
            self.found[kind] += 1
            print(f"{kind}: {name} in {repo}: {what}")
        if problems:
            shutil.copytree(repo, self.folder / "kept" / repo.name, symlinks=True)

    def all(self):
        full, plain = self.folder / "full", self.folder / "plain"
        for folder in (full, plain):
            folder.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", full], capture_output=True).returncode == 0
        (full / "work").mkdir(exist_ok=True)
        if not mounted:
            print("no tmpfs can be mounted: nothing is said of a full disk")
        if os.geteuid() == 0:
            print("root writes where no mode allows it: nothing is said of a .git that may only be read")
        try:
            number = 0
            while self.found["killed"] < self.args.kills:
                command = self.commands()[number % len(self.commands())]
                below = full / "work" if mounted and number // len(self.commands()) % 3 == 2 else plain
                self.one(below, command, is_read_only=os.geteuid() != 0 and number // len(self.commands()) % 5 == 4)
                number += 1
        finally:
            if mounted:
                subprocess.run(["umount", full])
        names = ["killed", "ended before", "torn", "lost"]
        print(f"{number} commands of {len(self.commands())} kinds: " + ", ".join(f"{self.found[name]} {name}" for name in names))
        return 1 if self.found["torn"] or self.found["lost"] else 0 if self.found["killed"] else 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default=str(ROOT / "target/debug/host"))
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.host = str(pathlib.Path(args.host).resolve())
    bench = Bench(args)
    code = bench.all()
    if code == 0:
        shutil.rmtree(bench.folder)
    else:
        print(f"what is left: {bench.folder}")
    sys.exit(code)


main()
