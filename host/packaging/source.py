#!/usr/bin/env python3
"""Makes the source archive of a release, with the guards in it as WebAssembly modules.

    cargo build --release --locked
    python3 host/packaging/source.py --target-dir target --out target/packages

`cargo install --path guardhost-VERSION` then needs no WebAssembly target. The modules are those that the build made; its build script
compares them with the sources beside them.
"""

import argparse
import gzip
import io
import subprocess
import sys
import tarfile
from pathlib import Path

import package


def modules(folder):
    """The modules of the guards and of what reads languages, as guards/modules/build.rs names them, and the list of their sources."""
    names = sorted(path.parent.parent.name for path in package.ROOT.glob("guards/*/src/lib.rs")) + ["language-grammars", "language-parsers"]
    files = [f"{name.replace('-', '_')}.wasm" for name in names] + ["SOURCES"]
    missing = [name for name in files if not (folder / name).is_file()]
    if missing:
        sys.exit(f"error: {folder} lacks {', '.join(missing)}: run cargo build first")
    return {name: (folder / name).read_bytes() for name in files}


def archive(target_dir):
    """Name and content. `target_dir`: the target folder of a build of these sources."""
    prefix = f"guardhost-{package.version()}"
    committed = subprocess.run(["git", "-c", "tar.umask=0022", "archive", "--format=tar", f"--prefix={prefix}/", "HEAD"], cwd=package.ROOT, check=True, capture_output=True)
    out = io.BytesIO(committed.stdout)
    with tarfile.open(fileobj=out, mode="a") as tar:
        for name, content in modules(target_dir / "guests/wasm32-unknown-unknown/guest").items():
            entry = tarfile.TarInfo(f"{prefix}/guards/modules/prebuilt/{name}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return f"{prefix}-source.tar.gz", gzip.compress(out.getvalue(), 6, mtime=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target-dir", type=Path, default=package.ROOT / "target", help="the target folder of a build of these sources")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the archive")
    args = parser.parse_args()
    name, content = archive(args.target_dir)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / name).write_bytes(content)
    print(f"{len(content):>11,}  {name}")


if __name__ == "__main__":
    main()
