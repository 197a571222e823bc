"""An image of the client, as an archive of the OCI image format: the static program on nothing, made without a daemon."""

import gzip
import hashlib
import json
from datetime import datetime, timezone

import package

LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
# Of the static programs.
ARCHITECTURES = {"x86_64-unknown-linux-musl": "amd64", "aarch64-unknown-linux-musl": "arm64"}


def archive(target, programs, created, level):
    """Name and content. `created`: seconds, those of the commit."""
    name, _, executables, summary = package.PROGRAMS["client"]
    version = package.version()
    licences = [(f"usr/share/doc/{name}/{file}", (package.ROOT / file).read_bytes(), 0o644) for file in ("LICENSE-APACHE", "LICENSE-MIT")]
    files = [(f"usr/bin/{program}", content, 0o755) for program, content in programs] + licences
    # Where the program keeps what it makes; an image that is built on nothing has no such folder.
    layer = package.tarball([("tmp/", None, 0o1777), *files], level)
    when = datetime.fromtimestamp(created, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    platform = {"architecture": ARCHITECTURES[target], "os": "linux"}
    blobs = {}

    def blob(kind, content):
        digest = hashlib.sha256(content).hexdigest()
        blobs[digest] = content
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}

    as_json = lambda value: json.dumps(value, indent=1).encode()
    config = {
        "created": when,
        **platform,
        "config": {
            "Entrypoint": [f"/usr/bin/{executables[0]}"],
            "Env": ["PATH=/usr/bin", "HOME=/tmp"],
            "WorkingDir": "/work",
            "Labels": {
                "org.opencontainers.image.title": name,
                "org.opencontainers.image.description": summary,
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(gzip.decompress(layer)).hexdigest()}"]},
        "history": [{"created": when, "created_by": "host/packaging/image.py"}],
    }
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": blob(CONFIG, as_json(config)), "layers": [blob(LAYER, layer)]}
    entry = {**blob(MANIFEST, as_json(manifest)), "platform": platform, "annotations": {"org.opencontainers.image.ref.name": version}}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    layout = [("oci-layout", b'{"imageLayoutVersion": "1.0.0"}', 0o644), ("index.json", as_json(index), 0o644)]
    layout += [(f"blobs/sha256/{digest}", content, 0o644) for digest, content in sorted(blobs.items())]
    return f"{name}-{version}-{target}-oci.tar", package.tar(layout)
