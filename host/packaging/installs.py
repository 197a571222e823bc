#!/usr/bin/env python3
"""Runs every line of docs/install.md that installs a package, word for word, where there is no network and no Rust, and what a new user does next.

    python3 host/packaging/installs.py --packages target/packages

Each line has a home of its own, and sees the system, the packages and the tools that it names; a tool that is missing is said. Then `host init`
protects a repository, and a commit that breaks a file has to be refused. It needs bubblewrap and git. Times are printed and not judged.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import package

# In the console blocks of the document; `cargo install` is no package, and Homebrew wants a network.
LINES = ("pip install ", "uv tool install ", "npm install ", "tar ")
BEFORE = """
set -e
git init --quiet -b main repo && cd repo
git config user.name x && git config user.email x@localhost
printf 'def x():\\n    return 1\\n' > x.py
git add . && git commit --quiet -m 'Add x'
"""
INIT = "cd repo && host init --hooks git --commit"
REFUSED = "cd repo && printf 'def x(:\\n    return 1\\n' > x.py && git commit --quiet -am 'Break x'"


def lines():
    text = (package.ROOT / "docs/install.md").read_text(encoding="utf-8")
    shown = [line.removeprefix("$ ").split("  #")[0].strip() for line in text.splitlines() if line.startswith("$ ")]
    return [line for line in shown if line.startswith(LINES)]


def sandbox(home, packages, tool):
    """A root with the system alone. What Python or a tool is installed as elsewhere is added."""
    root = ["bwrap", "--unshare-net", "--die-with-parent", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    elsewhere = {Path(sys.base_prefix) / "bin", *([Path(tool).resolve().parent] if tool else [])}
    elsewhere = sorted(str(folder) for folder in elsewhere if folder.parts[1] not in ("usr", "bin"))
    for path in ["/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", sys.base_prefix, *elsewhere]:
        root += ["--ro-bind-try", path, path]
    at = {"HOME": "/user", "LANG": "C.UTF-8", "npm_config_prefix": "/user/npm", "npm_config_offline": "true", "PIP_NO_INDEX": "1", "UV_OFFLINE": "1"}
    bins = ["/user/venv/bin", "/user/.local/bin", "/user/npm/bin", "/user/unpacked"]
    at["PATH"] = ":".join([*bins, *elsewhere, "/usr/bin", "/bin"])
    root += ["--bind", home, "/user", "--ro-bind", str(packages), "/packages", "--clearenv"]
    return root + [word for name, value in at.items() for word in ("--setenv", name, value)]


def tried(line, packages):
    """A row of the table; ends the program if something is not as it should be."""
    name = line.split()[0]
    tool = shutil.which(name)
    if not tool and name != "pip":
        return f"| `{line}` | not tried: {name} is missing | | |"
    with tempfile.TemporaryDirectory() as home:
        into = sandbox(home, packages, tool)

        def run(script, code):
            begun = time.perf_counter()
            ran = subprocess.run([*into, "sh", "-c", script], capture_output=True, text=True, stdin=subprocess.DEVNULL)
            took = time.perf_counter() - begun
            if ran.returncode != code:
                sys.exit(f"error: {line}\n{script}: exit code {ran.returncode}, expected {code}\n{ran.stdout}{ran.stderr}")
            return took, ran.stderr

        run("cd /user && python3 -m venv venv && mkdir unpacked" if name == "pip" else "mkdir /user/unpacked", 0)
        run("cd /user" + BEFORE, 0)
        # An archive is unpacked wherever one likes; here into the `PATH`.
        end = " -C /user/unpacked --strip-components=1" if name == "tar" else ""
        installed, _ = run(f"cd /packages && {line}{end}", 0)
        at_work, _ = run(f"cd /user/ && {INIT}", 0)
        refused, said = run(f"cd /user/ && {REFUSED}", 1)
        if "syntax-holds" not in said:
            sys.exit(f"error: {line}\nthe commit was refused for another reason:\n{said}")
    return f"| `{line}` | {installed:.1f} | {at_work:.1f} | {refused:.1f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=Path, required=True, help="the folder of a release")
    packages = parser.parse_args().packages.resolve()
    found = lines()
    if not found:
        sys.exit("error: docs/install.md installs no package")
    print("| | installed, s | `host init`, s | a refused commit, s |\n|---|---|---|---|")
    for line in found:
        print(tried(line, packages), flush=True)


if __name__ == "__main__":
    main()
