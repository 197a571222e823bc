#!/usr/bin/env python3
"""Makes a whole release of a commit: builds the programs, and makes every package, the source archive, the image and what vouches for them.

    python3 host/packaging/release.py --out target/packages
    python3 host/packaging/release.py --out target/packages --key FILE --url https://…/v0.1.0

It is made to give the same bytes again with the same tools, in whatever folder: no path of this machine gets into a program, and the only time
is that of the commit.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import image
import package
import seal
import source

STATIC = {"x86_64-unknown-linux-gnu": "x86_64-unknown-linux-musl", "aarch64-unknown-linux-gnu": "aarch64-unknown-linux-musl"}


def said(*words):
    return subprocess.run(words, cwd=package.ROOT, check=True, capture_output=True, text=True).stdout.strip()


def mapped(target_dir):
    """Folders of this machine, and what stands for them in panic messages. Of two that contain a path, the later one counts. The guards are
    built by a build script that has the same for them: guards/modules/build.rs."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    sources = Path(said("rustc", "--print", "sysroot")) / "lib/rustlib/src/rust"
    commit = next(line.split()[1] for line in said("rustc", "-vV").splitlines() if line.startswith("commit-hash: "))
    registries = sorted((home / "registry/src").glob("*"))
    return [(package.ROOT, "."), *((folder, "crates") for folder in registries), (sources, f"/rustc/{commit}"), (target_dir, "./target")]


def build(target, target_dir, made):
    """The programs of the client and of the server; where they are. `made` is the time of the commit, in seconds since 1970."""
    # Then the sources of crates are there when it is asked where they are.
    subprocess.run(["cargo", "fetch", "--locked", "--target", target], cwd=package.ROOT, check=True)
    pairs = [f"{folder}={instead}" for folder, instead in mapped(target_dir)]
    # mimalloc has `__DATE__` and `__TIME__` in a message, which compilers of C take from this variable.
    env = dict(os.environ, CARGO_INCREMENTAL="0", CARGO_TARGET_DIR=str(target_dir), SOURCE_DATE_EPOCH=made)
    env.pop("RUSTFLAGS", None)
    env["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(f"--remap-path-prefix={pair}" for pair in pairs)
    if "msvc" not in target:
        env[f"CFLAGS_{target.replace('-', '_')}"] = " ".join(f"-ffile-prefix-map={pair}" for pair in pairs)
    packages = [word for _, crate, _, _ in package.PROGRAMS.values() for word in ("-p", crate)]
    subprocess.run(["cargo", "build", "--profile", "dist", "--locked", "--bins", "--target", target, *packages], cwd=package.ROOT, check=True, env=env)
    return target_dir / target / "dist"


def commit():
    """What is released, and when it was made. A release is made of a commit, not of a work tree."""
    if said("git", "status", "--porcelain"):
        sys.exit("error: the work tree has changes that are in no commit")
    return said("git", "log", "-1", "--format=%H %ct").split()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    host = package.host_target()
    parser.add_argument("--out", type=Path, required=True, help="the folder for the release; nothing else may be in it")
    parser.add_argument("--target", choices=sorted(package.TARGETS), default=STATIC.get(host, host), help="what is built [default: this machine, static on Linux]")
    parser.add_argument("--target-dir", type=Path, default=package.ROOT / "target", help="cargo's folder")
    parser.add_argument("--mcp-name", help="as for package.py")
    parser.add_argument("--level", type=int, default=9, help="as for package.py")
    parser.add_argument("--no-seal", action="store_true", help="leave that to seal.py, which vouches for what several machines made")
    seal.add_arguments(parser)
    args = parser.parse_args()
    begun = commit()
    if args.out.is_dir() and any(args.out.iterdir()):
        sys.exit(f"error: {args.out} is not empty, and all that is in it would be vouched for")
    binaries = build(args.target, args.target_dir.resolve(), begun[1])
    made = [file for program in package.PROGRAMS for file in package.packages(program, args.target, binaries, args.level, args.mcp_name)]
    made.append(source.archive(args.target_dir.resolve()))
    if args.target in image.ARCHITECTURES:
        made.append(image.archive(args.target, package.executables("client", args.target, binaries), int(begun[1]), args.level))
    if commit() != begun:
        sys.exit("error: another commit was checked out meanwhile")
    args.out.mkdir(parents=True, exist_ok=True)
    for name, content in made:
        (args.out / name).write_bytes(content)
        print(f"{len(content):>11,}  {name}")
    if not args.no_seal:
        seal.seal(args.out, args.key, args.url)


if __name__ == "__main__":
    main()
