#!/usr/bin/env python3
"""Makes what vouches for the files of a release: checksums, provenance, a signature; and the formula of Homebrew, which has checksums in it.

    python3 host/packaging/seal.py --out packages --key FILE --url https://…/v0.1.0

`release.py` does so for what one machine made; where several made packages, this is the last step.
"""

import argparse
import hashlib
import json
import platform
import subprocess
import sys
import zlib
from pathlib import Path

import package

SUMS = "SHA256SUMS"
PROVENANCE = "provenance.intoto.json"
# What `ssh-keygen -Y verify` is told that the signature is for.
NAMESPACE = "file"
# Of each target: the blocks of a formula that its archive stands in.
BREW = {
    "aarch64-apple-darwin": ("on_macos", "on_arm"),
    "x86_64-apple-darwin": ("on_macos", "on_intel"),
    "aarch64-unknown-linux-musl": ("on_linux", "on_arm"),
    "x86_64-unknown-linux-musl": ("on_linux", "on_intel"),
}


def said(*words):
    return subprocess.run(words, cwd=package.ROOT, check=True, capture_output=True, text=True).stdout


def formula(version, url, sums):
    """A formula that unpacks the archives of the client which are there."""
    name, _, programs, summary = package.PROGRAMS["client"]
    blocks = ""
    for target, (system, processor) in BREW.items():
        archive = f"{name}-{version}-{target}.tar.gz"
        if archive in sums:
            inside = f'      url "{url}/{archive}"\n      sha256 "{sums[archive]}"\n'
            blocks += f"  {system} do\n    {processor} do\n{inside}    end\n  end\n\n"
    if not blocks:
        sys.exit("error: no archive of a system that Homebrew knows")
    installed = ", ".join(f'"{program}"' for program in programs)
    return f"""class Guardhost < Formula
  desc "{summary}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]

{blocks}  def install
    bin.install {installed}
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/guardhost --version")
  end
end
"""


def provenance(sums):
    """A statement of in-toto with a predicate of SLSA: of what, and with which tools, the files were made. No time, so that it is the same again."""
    rust = dict(line.split(": ", 1) for line in said("rustc", "-vV").splitlines() if ": " in line)
    lock = hashlib.sha256((package.ROOT / "Cargo.lock").read_bytes()).hexdigest()
    commit = said("git", "rev-parse", "HEAD").strip()
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in sums.items()],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:guardhost:packaging/release.py",
                "externalParameters": {"version": package.version(), "profile": "dist"},
                "internalParameters": {
                    "rustc": f"{rust['release']} ({rust['commit-hash']})",
                    "python": platform.python_version(),
                    "zlib": zlib.ZLIB_RUNTIME_VERSION,
                },
                "resolvedDependencies": [
                    {"uri": "urn:guardhost:source", "digest": {"gitCommit": commit}},
                    {"name": "Cargo.lock", "digest": {"sha256": lock}},
                ],
            },
            "runDetails": {"builder": {"id": "urn:guardhost:local-build"}},
        },
    }
    return json.dumps(statement, indent=1) + "\n"


def seal(out, key, url):
    # Of packages, each with the sums of its own: one list takes their place. What several machines made alike is there once.
    for path in out.glob("*.sha256"):
        path.unlink()
    ours = (SUMS, f"{SUMS}.sig", PROVENANCE, "guardhost.rb")
    digest = lambda path: hashlib.sha256(path.read_bytes()).hexdigest()
    sums = {path.name: digest(path) for path in sorted(out.iterdir()) if path.name not in ours}
    if url:
        (out / "guardhost.rb").write_text(formula(package.version(), url.rstrip("/"), sums), encoding="utf-8")
        sums["guardhost.rb"] = digest(out / "guardhost.rb")
    (out / PROVENANCE).write_text(provenance(sums), encoding="utf-8")
    sums[PROVENANCE] = digest(out / PROVENANCE)
    (out / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())), encoding="utf-8")
    (out / f"{SUMS}.sig").unlink(missing_ok=True)
    if key:
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(out / SUMS)], check=True)
    print(f"{len(sums)} files in {out / SUMS}" + ("" if key else ", which nobody signed") + ("" if url else "; no formula, for want of --url"))


def add_arguments(parser):
    parser.add_argument("--key", type=Path, help="sign with this key of ssh-keygen (Ed25519)")
    parser.add_argument("--url", help="where the archives will be: writes a formula of Homebrew")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the folder of the release")
    add_arguments(parser)
    args = parser.parse_args()
    seal(args.out, args.key, args.url)


if __name__ == "__main__":
    main()
