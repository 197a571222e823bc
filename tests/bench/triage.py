#!/usr/bin/env python3
"""Which share of the changes of a repository's past `host check --triage` proves to be harmless, by class.

    cargo build --release && python3 tests/bench/triage.py [--host target/release/host] [--commits 300] [--show] REPO…

The newest commits of each repository, without merges, are judged as changes of their parents; a bare repository will do. `--show` lists those
that are proved, to be read by hand. Only the triage is wanted, so one cheap guard judges."""

import argparse, collections, json, pathlib, subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--host", default=ROOT / "target/release/host", type=pathlib.Path)
    options.add_argument("--commits", default=300, type=int)
    options.add_argument("--show", action="store_true")
    options.add_argument("repos", nargs="+")
    args = options.parse_args()
    total = collections.Counter()
    for repo in args.repos:
        counts = of(repo, args)
        total += counts
        print(row(repo, counts), flush=True)
    print(row("all", total))


def of(repo, args):
    counts = collections.Counter()
    log = ["git", "-C", repo, "log", "--no-merges", "--format=%H", f"--max-count={args.commits}"]
    for commit in subprocess.run(log, capture_output=True, text=True, check=True).stdout.split():
        command = [args.host, "check", "--repo", repo, "--range", f"{commit}^..{commit}", "--triage", "--guard", "no-leftovers", "--format", "json"]
        ran = subprocess.run(command, capture_output=True, text=True)
        triage = json.loads(ran.stdout or "{}").get("triage") if ran.returncode in (0, 1) else None
        if triage is None:
            counts["not judged"] += 1
            continue
        counts["commits"] += 1
        counts["files"] += len(triage["files"])
        counts["files proved"] += sum(file["class"] is not None for file in triage["files"])
        if triage["proved"]:
            counts["proved"] += 1
            counts["+".join(triage["classes"])] += 1
            if args.show:
                print(f"  {commit} {'+'.join(triage['classes'])}", flush=True)
    return counts


def row(name, counts):
    return f"{name}: " + ", ".join(f"{what} {count}" for what, count in sorted(counts.items()))


main()
