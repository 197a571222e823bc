#!/usr/bin/env python3
"""What `host audit --no-builds` costs in a fresh process, on a large repository.

    cargo build --release && python3 tests/bench/audit.py [--host target/release/host] [--files 53000] [--runs 11]
        [--changed 20] [--repo DIR …] [--keep DIR]

Three rows for each repository: nothing is cached yet (`first`), `--changed` files were changed and committed since the last audit
(`changed`), and the same commit is audited again (`unchanged`). For each: least and median time of the whole process, the median of its
CPU time (user and system, which other work on the machine changes less), and bytes of the cache. Every audit of a row `changed` is
compared with one of the same commit without a cache: the scores have to be the same, or the script fails.

The first repository is made here, always the same: modules of Python, TypeScript, Go and Rust with tests, manifests, workflows and
documents, some 4 KB each, in one pack. `--repo` measures a clone of another one (its HEAD), beside it. Caches are in a folder of their own."""

import argparse, json, os, pathlib, random, shutil, statistics, subprocess, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = """account adapter batch buffer cache channel client cluster config count cursor decode device document driver encode entry error event
field filter frame group handle header index input item key label layer length limit line list loader lock member message method model
module name node object offset option order output owner packet page parent parser part path pattern payload point policy port prefix
profile project query queue range reader record region request result route rule sample schema scope section sensor server session
signal size source stage state status step store stream string switch symbol system table target task test text thread time token tree
type unit update user value vector version view window worker writer zone""".split()


def git(repo, *args, stdin=None):
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "gc.auto=0", *args]
    ran = subprocess.run(command, cwd=repo, env=env, input=stdin, capture_output=True)
    if ran.returncode != 0:
        raise SystemExit(f"{args} ended with {ran.returncode}: {ran.stderr.decode()}")
    return ran.stdout


class Text:
    """Words in the forms of a few languages."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def name(self):
        return "_".join(self.random.choices(WORDS, k=2))

    def sentence(self):
        return " ".join(self.random.choices(WORDS, k=self.random.randint(5, 14))).capitalize() + "."

    def size(self):
        """As in repositories: most files are small, a few are long."""
        return min(int(self.random.lognormvariate(7.9, 1.0)), 200_000)

    def code(self, function):
        parts, left = [], self.size()
        while left > 0:
            parts.append(function())
            left -= len(parts[-1])
        return "\n\n".join(parts) + "\n"

    def python(self):
        a, b, c = self.name(), self.name(), self.name()
        return f'def {a}({b}, {c}=None):\n    """{self.sentence()}"""\n    if {c} is None:\n        return [{b}]\n    return [each for each in {b} if each != {c}]\n'

    def typescript(self):
        a, b = self.name(), self.name()
        return f"/** {self.sentence()} */\nexport function {a}({b}: string[]): number {{\n  // {self.sentence()}\n  return {b}.filter((each) => each.length > {self.random.randint(1, 99)}).length;\n}}\n"

    def go(self):
        a, b = self.name(), self.name()
        return f"// {a.title().replace('_', '')} {self.sentence()}\nfunc {a.title().replace('_', '')}({b} []string) int {{\n\treturn len({b}) + {self.random.randint(1, 99)}\n}}\n"

    def rust(self):
        a, b = self.name(), self.name()
        return f"/// {self.sentence()}\npub fn {a}({b}: &[u32]) -> usize {{\n    {b}.iter().filter(|each| **each > {self.random.randint(1, 99)}).count()\n}}\n"

    def markdown(self):
        return f"## {self.sentence()}\n\n{' '.join(self.sentence() for _ in range(6))}\n\n```sh\nmake {self.name()}\n```\n"

    def yaml(self):
        return "".join(f"{self.name()}:\n  {self.name()}: {self.sentence()!r}\n" for _ in range(8))

    def json(self):
        return json.dumps({self.name(): self.sentence() for _ in range(20)}, indent=2)


def files(count):
    """Paths and contents, `count` of them in all, about."""
    text = Text(18)
    yield ".gitignore", "target\nnode_modules\n__pycache__\ndist\n*.log\n.env\n"
    yield "README.md", "# large\n\nIt is large.\n\n## Installation\n\n## Usage\n\n## License\n" + text.code(text.markdown)
    yield "LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"
    yield "pyproject.toml", '[project]\nname = "large"\nrequires-python = ">=3.10"\n[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n'
    for name in ["ci", "lint", "release", "docs"]:
        yield f".github/workflows/{name}.yml", f"on: [push]\njobs:\n  {name}:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ruff check . && pytest --cov\n" + text.yaml()
    made = 8
    module = 0
    while made < count:
        home = f"{text.random.choice(WORDS)}/{text.random.choice(WORDS)}_{module}"
        module += 1
        kind = module % 10
        # Each module has some twelve files in four folders.
        if kind < 5:
            own = [(f"{home}/{text.name()}_{n}.py", text.python) for n in range(7)]
            own += [(f"{home}/__init__.py", None), (f"tests/{home}/__init__.py", None), (f"{home}/manifest.json", text.json)]
            own += [(f"tests/{home}/test_{text.name()}_{n}.py", text.python) for n in range(4)]
            own += [(f"{home}/services.yaml", text.yaml), (f"{home}/translations/en.json", text.json)]
        elif kind < 8:
            own = [(f"web/{home}/src/{text.name()}_{n}.ts", text.typescript) for n in range(8)]
            own += [(f"web/{home}/src/{text.name()}_{n}.test.ts", text.typescript) for n in range(3)]
            own += [(f"web/{home}/styles/main.css", None), (f"web/{home}/tsconfig.json", text.json)]
            yield f"web/{home}/package.json", json.dumps({"name": f"m{module}", "main": "src/index.ts", "devDependencies": {"vitest": "1", "eslint": "9"}}, indent=2)
            made += 1
        elif kind == 8:
            own = [(f"go/{home}/{text.name()}_{n}.go", text.go) for n in range(6)] + [(f"go/{home}/{text.name()}_{n}_test.go", text.go) for n in range(3)]
        else:
            own = [(f"crates/{home}/src/{text.name()}_{n}.rs", text.rust) for n in range(6)] + [(f"crates/{home}/src/lib.rs", text.rust)]
            yield f"crates/{home}/Cargo.toml", f'[package]\nname = "m{module}"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nserde = "1"\n'
            made += 1
        own.append((f"docs/{home}.md", text.markdown))
        for path, function in own:
            yield path, text.code(function) if function else ""
        made += len(own)


def large(folder, count):
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    stream = [b"commit refs/heads/main\ncommitter t <t@example.org> 1700000000 +0000\ndata 4\nbase\n"]
    for path, content in dict(files(count)).items():
        data = content.encode()
        stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    git(folder, "fast-import", "--quiet", stdin=b"".join(stream) + b"done\n")
    git(folder, "symbolic-ref", "HEAD", "refs/heads/main")
    git(folder, "repack", "-adfq")
    return folder


def change(repo, count, turn):
    """Commits another last line for some files of HEAD, spread over the tree, without a work tree. They become loose objects, as commits do."""
    listed = [line for line in git(repo, "ls-tree", "-rz", "HEAD").split(b"\0") if b" blob " in line and line.startswith(b"100644")]
    chosen = random.Random(turn).sample(listed, min(count, len(listed)))
    edits = []
    for line in chosen:
        about, path = line.split(b"\t", 1)
        content = git(repo, "cat-file", "blob", about.split()[2].decode())
        oid = git(repo, "hash-object", "-w", "--stdin", stdin=content + b"# %d\n" % turn).strip()
        edits.append(b"100644 %s\t%s\n" % (oid, path))
    git(repo, "read-tree", "HEAD")
    git(repo, "update-index", "--index-info", stdin=b"".join(edits))
    tree = git(repo, "write-tree").strip().decode()
    commit = git(repo, "commit-tree", tree, "-p", "HEAD", "-m", f"change {turn}").strip().decode()
    git(repo, "update-ref", "HEAD", commit)


class Row:
    def __init__(self, name):
        self.name, self.times, self.cpu, self.kept = name, [], [], 0

    def print(self):
        print(f"| {self.name} | {min(self.times):.0f} | {statistics.median(self.times):.0f} | {statistics.median(self.cpu):.0f} | {self.kept / 1e6:.1f} |", flush=True)


def audit(host, repo, cache, row=None):
    """The report, without what every run has anew."""
    out = cache.parent / "report.json"
    env = {"PATH": os.environ["PATH"], "HOME": str(cache.parent), "XDG_CACHE_HOME": str(cache), "GIT_CONFIG_GLOBAL": "/dev/null"}
    fd = os.open(out, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, fd, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    begun = time.perf_counter()
    pid = os.posix_spawn(host, [host, "audit", "--no-builds", "--format", "json", "--repo", str(repo)], env, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    took = (time.perf_counter() - begun) * 1e3
    os.close(fd), os.close(null)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"the audit of {repo} ended with {os.waitstatus_to_exitcode(status)}")
    if row:
        row.times.append(took)
        row.cpu.append((used.ru_utime + used.ru_stime) * 1e3)
        row.kept = sum(file.stat().st_size for file in cache.rglob("*") if file.is_file())
    report = json.loads(out.read_text())
    return {key: report[key] for key in ("tree", "overall", "metrics")}


def measured(host, name, repo, temp, options):
    first, changed, same = Row("first"), Row(f"{options.changed} files changed"), Row("unchanged")
    cache, empty = temp / "kept" / "cache", temp / "emptied" / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    # What every process keeps (compiled guards of others, keys) is there; the measurements are not.
    audit(host, repo, cache)
    for turn in range(options.runs):
        shutil.rmtree(empty, ignore_errors=True)
        empty.mkdir(parents=True)
        audit(host, repo, empty, first)
        change(repo, options.changed, turn)
        with_cache = audit(host, repo, cache, changed)
        audit(host, repo, cache, same)
        if turn < 3:
            shutil.rmtree(empty)
            empty.mkdir()
            if audit(host, repo, empty) != with_cache:
                raise SystemExit(f"{name}: an audit with a cache came to other scores than one without")
    count = len(git(repo, "ls-tree", "-r", "HEAD").splitlines())
    print(f"\n### {name}, {count:,} files\n\n| | least, ms | median, ms | CPU, ms | cache, MB |\n|---|---|---|---|---|", flush=True)
    for row in (first, changed, same):
        row.print()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--host", default=str(ROOT / "target/release/host"))
    options.add_argument("--files", type=int, default=53_000)
    options.add_argument("--runs", type=int, default=11)
    options.add_argument("--changed", type=int, default=20)
    options.add_argument("--repo", action="append", default=[], metavar="DIR")
    options.add_argument("--keep", metavar="DIR", help="keeps the repository that is made, for the next time")
    options = options.parse_args()
    host = str(pathlib.Path(options.host).resolve())
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp)
        if options.files:
            kept = pathlib.Path(options.keep or temp) / f"large-{options.files}"
            if not kept.exists():
                large(kept, options.files)
            git(temp, "clone", "-q", "--bare", str(kept), str(temp / "large"))
            measured(host, "made", temp / "large", temp, options)
        for repo in options.repo:
            name = pathlib.Path(repo).resolve().name
            git(temp, "clone", "-q", "--bare", str(pathlib.Path(repo).resolve()), str(temp / name))
            measured(host, name, temp / name, temp, options)


if __name__ == "__main__":
    main()
