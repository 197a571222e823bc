#!/usr/bin/env python3
"""Makes every package of a release from one build: a wheel, npm tarballs, an archive, an SBOM and checksums.

    cargo build --profile dist --locked --bins
    python3 host/packaging/package.py --binaries target/dist --out target/packages
    cargo build --profile dist --locked -p guardhost-server
    python3 host/packaging/package.py --program server --binaries target/dist --out target/packages

The server is a wheel and an archive: `host serve` finds it where a wheel puts programs, beside its own.

Only the standard library is used. Times, owners and the order of entries are fixed, so the same binaries give the same bytes. Wheel,
tarballs and archive hold the same binary: a build tool of one ecosystem, such as maturin, would compile it once more for each.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Of each target: architecture in tags of wheels, and os and cpu of npm. A release has the static programs of Linux, which run beside either
# C library; those that need glibc are for whoever packages a build of their own.
TARGETS = {
    "x86_64-unknown-linux-gnu": ("linux_x86_64", "linux", "x64"),
    "aarch64-unknown-linux-gnu": ("linux_aarch64", "linux", "arm64"),
    "x86_64-unknown-linux-musl": ("musl_x86_64", "linux", "x64"),
    "aarch64-unknown-linux-musl": ("musl_aarch64", "linux", "arm64"),
    "x86_64-apple-darwin": ("macosx_11_0_x86_64", "darwin", "x64"),
    "aarch64-apple-darwin": ("macosx_11_0_arm64", "darwin", "arm64"),
    "x86_64-pc-windows-msvc": ("win_amd64", "win32", "x64"),
}


# Of each program: the name of its packages, the crate whose dependencies are linked, its executables, and what it is.
PROGRAMS = {
    "client": ("guardhost", "host", ("host", "guardhost"), "Checks changes that language models write before they reach a git repository"),
    "server": ("guardhost-server", "guardhost-server", ("guardhost-server",), "The server of Guardhost: the observer that runs share, and judging on many machines"),
}


def glibc(binary):
    """The newest version of glibc that the program needs, from the names of its symbols; None if it needs none."""
    versions = [(int(major), int(minor)) for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", binary)]
    return max(versions, default=None)


def platform_tags(target, binary):
    """A tag says the truth about what the program needs, and pip believes it."""
    arch = TARGETS[target][0]
    kind, _, machine = arch.partition("_")
    if kind == "linux":
        needed = glibc(binary)
        if needed is None:
            sys.exit(f"error: {target}: the program names no version of glibc; is it built for another target?")
        return [f"manylinux_{needed[0]}_{needed[1]}_{machine}"]
    if kind == "musl":
        if glibc(binary) is not None:
            sys.exit(f"error: {target}: the program needs glibc")
        # A static program runs beside either library.
        return [f"manylinux_2_17_{machine}", f"musllinux_1_1_{machine}"]
    return [arch]


def server_json(name, version):
    """The entry of the MCP registry: both packages start the same server."""
    summary = PROGRAMS["client"][3]
    packages = [
        {
            "registryType": kind,
            "identifier": PROGRAMS["client"][0],
            "version": version,
            "runtimeHint": runner,
            "transport": {"type": "stdio"},
            "packageArguments": [{"type": "positional", "value": "mcp"}],
        }
        for kind, runner in (("pypi", "uvx"), ("npm", "npx"))
    ]
    entry = {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": name,
        "title": "Guardhost",
        "description": summary,
        "version": version,
        "packages": packages,
    }
    return (json.dumps(entry, indent=2) + "\n").encode()


def wheel(package, version, target, programs, sbom, level, mcp_name):
    name, _, _, summary = PROGRAMS[package]
    underscored = name.replace("-", "_")
    tags = platform_tags(target, programs[0][1])
    info = f"{underscored}-{version}.dist-info"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    # By this the MCP registry knows whose the package is.
    marker = f"\n<!-- mcp-name: {mcp_name} -->\n" if mcp_name and package == "client" else ""
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: {name}",
        f"Version: {version}",
        f"Summary: {summary}",
        "License-Expression: MIT OR Apache-2.0",
        "License-File: LICENSE-APACHE",
        "License-File: LICENSE-MIT",
        "Requires-Python: >=3.8",
        "Description-Content-Type: text/markdown",
    ]
    lines = ["Wheel-Version: 1.0", "Generator: guardhost packaging", "Root-Is-Purelib: false"]
    files = [(f"{underscored}-{version}.data/scripts/{program}", content, 0o755) for program, content in programs]
    # Python code finds the client; the server is found by the client.
    for path in sorted((HERE / "python").glob("*.py")) if package == "client" else []:
        files.append((f"guardhost/{path.name}", path.read_bytes(), 0o644))
    files += [
        (f"{info}/METADATA", ("\n".join(metadata) + "\n\n" + readme + marker).encode(), 0o644),
        (f"{info}/WHEEL", ("\n".join(lines + [f"Tag: py3-none-{tag}" for tag in tags]) + "\n").encode(), 0o644),
        (f"{info}/sboms/{name}.cdx.json", sbom, 0o644),
    ]
    files += [(f"{info}/licenses/{licence}", (ROOT / licence).read_bytes(), 0o644) for licence in ("LICENSE-APACHE", "LICENSE-MIT")]
    record = ""
    for path, content, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode(), 0o644))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content, mode in files:
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=level)
    return f"{underscored}-{version}-py3-none-{'.'.join(tags)}.whl", out.getvalue()


def tar(files):
    """A folder has no content."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content, mode in files:
            entry = tarfile.TarInfo(name)
            entry.mode = mode
            if content is None:
                entry.type = tarfile.DIRTYPE
            else:
                entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content or b""))
    return out.getvalue()


def tarball(files, level):
    return gzip.compress(tar(files), level, mtime=0)


def npm(version, target, programs, level, mcp_name):
    """The package for this platform, and the one that finds it."""
    _, system, cpu = TARGETS[target]
    name = f"cli-{system}-{cpu}"
    common = {"version": version, "license": "MIT OR Apache-2.0"}
    own = {"name": f"@guardhost/{name}", **common, "description": f"Guardhost for {system} on {cpu}", "os": [system], "cpu": [cpu], "files": ["bin"]}
    platforms = sorted({f"cli-{system}-{cpu}" for _, system, cpu in TARGETS.values()})
    shim = {
        "name": "guardhost",
        **common,
        "description": "Checks changes that language models write before they reach a git repository",
        "bin": {"guardhost": "host.js", "host": "host.js"},
        "engines": {"node": ">=18"},
        "files": ["host.js"],
        "optionalDependencies": {f"@guardhost/{platform}": version for platform in platforms},
    }
    if mcp_name:
        shim["mcpName"] = mcp_name
    licences = [(f"package/{name}", (ROOT / name).read_bytes(), 0o644) for name in ("LICENSE-APACHE", "LICENSE-MIT")]
    as_json = lambda value: (json.dumps(value, indent=2) + "\n").encode()
    binaries = [(f"package/bin/{name}", content, 0o755) for name, content in programs]
    readme = [("package/README.md", (ROOT / "README.md").read_bytes(), 0o644)]
    script = [("package/host.js", (HERE / "npm/host.js").read_bytes(), 0o755)]
    return [
        (f"guardhost-{name}-{version}.tgz", tarball([("package/package.json", as_json(own), 0o644), *binaries, *licences], level)),
        (f"guardhost-{version}.tgz", tarball([("package/package.json", as_json(shim), 0o644), *script, *readme, *licences], level)),
    ]


def sbom(package, version, target):
    """CycloneDX: every crate that is linked into the program, or into a guard that it embeds."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform"]
    # Guards are built for another target than the program.
    linked = set()
    for platform, is_root in [
        (target, lambda crate: crate["name"] == PROGRAMS[package][1]),
        ("wasm32-unknown-unknown", lambda crate: "/guards/" in crate["manifest_path"].replace("\\", "/")),
    ]:
        metadata = json.loads(subprocess.run([*command, platform], cwd=ROOT, check=True, capture_output=True).stdout)
        packages = {package["id"]: package for package in metadata["packages"]}
        nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
        is_member = set(metadata["workspace_members"])
        todo = [id for id in is_member if is_root(packages[id])]
        seen = set()
        while todo:
            id = todo.pop()
            if id in seen:
                continue
            seen.add(id)
            for dep in nodes[id]["deps"]:
                if any(kind["kind"] is None for kind in dep["dep_kinds"]):
                    todo.append(dep["pkg"])
        for id in seen - is_member:
            crate = packages[id]
            linked.add((crate["name"], crate["version"], crate["license"] or ""))
    components = []
    for name, crate, licence in sorted(linked):
        purl = f"pkg:cargo/{name}@{crate}"
        component = {"type": "library", "bom-ref": purl, "name": name, "version": crate, "purl": purl}
        if licence:
            # Cargo allows `MIT/Apache-2.0`, which is no SPDX expression.
            component["licenses"] = [{"expression": licence.replace("/", " OR ")}]
        components.append(component)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": PROGRAMS[package][0], "name": PROGRAMS[package][0], "version": version}},
        "components": components,
    }
    return (json.dumps(document, indent=1) + "\n").encode()


def host_target():
    said = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return re.search(r"^host: (.+)$", said, re.MULTILINE)[1]


def version():
    return tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]


def executables(program, target, binaries):
    """Name and content of each program that a package has."""
    suffix = ".exe" if "windows" in target else ""
    return [(name + suffix, (binaries / (name + suffix)).read_bytes()) for name in PROGRAMS[program][2]]


def packages(program, target, binaries, level, mcp_name=None):
    """Name and content of each package of a program, checksums last."""
    name, made = PROGRAMS[program][0], version()
    programs = executables(program, target, binaries)
    bom = sbom(program, made, target)
    folder = f"{name}-{made}-{target}"
    loose = [(name, (ROOT / name).read_bytes(), 0o644) for name in ("LICENSE-APACHE", "LICENSE-MIT", "README.md")]
    archive = tarball([(f"{folder}/{name}", content, mode) for name, content, mode in [(n, c, 0o755) for n, c in programs] + loose], level)
    of_npm = npm(made, target, programs, level, mcp_name) if program == "client" else []
    files = [wheel(program, made, target, programs, bom, level, mcp_name), *of_npm, (f"{folder}.tar.gz", archive), (f"{folder}.cdx.json", bom)]
    if mcp_name and program == "client":
        files.append(("server.json", server_json(mcp_name, made)))
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files)
    return [*files, (f"{folder}.sha256", sums.encode())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=Path, required=True, help="the folder with what was built")
    parser.add_argument("--program", choices=sorted(PROGRAMS), default="client", help="what is packaged")
    parser.add_argument("--target", choices=sorted(TARGETS), help="what they were built for [default: this machine]")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the packages")
    parser.add_argument("--mcp-name", help="write server.json, the entry of the MCP registry, under this name: io.github.OWNER/guardhost")
    parser.add_argument("--level", type=int, default=9, help="of the compression, 1 to 9")
    args = parser.parse_args()
    target = args.target or host_target()
    if target not in TARGETS:
        sys.exit(f"error: there are no packages for {target}")
    args.out.mkdir(parents=True, exist_ok=True)
    for name, content in packages(args.program, target, args.binaries, args.level, args.mcp_name):
        (args.out / name).write_bytes(content)
        print(f"{len(content):>11,}  {name}")


if __name__ == "__main__":
    main()
