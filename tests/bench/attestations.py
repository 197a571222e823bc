"""Attests changes of real histories with one build of the host, and has everybody else look at what was signed.

    python3 -m venv VENV && VENV/bin/pip install 'securesystemslib[crypto]' in-toto-attestation sigstore
    VENV/bin/python tests/bench/attestations.py --first HOST --second HOST --guards target/guests/components --count 200 REPOSITORY...

For each change a commit is made whose parent has the rules and the guards beside the files, as a repository that pins them has: so both builds
call the same bytes. The first build judges and signs it. Then securesystemslib verifies the envelope, in-toto-attestation and sigstore read the
statement, each byte of the file is changed once and verified again, and the second build executes the verdict.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import sigstore.errors
from cryptography.hazmat.primitives.serialization import load_ssh_public_key
from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey
from sigstore.dsse import Statement as SigstoreStatement

# Where the guards of this project are pinned, with what they need beside the change.
RULES = Path(__file__).parents[2] / "guards.toml"


def pins():
    """Id, grants: of the guards that neither need the network or a model, nor run code of the change, nor read commits."""
    entries = tomllib.loads(RULES.read_text())["guard"]
    pinned = ((entry["id"], entry.get("grants", [])) for entry in entries)
    return [(guard, grants) for guard, grants in pinned if set(grants) <= {"repo", "facts", "modules"}]


def git(repository, *arguments, text=None, env=None):
    environment = {**os.environ, **(env or {})}
    ran = subprocess.run(["git", "-C", repository, *arguments], input=text, capture_output=True, text=True, env=environment)
    if ran.returncode:
        sys.exit(f"git {' '.join(arguments)}: {ran.stderr}")
    return ran.stdout.strip()


def host(program, repository, *arguments):
    command = [program, "replay", "--format", "json", *arguments]
    ran = subprocess.run(command, cwd=repository, capture_output=True, text=True)
    try:
        return ran.returncode, json.loads(ran.stdout)
    except json.JSONDecodeError:
        return ran.returncode, {"said": ran.stdout + ran.stderr}


def pinned(components, repository, program):
    """The files of a repository that pins the guards, as `git update-index` takes them."""
    rules = "schema = 1\n"
    files = {}
    for guard, grants in pins():
        component = max((file for file in (components / guard).rglob("*") if file.is_file() and file.read_bytes()[:4] == b"\0asm"), key=lambda file: file.stat().st_mtime)
        files[f"tools/guards/{guard}.wasm"] = component
        rules += f'\n[[guard]]\nid = "{guard}"\nsource = "path:tools/guards/{guard}.wasm"\ngrants = {json.dumps(grants)}\n'
    with tempfile.TemporaryDirectory() as folder:
        git(folder, "init", "-q")
        Path(folder, "tools/guards").mkdir(parents=True)
        for path, component in files.items():
            Path(folder, path).write_bytes(component.read_bytes())
        Path(folder, "guards.toml").write_text(rules)
        ran = subprocess.run([program, "guard", "lock"], cwd=folder, capture_output=True, text=True, env={**os.environ, "HOME": folder})
        if ran.returncode:
            sys.exit(ran.stdout + ran.stderr)
        lines = []
        for path in [*files, "guards.toml", "guards.lock"]:
            blob = git(repository, "hash-object", "-w", str(Path(folder, path)))
            lines.append(f"100644 {blob}\t{path}")
    return "\n".join(lines) + "\n"


def with_rules(repository, revision, rules, parent):
    """A commit of the tree of `revision` with the rules beside it."""
    env = {"GIT_INDEX_FILE": str(Path(repository, "index-of-the-benchmark"))}
    git(repository, "read-tree", f"{revision}^{{tree}}", env=env)
    git(repository, "update-index", "--add", "--replace", "--index-info", text=rules, env=env)
    tree = git(repository, "write-tree", env=env)
    who = {key: "bench" for key in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL")}
    return git(repository, "commit-tree", tree, *(["-p", parent] if parent else []), text="a change\n", env=who)


def changes(repository, count):
    return git(repository, "log", "--no-merges", "--min-parents=1", f"-{count}", "--format=%H", "HEAD").split()


class Reader:
    """What the libraries say of a file."""

    def __init__(self, public):
        self.public = load_ssh_public_key(public.read_bytes())

    def signed(self, data):
        envelope = Envelope.from_dict(json.loads(data))
        keyid = next(iter(envelope.signatures))
        key = SSlibKey.from_crypto(self.public, keyid=keyid)
        if list(envelope.verify([key], 1)) != [keyid]:
            raise ValueError("another key")
        return envelope.payload

    def statement(self, data):
        payload = self.signed(data)
        statement = Statement.copy_from_pb(json_format.Parse(payload, statement_pb2.Statement()))
        statement.validate()
        return json.loads(payload)

    def sigstore(self, data):
        """None, or the first line of what sigstore has against the statement."""
        try:
            SigstoreStatement(self.signed(data))
        except sigstore.errors.Error as error:
            return str(error).splitlines()[0]

    def takes(self, data):
        try:
            self.signed(data)
            return True
        except Exception:
            return False


def part_of(data, at):
    """The member of the envelope in which a byte stands."""
    name = "form"
    for member in ("payloadType", "payload", "signatures", "keyid", "sig"):
        begin = data.find(f'"{member}":'.encode())
        if 0 <= begin <= at:
            name = member
    return name


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--first", required=True, type=Path)
    arguments.add_argument("--second", required=True, type=Path)
    arguments.add_argument("--guards", required=True, type=Path)
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--seconds", type=float, help="begin no other change after that time")
    arguments.add_argument("repository", nargs="+", type=Path)
    options = arguments.parse_args()
    first, second = options.first.resolve(), options.second.resolve()
    found = Counter()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder / "key"], check=True)
        public = (folder / "key.pub").read_text()
        allowed = folder / "allowed"
        allowed.write_text(f"bench@example.org {public}")
        reader = Reader(folder / "key.pub")
        each = -(-options.count // len(options.repository))
        todo = []
        for source in options.repository:
            repository = folder / source.parent.name
            subprocess.run(["git", "clone", "-q", "--bare", source, repository], check=True)
            rules = pinned(options.guards, repository, first)
            for change in changes(repository, each):
                base = with_rules(repository, f"{change}^", rules, None)
                todo.append((repository, with_rules(repository, change, rules, base)))
        todo = todo[: options.count]

        begun = time.monotonic()

        def one(job):
            repository, commit = job
            if options.seconds and time.monotonic() - begun > options.seconds:
                return "not tried: the time was over", None, None
            file = folder / f"{commit}.json"
            code, said = host(first, repository, commit, "--attest", folder / "key", "--attestation", file)
            if not said.get("attestation", {}).get("written"):
                return f"not written: exit code {code}: {json.dumps(said)[:300]}", None, None
            data = file.read_bytes()
            code, said = host(second, repository, commit, "--attestation", file, "--allowed-signers", allowed)
            attestation = said.get("attestation", {})
            same = code == 0 and attestation.get("same") is True and attestation["signature"]["outcome"] == "good"
            return "same" if same else f"differs: {json.dumps(attestation.get('differs'))}", data, commit

        bytes_changed = Counter()
        taken = []
        with ThreadPoolExecutor(options.threads) as pool:
            for (repository, _), (outcome, data, commit) in zip(todo, pool.map(one, todo)):
                found["second build: " + outcome] += 1
                if data is None:
                    continue
                statement = reader.statement(data)
                found["securesystemslib and in-toto-attestation: verified, " + statement["predicate"]["result"]] += 1
                found["sigstore: " + (reader.sigstore(data) or "takes the statement")] += 1
                for at in range(len(data)):
                    part = part_of(data, at)
                    bytes_changed[part] += 1
                    changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
                    if reader.takes(changed):
                        taken.append((repository, commit, part, changed))
        # What the signature does not cover is for the host to find: it compares the file. The first of each part in each repository is tried.
        tried = {}
        for repository, commit, part, changed in taken:
            tried.setdefault((repository, part, len([key for key in tried if key[:2] == (repository, part)]) % 8), (commit, changed))
        for (repository, part, _), (commit, changed) in tried.items():
            file = folder / "changed.json"
            file.write_bytes(changed)
            code, _ = host(second, repository, commit, "--attestation", file, "--allowed-signers", allowed)
            found[f"a byte of {part} that libraries take: the second build ends with {code}"] += 1
        for name, count in sorted(found.items()):
            print(f"{count:6} {name}")
        for part, count in sorted(bytes_changed.items()):
            print(f"{count:8} bytes of {part} changed, {sum(1 for entry in taken if entry[2] == part)} taken by securesystemslib")


if __name__ == "__main__":
    main()
