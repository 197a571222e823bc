#!/usr/bin/env python3
"""Runs a static program where nothing else is: a folder as the root, with no library, no other program, no /proc and no /etc.

    cargo build --profile dist --locked --bins --target x86_64-unknown-linux-musl
    python3 host/packaging/empty_root.py --binary target/x86_64-unknown-linux-musl/dist/host

It needs git outside, to make a repository, and the right to change the root: root, or user namespaces (`unshare` of util-linux).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BAD = "def x(:\n    return 1\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, required=True)
    binary = parser.parse_args().binary
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "tmp").mkdir()
        shutil.copy2(binary, root / "host")
        repo = root / "repo"
        repo.mkdir()
        (repo / "x.py").write_text("def x():\n    return 1\n")
        # What git on this machine says of its user must not reach the repository.
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        git = lambda *words: subprocess.run(["git", "-C", str(repo), *words], check=True, env={**os.environ, **own})
        git("init", "--quiet", "-b", "main")
        git("add", ".")
        git("-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "--quiet", "-m", "x")
        (repo / "x.py").write_text(BAD)
        git("add", ".")
        tool = lambda name: shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        enter = [tool("chroot"), str(root)] if os.geteuid() == 0 else [tool("unshare"), "--map-root-user", "--root", str(root)]

        def host(*words, code):
            ran = subprocess.run([*enter, "/host", *words], env={"HOME": "/tmp"}, capture_output=True, text=True)
            if ran.returncode != code:
                sys.exit(f"error: host {' '.join(words)}: exit code {ran.returncode}, expected {code}\n{ran.stdout}{ran.stderr}")
            return ran.stdout

        print(host("--version", code=0).strip())
        report = json.loads(host("check", "--repo", "/repo", "--staged", "--format", "json", code=1))
        against = [guard["id"] for guard in report["guards"] if guard["verdict"] == "reject"]
        print(f"host check --staged: rejected by {', '.join(against)}")
        report = json.loads(host("demo", "--dir", "/demo", "--format", "json", code=0))
        print(f"host demo: {report['outcome']} after {len(report['rounds'])} rounds")
        host("init", "--repo", "/repo", code=0)
        print(f"host init: {', '.join(sorted(path.name for path in repo.iterdir() if path.suffix in ('.toml', '.lock')))}")


if __name__ == "__main__":
    main()
