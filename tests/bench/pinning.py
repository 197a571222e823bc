#!/usr/bin/env python3
"""What a check costs by where the guards come from and how large the repository is: whole processes, medians, beside dprint (an npm
package with Wasm plugins) and prek (a PyPI package with native hooks of its own).

    cargo build && python3 tests/bench/pinning.py [--host target/debug/host] [--runs 21] [--no-dprint] [--no-prek]

Ten files are staged, half of them documents. The pinned set is the embedded guards' own components, pulled out of the build and
pinned by path, so that the two sets do the same work."""

import argparse, glob, json, os, pathlib, shutil, statistics, subprocess, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DPRINT = "0.57.4"
PLUGINS = ["@dprint/json", "@dprint/markdown", "@dprint/toml"]
PREK = "0.5.11"
HOOKS = """trailing-whitespace end-of-file-fixer check-added-large-files check-case-conflict check-json check-toml check-yaml
check-xml mixed-line-ending check-symlinks check-merge-conflict detect-private-key check-executables-have-shebangs fix-byte-order-marker""".split()
MANY = 53_000


def run(args, cwd, env, codes=(0,)):
    begun = time.perf_counter()
    ran = subprocess.run(args, cwd=cwd, env=env, capture_output=True)
    took = (time.perf_counter() - begun) * 1e3
    if ran.returncode not in codes:
        raise SystemExit(f"{args} ended with {ran.returncode}: {ran.stdout.decode()} {ran.stderr.decode()}")
    return took, ran.stdout


def git(repo, *args):
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "gc.auto=0", *args], repo, env)


def files(tail):
    for n in range(5):
        yield f"docs/d{n}.md", "# A title\n\nSome words, and `code`.\n\n```sh\nrun it\n```\n\n" * 30 + tail + "\n"
        yield f"conf/c{n}.json", json.dumps({f"k{i}": [i, {"x": i}] for i in range(200)} | {"tail": tail}, indent=2) + "\n"


def write(repo, tail):
    for path, text in files(tail):
        file = repo / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def repository(folder, more=0):
    folder.mkdir()
    git(folder, "init", "-q")
    write(folder, "one")
    for n in range(more):
        file = folder / f"lib/{n // 100}/f{n}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{n}\n")
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "base")
    return folder


def show(name, times):
    print(f"{name:<58} {statistics.median(times):8.1f} ms  (least {min(times):.1f}, of {len(times)})", flush=True)


def measure(name, args, repo, home, runs, first=None, cold_runs=5):
    """`first` empties what a first run must not find."""
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "DPRINT_CACHE_DIR": str(home / "dprint")}
    if first:
        cold = []
        for _ in range(cold_runs):
            first()
            cold.append(run(args, repo, env)[0])
        show(f"{name}, first run", cold)
    show(f"{name}, warm", [run(args, repo, env)[0] for _ in range(runs)])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--host", default=str(ROOT / "target/debug/host"))
    options.add_argument("--runs", type=int, default=21)
    options.add_argument("--no-dprint", action="store_true")
    options.add_argument("--no-prek", action="store_true")
    options = options.parse_args()
    host = str(pathlib.Path(options.host).resolve())
    with tempfile.TemporaryDirectory() as temp:
        temp = pathlib.Path(temp)
        home = temp / "home"
        home.mkdir()
        empty = lambda: shutil.rmtree(home / ".cache", ignore_errors=True)
        check = [host, "check", "--staged", "--format", "json"]
        env = {"PATH": os.environ["PATH"], "HOME": str(home)}

        plain = repository(temp / "plain")
        write(plain, "two")
        git(plain, "add", "--all")
        show("host --version (a process that does nothing)", [run([host, "--version"], plain, env)[0] for _ in range(options.runs)])
        measure("the embedded set", check, plain, home, options.runs, empty)
        rows = json.loads(run([host, "guard", "list", "--format", "json"], plain, env)[1])["guards"]

        def judged_by(name, toml, more):
            repo = repository(temp / name)
            more(repo)
            (repo / "guards.toml").write_text(toml)
            run([host, "guard", "lock"], repo, env)
            git(repo, "add", "--all")
            git(repo, "commit", "-qm", "rules")
            write(repo, "two")
            git(repo, "add", "--all")
            return repo

        def pins(source):
            lines = ["schema = 1"]
            for row in rows:
                grants = [name for name in row["imports"] if name not in ("change", "log")]
                lines.append(f'[[guard]]\nid = "{row["id"]}"\nsource = "{source(row["id"])}"\ngrants = {json.dumps(grants)}')
            return "\n".join(lines) + "\n"

        measure(f"the embedded set, locked ({len(rows)} guards)", check, judged_by("locked", pins(lambda _: "builtin"), lambda _: None), home, options.runs, empty)
        built = max(glob.glob(str(pathlib.Path(host).parent / "build/guards-*/out")), key=os.path.getmtime)
        copy = lambda repo: [shutil.copy(f"{built}/{row['id']}.wasm", repo) for row in rows]
        pinned = judged_by("pinned", pins(lambda id: f"path:{id}.wasm"), copy)
        size = sum((pinned / f"{row['id']}.wasm").stat().st_size for row in rows)
        measure(f"the same, pinned by path ({size / 1e6:.1f} MB of components)", check, pinned, home, options.runs, empty, 3)

        if not options.no_dprint:
            run(["npm", "install", "--silent", "--prefix", str(temp / "npm"), f"dprint@{DPRINT}", *PLUGINS], temp, os.environ)
            binary = str(temp / "npm/node_modules/.bin/dprint")
            urls = [str(temp / f"npm/node_modules/{plugin}/plugin.wasm") for plugin in PLUGINS]
            (plain / "dprint.json").write_text(json.dumps({"plugins": urls}))
            paths = [path for path, _ in files("")]
            cached = lambda: shutil.rmtree(home / "dprint", ignore_errors=True)
            run([binary, "fmt", *paths], plain, {**env, "DPRINT_CACHE_DIR": str(home / "dprint")})
            measure(f"dprint {DPRINT}, {len(PLUGINS)} plugins from npm", [binary, "check", *paths], plain, home, options.runs, cached, 3)

        if not options.no_prek:
            run(["python3", "-m", "venv", str(temp / "venv")], temp, os.environ)
            run([str(temp / "venv/bin/pip"), "install", "--quiet", f"prek=={PREK}"], temp, os.environ)
            hooks = "repos:\n  - repo: builtin\n    hooks:\n" + "".join(f"      - id: {hook}\n" for hook in HOOKS)
            for name, more in (("small", 0), ("large", MANY)):
                repo = repository(temp / name, more)
                (repo / ".pre-commit-config.yaml").write_text(hooks)
                git(repo, "add", "--all")
                git(repo, "commit", "-qm", "hooks")
                git(repo, "gc", "-q")
                write(repo, "two")
                git(repo, "add", "--all")
                measure(f"the embedded set, {more + 10} files", check, repo, home, options.runs, empty)
                measure(f"prek {PREK}, {len(HOOKS)} native hooks, {more + 10} files", [str(temp / "venv/bin/prek"), "run"], repo, home, options.runs)


if __name__ == "__main__":
    main()
