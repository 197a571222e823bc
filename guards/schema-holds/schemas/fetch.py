#!/usr/bin/env python3
"""Takes the schemas of others out of released packages, leaves out what only people read, and notes where each came from.

Run it in this folder, with pip and cargo at hand; then look at what changed, and at `bundle.json`, which changes what a
schema says where the tool itself says otherwise. A version or a digest that differs from `sources.json` is an update.
"""

import hashlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

HERE = pathlib.Path(__file__).parent
WHEELS = {
    "check-jsonschema==0.39.0": {
        "in": "check_jsonschema/builtin_schemas/vendor/",
        "take": {
            "github-workflows.json": "Apache-2.0",
            "github-actions.json": "Apache-2.0",
            "dependabot.json": "Apache-2.0",
            "compose-spec.json": "Apache-2.0",
        },
    },
    "validate-pyproject-schema-store==2026.10.23": {
        "in": "validate_pyproject_schema_store/resources/",
        "take": {
            f"{tool}.schema.json": "Apache-2.0"
            for tool in ["black", "cibuildwheel", "hatch", "mypy", "pdm", "poetry", "pyright", "pytest", "ruff",
                         "scikit-build", "setuptools", "setuptools_scm", "tox", "uv"]
        },
    },
}
CRATES = {"cargo-util-schemas=0.14.3": {"manifest.schema.json": ("cargo.json", "MIT OR Apache-2.0")}}


def main():
    vendor = HERE / "vendor"
    shutil.rmtree(vendor, ignore_errors=True)
    vendor.mkdir()
    sources = {}
    with tempfile.TemporaryDirectory() as folder:
        for package, wanted in WHEELS.items():
            subprocess.run(["pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder, package], check=True)
        for package, wanted in WHEELS.items():
            name, version = package.split("==")
            wheel = next(pathlib.Path(folder).glob(f"{name.replace('-', '_')}-{version}-*.whl"))
            archive = zipfile.ZipFile(wheel)
            for path, licence in wanted["take"].items():
                target = pathlib.PurePath(path).name.replace(".schema", "")
                content = archive.read(wanted["in"] + path)
                sources[target] = note(vendor / target, content, "PyPI", name, version, wanted["in"] + path, licence)
                sources[target]["package_sha256"] = hashlib.sha256(wheel.read_bytes()).hexdigest()
        for package, files in CRATES.items():
            name, version = package.split("=")
            crate = pathlib.Path(folder) / "taker"
            subprocess.run(["cargo", "new", "-q", "--lib", "--vcs", "none", str(crate)], check=True)
            subprocess.run(["cargo", "add", "-q", f"{name}@={version}"], cwd=crate, check=True)
            subprocess.run(["cargo", "vendor", "-q", "../crates"], cwd=crate, check=True, stdout=subprocess.DEVNULL)
            for path, (target, licence) in files.items():
                content = (pathlib.Path(folder) / "crates" / name / path).read_bytes()
                sources[target] = note(vendor / target, content, "Cargo", name, version, path, licence)
    text = json.dumps(dict(sorted(sources.items())), indent=2)
    (HERE / "sources.json").write_text(text + "\n")


def note(target, content, registry, package, version, path, licence):
    kept = (json.dumps(without_words(json.loads(content)), indent=1, ensure_ascii=False) + "\n").encode()
    target.write_bytes(kept)
    digest = lambda content: hashlib.sha256(content).hexdigest()
    source = {"registry": registry, "package": package, "version": version, "path": path, "licence": licence}
    return {**source, "taken_sha256": digest(content), "sha256": digest(kept)}


def without_words(schema):
    """Annotations decide nothing, and are most of the bytes. A property of that name has a schema, and no text, as its value."""
    if isinstance(schema, list):
        return [without_words(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    words = {"description", "markdownDescription", "title", "$comment"}
    told = lambda key, value: key in words and isinstance(value, str) or key == "examples" and isinstance(value, list)
    return {key: without_words(value) for key, value in schema.items() if not told(key, value)}


if __name__ == "__main__":
    main()
