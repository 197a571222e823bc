"""What the gate would have done to pull requests whose outcome is known, over snapshots of public repositories.

    python3 outcomes.py --host HOST [--limit N] [--agents] [--triage] [--split DAY] [--pages FOLDER] [--kept FILE] owner/name=FOLDER …

FOLDER is a mirror of the repository (`git clone --mirror`), which has the heads of its pull requests. The program is called as
`host backtest --pulls --format json`; a run that was ended goes on from where it was. The tables are those of docs/benchmarks.md:
by repository, by half of repositories.toml, before and since the day of `--split`, and by the class of `--triage`.
`--kept` lists what would have been stopped and was kept, for those who read it.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).parent
COUNTS = ["kept", "mended", "reverted", "closed", "undecided"]
# What `host backtest` ends with where its time was over: the figures are those of what was judged.
OVER_TIME = 6


def backtest(arguments, folder, name, since=None):
    command = [arguments.host, "backtest", "--quiet", "--repo", folder, "--pulls", "--format", "json"]
    command += ["--limit", str(arguments.limit)]
    command += ["--max-time", str(arguments.max_time)] if arguments.max_time else []
    command += [option for option, wanted in [("--agents", arguments.agents), ("--triage", arguments.triage)] if wanted]
    if since:
        command += ["--since", since]
    elif arguments.pages:
        command += ["--page", str(pathlib.Path(arguments.pages) / (name.replace("/", "+") + ".html"))]
    began = time.monotonic()
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode not in (0, OVER_TIME):
        sys.exit(f"{name}: exit code {ran.returncode}: {ran.stdout[:500]}{ran.stderr[:500]}")
    report = json.loads(ran.stdout)
    return (None if "error" in report else report), time.monotonic() - began


def add(one, other, sign=1):
    return {key: one.get(key, 0) + sign * other.get(key, 0) for key in COUNTS}


def landed(counts):
    return sum(counts.get(key, 0) for key in ("kept", "mended", "reverted"))


def undone(counts):
    return counts.get("mended", 0) + counts.get("reverted", 0)


def cell(of, all_of):
    return f"{of} of {all_of} ({100 * of / all_of:.1f} %)" if all_of else "–"


def odds(bad, good, other_bad, other_good):
    """The odds ratio with its interval of 95 % after Woolf, as `host backtest` gives it."""
    if not all((bad, good, other_bad, other_good)):
        return "–"
    logarithm = math.log(bad * other_good / (good * other_bad))
    spread = 1.96 * math.sqrt(1 / bad + 1 / good + 1 / other_bad + 1 / other_good)
    low, ratio, high = (math.exp(logarithm + way * spread) for way in (-1, 0, 1))
    return f"{ratio:.1f} ({low:.1f} to {high:.1f})"


class Sum:
    """Figures of many repositories."""

    def __init__(self):
        self.repositories, self.all, self.rejected = 0, {}, {}

    def add(self, every, rejected):
        self.repositories += bool(sum(every.values()))
        self.all, self.rejected = add(self.all, every), add(self.rejected, rejected)

    def row(self, name, seconds=""):
        every, rejected = self.all, self.rejected
        of_closed = odds(rejected["closed"], landed(rejected), every["closed"] - rejected["closed"], landed(every) - landed(rejected))
        of_undone = odds(undone(rejected), rejected["kept"], undone(every) - undone(rejected), every["kept"] - rejected["kept"])
        return (
            f"| {name} | {sum(every.values()):,} | {cell(rejected['kept'], every['kept'])} | {cell(undone(rejected), undone(every))} | "
            f"{cell(rejected['closed'], every['closed'])} | {cell(landed(rejected), landed(every))} | {of_closed} | {of_undone} | {seconds} |"
        )


class Proved:
    """What `--triage` proves, of many repositories."""

    def __init__(self):
        self.changes, self.proved, self.files, self.classes = {}, {}, 0, {}

    def add(self, found):
        self.changes, self.proved = add(self.changes, found["changes"]), add(self.proved, found["proved"])
        self.files += found["files"]
        for one in found["classes"]:
            files, proved = self.classes.get(one["class"], (0, {}))
            self.classes[one["class"]] = (files + one["files"], add(proved, one["proved"]))

    def table(self):
        yield "| proved | pull requests | came in | reverted or mended | closed | may be open | files |"
        yield "|" + "---|" * 7
        rows = [(name, counts, files) for name, (files, counts) in sorted(self.classes.items())]
        for name, counts, files in [*rows, ("as a whole", self.proved, sum(row[2] for row in rows)), ("all accepted", self.changes, self.files)]:
            yield (
                f"| {name} | {sum(counts.values()):,} | {landed(counts):,} | {undone(counts)} | {counts['closed']} | {counts['undecided']} | {files:,} |"
            )


def kept_lines(name, report):
    for change in report["stopped"]:
        if change["outcome"] == "kept" and change["maker"] != "bot":
            for found in change["findings"]:
                finding = found["finding"] if "finding" in found else found
                yield f"{name} #{change['number']} {change['maker']} {change['commit']} {change['subject']}\t{found['guard']}/{finding['rule']} {finding.get('path')}:{finding.get('line')}: {finding['message'][:300]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", required=True)
    parser.add_argument("--limit", type=int, default=1500)
    parser.add_argument("--agents", action="store_true", help="judge only what agents made")
    parser.add_argument("--triage", action="store_true", help="count what is proved to be harmless")
    parser.add_argument("--split", metavar="DAY", help="count what is older than this day apart, such as 2025-09-01")
    parser.add_argument("--max-time", type=int, metavar="SECONDS", help="for one repository")
    parser.add_argument("--pages", help="a folder for a page of each")
    parser.add_argument("--kept", type=pathlib.Path, help="a file for what would have been stopped and was kept")
    parser.add_argument("snapshots", nargs="+", metavar="owner/name=FOLDER")
    arguments = parser.parse_args()
    halves = tomllib.loads((HERE / "repositories.toml").read_text())
    known = dict(snapshot.split("=", 1) for snapshot in arguments.snapshots)
    for name in known.keys() - {name for half in halves.values() for name in half}:
        sys.exit(f"{name} is in no half of repositories.toml")
    head = "| repository | judged | stopped of kept | of reverted or mended | of closed | of all that came in | odds of closed | odds of reverted or mended | time |"
    print(head)
    print("|" + "---|" * (head.count("|") - 1))
    sums, proved, kept = {}, Proved(), []
    for half, names in halves.items():
        for name in names:
            if name not in known:
                continue
            report, seconds = backtest(arguments, known[name], name)
            if report is None:
                print(f"| {name} | the time ended while the history was read | | | | | | | {seconds:.0f} s |", flush=True)
                continue
            one = Sum()
            one.add(report["all"], report["rejected"])
            print(one.row(name, f"{seconds:.0f} s" + (", ended" if report["ended_by"] else "")), flush=True)
            kept += kept_lines(name, report)
            if report.get("triage"):
                proved.add(report["triage"])
            for maker in report["makers"]:
                who = "agents" if maker["is_agent"] else {"person": "people", "bot": "bots"}[maker["maker"]]
                sums.setdefault(f"{half}: {who}", Sum()).add(maker["all"], maker["rejected"])
                if who == "agents":
                    sums.setdefault("agents", Sum()).add(maker["all"], maker["rejected"])
            if arguments.split:
                newer, _ = backtest(arguments, known[name], name, arguments.split)
                for maker in newer["makers"] if newer else []:
                    if maker["is_agent"]:
                        sums.setdefault(f"agents since {arguments.split}", Sum()).add(maker["all"], maker["rejected"])
    since = sums.get(f"agents since {arguments.split}")
    if since:
        before = Sum()
        before.add(add(sums["agents"].all, since.all, -1), add(sums["agents"].rejected, since.rejected, -1))
        sums[f"agents before {arguments.split}"] = before
    for who, one in sums.items():
        print(one.row(f"**{who}**"))
    if arguments.triage:
        print("\n" + "\n".join(proved.table()))
    if arguments.kept:
        arguments.kept.write_text("".join(line + "\n" for line in kept))


if __name__ == "__main__":
    main()
