#!/usr/bin/env python3
"""What a new user does, from nothing to a commit that is refused, with the time of each command.

    cargo build --release --bins && python3 tests/bench/new_user.py --binaries target/release
    python3 tests/bench/new_user.py --wheel guardhost-0.1.0-….whl

The wheel is made of the binaries unless one is named. The repository has a few files and 60 commits. Nothing is asserted of times; that
the last command is refused, and makes no commit, is.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def repository(folder, run):
    folder.mkdir()
    run("git", "init", "--quiet", "-b", "main")
    run("git", "config", "user.name", "x")
    run("git", "config", "user.email", "x@localhost")
    files = {"README.md": "# x\n\nCounts.\n", "x.py": "def x():\n    return 0\n", "package.json": '{\n  "name": "x"\n}\n'}
    for name, content in files.items():
        (folder / name).write_text(content)
    for number in range(60):
        (folder / "x.py").write_text(f"def x():\n    return {number}\n")
        run("git", "add", ".")
        run("git", "commit", "--quiet", "-m", f"Return {number}")
    (folder / "x.py").write_text("def x(:\n    return 1\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--wheel", type=Path)
    source.add_argument("--binaries", type=Path)
    parser.add_argument("--target", help="what the binaries were built for [default: this machine]")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        wheel = args.wheel
        if wheel is None:
            package = [sys.executable, ROOT / "host/packaging/package.py", "--binaries", args.binaries, "--out", top / "packages", "--level", "6"]
            package += ["--target", args.target] if args.target else []
            subprocess.run(package, check=True, stdout=subprocess.DEVNULL)
            wheel = next((top / "packages").glob("*.whl"))
        home, venv, repo = top / "home", top / "venv", top / "repo"
        home.mkdir()
        env = {"PATH": f"{venv / 'bin'}:{os.environ['PATH']}", "HOME": str(home), "LANG": "C.UTF-8"}
        repository(repo, lambda *words: subprocess.run(words, cwd=repo, env=env, check=True))
        total = 0.0
        print(f"wheel: {wheel.stat().st_size / 2**20:.1f} MiB\n\n| command | s | exit code |\n|---|---|---|")
        for words, code in [
            ([sys.executable, "-m", "venv", str(venv)], 0),
            (["pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", str(wheel.resolve())], 0),
            (["host", "init", "--hooks", "git,claude", "--commit"], 0),
            (["git", "commit", "--quiet", "-am", "Break x"], 1),
        ]:
            begun = time.perf_counter()
            ran = subprocess.run(words, cwd=repo, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            took = time.perf_counter() - begun
            total += took
            shown = " ".join(Path(word).name if "/" in word else word for word in words)
            print(f"| `{shown}` | {took:.2f} | {ran.returncode} |", flush=True)
            if ran.returncode != code:
                sys.exit(f"error: expected {code}\n{ran.stdout}{ran.stderr}")
        subject = subprocess.run(["git", "log", "-1", "--format=%s"], cwd=repo, env=env, check=True, capture_output=True, text=True)
        if subject.stdout.strip() != "Let guards judge every change":
            sys.exit(f"error: HEAD is {subject.stdout.strip()!r}")
        print(f"| all | {total:.2f} | |\n\nthe commit was refused:\n{ran.stderr.strip()}")


if __name__ == "__main__":
    main()
