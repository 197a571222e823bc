#!/usr/bin/env python3
"""What a check costs in a fresh process, beside its peers: `git diff --cached --raw`, prek (from PyPI, with native hooks of its own) and
dprint (from npm, with WebAssembly plugins).

    cargo build --release && python3 tests/bench/cold.py [--host target/release/host] [--runs 41] [--only small,large,…]
        [--no-dprint] [--no-prek] [--component NAME=FILE …]

The commands of a table take turns, so that load and frequency of the processor hit all of them. For each: least and median time of the
whole process in ms, the median of its CPU time and of its page faults, and the ratio of its least time to that of the table's first row.

`--fresh` calls every guard. Without it a change that was judged before is not judged again, as in the hooks of one commit.

The program is measured as it is installed, as a copy: a linker writes its file in small pieces, which the system keeps in memory as such
and maps one by one. Before each table the programs are read whole, so that what ran before makes no difference.

`--component` measures a set of one guard, pinned by path, for each component file: the same guard in several languages, for example."""

import argparse, glob, json, os, pathlib, shutil, statistics, subprocess, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DPRINT = "0.57.4"
PLUGINS = ["@dprint/json", "@dprint/markdown", "@dprint/toml"]
PREK = "0.5.11"
HOOKS = """trailing-whitespace end-of-file-fixer check-added-large-files check-case-conflict check-json check-toml check-yaml
check-xml mixed-line-ending check-symlinks check-merge-conflict detect-private-key check-executables-have-shebangs fix-byte-order-marker""".split()
MANY = 53_000
TABLES = ["start", "small", "hook", "large", "many", "long", "pinned"]


class Command:
    def __init__(self, name, args, codes=(0,), before=None, env=None, stdin=os.devnull):
        self.name, self.args, self.codes, self.before, self.env, self.stdin = name, args, codes, before, env or {}, stdin
        self.times, self.cpu, self.faults = [], [], []

    def run(self, env):
        if self.before:
            self.before()
        null, stdin = os.open(os.devnull, os.O_WRONLY), os.open(self.stdin, os.O_RDONLY)
        actions = [(os.POSIX_SPAWN_DUP2, file, fd) for fd, file in enumerate([stdin, null, null])]
        begun = time.perf_counter()
        pid = os.posix_spawn(self.args[0], self.args, env | self.env, file_actions=actions)
        _, status, used = os.wait4(pid, 0)
        self.times.append((time.perf_counter() - begun) * 1e3)
        os.close(null)
        os.close(stdin)
        self.cpu.append((used.ru_utime + used.ru_stime) * 1e3)
        self.faults.append(used.ru_minflt + used.ru_majflt)
        if os.waitstatus_to_exitcode(status) not in self.codes:
            raise SystemExit(f"{self.args} ended with {os.waitstatus_to_exitcode(status)} in {os.getcwd()}")


def table(title, folder, commands, env, runs):
    """The first command is what the others are compared with."""
    os.chdir(folder)
    for program in {command.args[0] for command in commands}:
        pathlib.Path(program).read_bytes()
    for turn in range(runs + 2):
        for command in commands:
            command.run(env)
    print(f"\n### {title}\n\n| | least, ms | median, ms | CPU, ms | page faults | ratio |\n|---|---|---|---|---|---|", flush=True)
    for command in commands:
        # The first two turns warm the caches.
        times, cpu, faults = command.times[2:], command.cpu[2:], command.faults[2:]
        ratio = min(times) / min(commands[0].times[2:])
        print(
            f"| {command.name} | {min(times):.2f} | {statistics.median(times):.2f} | {statistics.median(cpu):.1f} | "
            f"{statistics.median(faults):.0f} | {ratio:.2f} |",
            flush=True,
        )


def call(args, cwd, env=None):
    ran = subprocess.run(args, cwd=cwd, env=env, capture_output=True)
    if ran.returncode != 0:
        raise SystemExit(f"{args} ended with {ran.returncode}: {ran.stdout.decode()} {ran.stderr.decode()}")
    return ran.stdout


def git(repo, *args):
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    call(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "gc.auto=0", *args], repo, env)


def document(tail):
    return "# A title\n\nSome words, and `code`.\n\n```sh\nrun it\n```\n\n" * 30 + tail + "\n"


def config(tail):
    return json.dumps({f"k{i}": [i, {"x": i}] for i in range(200)} | {"tail": tail}, indent=2) + "\n"


def few(tail, count=5):
    """Ten files, half of them documents."""
    for n in range(count):
        yield f"docs/d{n}.md", document(tail)
        yield f"conf/c{n}.json", config(tail)


def long(tail):
    yield "src/long.py", "def f(x):\n    return [y for y in x if y > 1]\n\n\n" * 41_000 + tail.replace("one", "x = 1").replace("two", "x = 2") + "\n"


def write(repo, files):
    for path, text in files:
        file = repo / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def repository(folder, files, more=0, beside=None):
    """`files` are staged with another last line. `beside` writes what is committed first."""
    folder.mkdir()
    git(folder, "init", "-q")
    write(folder, files("one"))
    write(folder, ((f"lib/{n // 100}/f{n}.txt", f"{n}\n") for n in range(more)))
    if beside:
        beside(folder)
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "base")
    git(folder, "gc", "-q")
    write(folder, files("two"))
    git(folder, "add", "--all")
    return folder


class Peers:
    def __init__(self, temp, options, env):
        self.git, self.dprint, self.prek, self.env = shutil.which("git"), None, None, env
        if not options.no_dprint:
            call(["npm", "install", "--silent", "--prefix", str(temp / "npm"), f"dprint@{DPRINT}", *PLUGINS], temp)
            found = glob.glob(str(temp / "npm/node_modules/@dprint/*/dprint"))
            self.dprint = found[0] if found else str(temp / "npm/node_modules/.bin/dprint")
            self.plugins = [str(temp / f"npm/node_modules/{plugin}/plugin.wasm") for plugin in PLUGINS]
        if not options.no_prek:
            call(["python3", "-m", "venv", str(temp / "venv")], temp)
            call([str(temp / "venv/bin/pip"), "install", "--quiet", f"prek=={PREK}"], temp)
            self.prek = str(temp / "venv/bin/prek")

    def beside(self, repo):
        hooks = "repos:\n  - repo: builtin\n    hooks:\n" + "".join(f"      - id: {hook}\n" for hook in HOOKS)
        (repo / ".pre-commit-config.yaml").write_text(hooks)
        if self.dprint:
            (repo / "dprint.json").write_text(json.dumps({"plugins": self.plugins}))

    def diff(self):
        return Command("`git diff --cached --raw`", [self.git, "diff", "--cached", "--raw"])

    def others(self, paths):
        if self.prek:
            yield Command(f"prek {PREK}, {len(HOOKS)} native hooks", [self.prek, "run"], (0, 1))
        if self.dprint and paths:
            # 20: a file that it would format otherwise.
            yield Command(f"dprint {DPRINT}, {len(PLUGINS)} plugins", [self.dprint, "check", *paths], (0, 20))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--host", default=str(ROOT / "target/release/host"))
    options.add_argument("--runs", type=int, default=41)
    options.add_argument("--only", default=",".join(TABLES))
    options.add_argument("--no-dprint", action="store_true")
    options.add_argument("--no-prek", action="store_true")
    options.add_argument("--component", action="append", default=[], metavar="NAME=FILE")
    options = options.parse_args()
    build, only = pathlib.Path(options.host).resolve(), options.only.split(",")
    components = [component.split("=", 1) for component in options.component]
    components = [(name, pathlib.Path(file).resolve()) for name, file in components]
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp)
        host = shutil.copy(build, temp)
        home = temp / "home"
        home.mkdir()
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "DPRINT_CACHE_DIR": str(temp / "dprint"), "GIT_CONFIG_GLOBAL": "/dev/null"}
        peers = Peers(temp, options, env)
        # Of its own, so that the other commands keep theirs.
        emptied = temp / "emptied"
        empty = lambda: shutil.rmtree(emptied, ignore_errors=True)
        check = [host, "check", "--staged", "--format", "json"]
        # What hooks pay for a change that was judged before, and what it costs to call every guard.
        fresh = [*check, "--fresh"]
        checked = lambda name="`host check --staged`, judged before": Command(name, check)
        called = lambda: Command("`host check --staged --fresh`", fresh)
        cold = Command("the same, empty cache", fresh, (0,), empty, {"XDG_CACHE_HOME": str(emptied)})

        def peer_table(name, title, files, more=0, dprint=True):
            if name in only:
                repo = repository(temp / name, files, more, peers.beside)
                paths = [path for path, _ in files("two")] if dprint else []
                first = [cold] if name == "small" else []
                table(title, repo, [peers.diff(), checked(), called(), *first, *peers.others(paths)], env, options.runs)

        plain = repository(temp / "plain", few)
        if "start" in only:
            programs = [Command("`git --version`", [peers.git, "--version"]), Command("`host --version`", [host, "--version"])]
            table("Start of a process", plain, programs, env, options.runs)
        peer_table("small", "Ten staged files", few)
        if "hook" in only:
            repo = repository(temp / "hooked", few)
            edit = {"file_path": str(repo / "docs/d0.md"), "old_string": "two\n", "new_string": "three\n"}
            event = {"hook_event_name": "PreToolUse", "cwd": str(repo), "tool_name": "Edit", "tool_input": edit}
            asked = temp / "event.json"
            asked.write_text(json.dumps(event))
            hook = [host, "hook", "claude", "PreToolUse"]
            commands = [
                Command("`host hook claude PreToolUse`, judged before", hook, stdin=asked),
                Command("`host hook claude PreToolUse --fresh`", [*hook, "--fresh"], stdin=asked),
            ]
            table("An edit that an agent is about to make", repo, [peers.diff(), *commands], env, options.runs)
        peer_table("large", f"Ten staged files of {MANY + 10:,}", few, MANY, dprint=False)
        peer_table("many", "200 staged files", lambda tail: few(tail, 100))
        peer_table("long", "One staged file of 2 MB (Python)", long, dprint=False)

        def pinned(name, pins, files=few):
            """Pins, as `(id, source, grants, component file)`, are locked and committed."""
            toml = ["schema = 1"]
            for id, source, grants, _ in pins:
                toml.append(f'[[guard]]\nid = "{id}"\nsource = "{source}"\ngrants = {json.dumps(grants)}')

            def beside(repo):
                for id, _, _, file in pins:
                    if file:
                        shutil.copy(file, repo / f"{id}.wasm")
                (repo / "guards.toml").write_text("\n".join(toml) + "\n")
                call([host, "guard", "lock"], repo, env)

            return repository(temp / name, files, 0, beside)

        def inspected(file):
            about = json.loads(call([host, "guard", "info", str(file), "--format", "json"], plain, env))
            about = about["guard"]
            return about["id"], [grant for grant in about.get("imports", []) if grant not in ("change", "log")]

        if "pinned" in only:
            rows = json.loads(call([host, "guard", "list", "--format", "json"], plain, env))["guards"]
            grants = lambda row: [name for name in row["imports"] if name not in ("change", "log")]
            built = max(glob.glob(str(build.parent / "build/guards-*/out")), key=os.path.getmtime)
            builtin = pinned("builtin", [(row["id"], "builtin", grants(row), None) for row in rows])
            by_path = [(row["id"], f"path:{row['id']}.wasm", grants(row), f"{built}/{row['id']}.wasm") for row in rows]
            size = sum(os.path.getsize(file) for _, _, _, file in by_path)
            repo = pinned("by-path", by_path)
            within = lambda folder: ["--repo", str(folder)]
            commands = [
                Command(f"the embedded set of {len(rows)} guards, locked", [*fresh, *within(builtin)]),
                Command(f"the same components pinned by path, {size / 1e6:.1f} MB", [*fresh, *within(repo)]),
            ]
            table("Pinned guards", plain, commands, env, options.runs)
        if components:
            commands = []
            for name, file in components:
                id, grants = inspected(file)
                repo = pinned(f"one-{name}", [(id, f"path:{id}.wasm", grants, file)])
                commands.append(Command(f"one guard, {name}, {file.stat().st_size / 1e6:.2f} MB", [*fresh, "--repo", str(repo)], (0, 1)))
            table("One guard, by language", plain, commands, env, options.runs)


if __name__ == "__main__":
    main()
