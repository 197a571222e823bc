"""What the gate would have done to pull requests whose outcome is known, over snapshots of public repositories.

    python3 outcomes.py --host HOST [--limit N] [--agents] [--pages FOLDER] owner/name=FOLDER …

FOLDER is a mirror of the repository (`git clone --mirror`), which has the heads of its pull requests. The program is called as
`host backtest --pulls --format json`; a run that was ended goes on from where it was. The table is that of docs/benchmarks.md.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).parent
COUNTS = ["kept", "mended", "reverted", "closed", "undecided"]


def backtest(arguments, folder, name):
    command = [arguments.host, "backtest", "--quiet", "--repo", folder, "--pulls", "--format", "json"]
    command += ["--limit", str(arguments.limit)]
    if arguments.agents:
        command.append("--agents")
    if arguments.pages:
        command += ["--page", str(pathlib.Path(arguments.pages) / (name.replace("/", "+") + ".html"))]
    began = time.monotonic()
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{name}: exit code {ran.returncode}: {ran.stdout[:500]}{ran.stderr[:500]}")
    return json.loads(ran.stdout), time.monotonic() - began


def add(one, other):
    return {key: one.get(key, 0) + other[key] for key in COUNTS}


def cell(of, all_of):
    return f"{of} of {all_of} ({100 * of / all_of:.1f} %)" if all_of else "–"


def row(name, seconds, every, rejected):
    landed = [sum(counts[key] for key in ("kept", "mended", "reverted")) for counts in (rejected, every)]
    undone = [sum(counts[key] for key in ("mended", "reverted")) for counts in (rejected, every)]
    return (
        f"| {name} | {sum(every.values()):,} | {cell(rejected['kept'], every['kept'])} | {cell(undone[0], undone[1])} | "
        f"{cell(rejected['closed'], every['closed'])} | {cell(landed[0], landed[1])} | {seconds} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", required=True)
    parser.add_argument("--limit", type=int, default=1500)
    parser.add_argument("--agents", action="store_true", help="judge only what agents made")
    parser.add_argument("--pages", help="a folder for a page of each")
    parser.add_argument("snapshots", nargs="+", metavar="owner/name=FOLDER")
    arguments = parser.parse_args()
    halves = tomllib.loads((HERE / "repositories.toml").read_text())
    known = dict(snapshot.split("=", 1) for snapshot in arguments.snapshots)
    for name in known.keys() - {name for half in halves.values() for name in half}:
        sys.exit(f"{name} is in no half of repositories.toml")
    head = "| repository | judged | stopped of kept | of reverted or mended | of closed | of all merged | time |"
    print(head)
    print("|" + "---|" * (head.count("|") - 1))
    for half, names in halves.items():
        sums = {who: [{}, {}] for who in ("agents", "people", "bots")}
        for name in names:
            if name not in known:
                continue
            report, seconds = backtest(arguments, known[name], name)
            print(row(name, f"{seconds:.0f} s", report["all"], report["rejected"]), flush=True)
            for maker in report["makers"]:
                who = "agents" if maker["is_agent"] else {"person": "people", "bot": "bots"}[maker["maker"]]
                sums[who] = [add(sums[who][0], maker["all"]), add(sums[who][1], maker["rejected"])]
        for who, (every, rejected) in sums.items():
            if every:
                print(row(f"**{half}: {who}**", "", every, rejected))


if __name__ == "__main__":
    main()
