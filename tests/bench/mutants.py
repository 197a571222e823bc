#!/usr/bin/env python3
"""Which mutants of cargo-mutants the tests of a crate notice, all of them in one build.

    cargo install cargo-mutants --locked
    tests/bench/mutants.py --package guardhost-patch --file 'host/patch/apply/**/*.rs' --seed 33 --count 160 [--skip TEST …] [--show]
    tests/bench/mutants.py --package guardhost-gate --file 'host/gate/**/*.rs' --workspace --test integration::doors --test …

cargo-mutants builds once for each mutant, which takes minutes for some crates. Here its list is sampled by a seed, and each function
that has mutants becomes `if mutant_is(1) { … } else if mutant_is(2) { … } else { as it was }` in a copy of HEAD. Mutants that do not
compile are dropped, by what the compiler says, and count as not viable. Each of the others then costs one run of the tests, which are
limited in processor time rather than by a clock. A mutant is caught if a test fails or is not done within the limit.

A crate whose behaviour the whole program's tests hold is built with all of them (`--workspace`), and `--test` names those that are run, by
a part of their names and in this order: each is a run of its own, and the first that fails ends the mutant."""

import argparse, collections, json, os, pathlib, random, re, resource, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIABLE = "MUTANT"
HELPER = f"""
#[allow(dead_code)]
fn mutant_is(number: u32) -> bool {{
    static ACTIVE: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *ACTIVE.get_or_init(|| std::env::var("{VARIABLE}").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == number
}}
"""


def listed(args):
    files = [word for file in args.file for word in ("-f", file)]
    command = ["cargo", "mutants", "-p", args.package, "--list", "--json", *files]
    mutants = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    mutants.sort(key=lambda mutant: mutant["name"])
    random.Random(args.seed).shuffle(mutants)
    print(f"{len(mutants)} mutants, of which {min(args.count, len(mutants))} are tried")
    return {number: mutant for number, mutant in enumerate(mutants[: args.count], 1)}


def body(source, begin, end):
    """Where the first brace of a function is that is neither in its parameters nor in a string or a comment."""
    at, depth = begin, 0
    while at < end:
        sign = source[at : at + 1]
        if source[at : at + 2] == b"//":
            at = source.index(b"\n", at)
        elif sign in b"([":
            depth += 1
        elif sign in b")]":
            depth -= 1
        elif sign == b'"':
            at += 1
            while source[at : at + 1] != b'"':
                at += 2 if source[at : at + 1] == b"\\" else 1
        elif sign == b"{" and depth == 0:
            return at
        at += 1
    raise ValueError(source[begin:end])


def rewrite(source, mutants):
    """The source with all of these mutants, and the numbers of those that have no place in it: nested, or in a constant function."""
    lines = source.split(b"\n")

    def offset(place):
        line = lines[place["line"] - 1].decode()
        return sum(len(line) + 1 for line in lines[: place["line"] - 1]) + len(line[: place["column"] - 1].encode())

    span = lambda holder: (offset(holder["span"]["start"]), offset(holder["span"]["end"]))
    functions, edits, without = collections.defaultdict(list), [], set()
    for number, mutant in mutants.items():
        if (mutant.get("function") or {}).get("span"):
            functions[span(mutant["function"])].append((number, mutant))
        else:
            without.add(number)
    for (begin, end), own in functions.items():
        is_nested = any(outer <= begin and end <= last and (outer, last) != (begin, end) for outer, last in functions)
        first = body(source, begin, end)
        if is_nested or b"const fn" in source[begin:first]:
            without.update(number for number, _ in own)
            continue
        arms = b""
        for number, mutant in own:
            here, there = span(mutant)
            changed = source[first:here] + mutant["replacement"].encode() + source[there:end]
            arms += b"if mutant_is(%d) /*M%d*/ %s else " % (number, number, changed)
        edits.append((first, end, b"{ " + arms + source[first:end] + b" }"))
    for first, end, text in sorted(edits, reverse=True):
        source = source[:first] + text + source[end:]
    return source + HELPER.encode(), without


def build(tree, args, mutants):
    """The test programs with the folder in which each runs, and the mutants that are in them."""
    mutants, all_files = dict(mutants), {mutant["file"] for mutant in mutants.values()}
    while True:
        # A file that has lost all its mutants is what it was.
        files = {file: {} for file in all_files}
        for number, mutant in mutants.items():
            files[mutant["file"]][number] = mutant
        for file, own in files.items():
            original = subprocess.run(["git", "show", f"HEAD:{file}"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
            text, without = rewrite(original, own)
            (tree / file).write_bytes(text)
            mutants = {number: mutant for number, mutant in mutants.items() if number not in without}
        what = ["--workspace"] if args.workspace else ["-p", args.package]
        command = ["cargo", "test", *what, "--locked", "--no-run", "--message-format", "json"]
        lines = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines()
        messages = [json.loads(line) for line in lines if line.startswith(b"{")]
        errors = [m["message"] for m in messages if m["reason"] == "compiler-message" and m["message"]["level"] == "error"]
        if not errors:
            tests = [m for m in messages if m.get("executable") and m["profile"]["test"]]
            return [(m["executable"], pathlib.Path(m["manifest_path"]).parent) for m in tests], mutants
        spans = [span for error in errors for span in error["spans"] if span["is_primary"]]
        marks = lambda span: re.findall(rb"/\*M(\d+)\*/", (tree / span["file_name"]).read_bytes()[: span["byte_start"] + 1])
        wrong = {int(marks(span)[-1]) for span in spans if marks(span)} & mutants.keys()
        if not wrong:
            sys.exit("the copy does not compile:\n" + "\n".join(error["rendered"] for error in errors[:3]))
        mutants = {number: mutant for number, mutant in mutants.items() if number not in wrong}


def runs_of(programs, args):
    """What is run for each mutant: a program, its folder and its arguments."""
    skipped = [word for test in args.skip for word in ("--skip", test)]
    if not args.test:
        return [(program, folder, skipped) for program, folder in programs]
    runs = []
    for test in args.test:
        for program, folder in programs:
            found = subprocess.run([program, "--list", test, *skipped], cwd=folder, stdout=subprocess.PIPE).stdout
            if b": test" in found:
                runs.append((program, folder, [test, *skipped]))
    return runs


def fails(runs, number, args):
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (args.seconds, args.seconds))
    for program, folder, words in runs:
        options = {"env": {**os.environ, VARIABLE: str(number), "CARGO_MANIFEST_DIR": str(folder)}, "preexec_fn": limit}
        if subprocess.run([program, "--test-threads", "2", *words], cwd=folder, capture_output=True, **options).returncode:
            return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True)
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--tree", type=pathlib.Path, help="a checkout of HEAD that is written to, in place of a copy: what it built is used")
    parser.add_argument("--workspace", action="store_true", help="build and run the tests of all crates")
    parser.add_argument("--test", action="append", default=[], help="the tests that are run, by a part of their names; without it all")
    parser.add_argument("--skip", action="append", default=[], help="tests that are not run, by a part of their names")
    parser.add_argument("--seconds", type=int, default=120, help="of processor time, for each test program")
    parser.add_argument("--show", action="store_true", help="print the change of each mutant that was missed")
    args = parser.parse_args()
    mutants = listed(args)
    with tempfile.TemporaryDirectory() as folder:
        tree = args.tree or pathlib.Path(folder)
        if not args.tree:
            archive = subprocess.Popen(["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE)
            subprocess.run(["tar", "x", "-C", folder], stdin=archive.stdout, check=True)
        programs, viable = build(tree, args, mutants)
        runs = runs_of(programs, args)
        if fails(runs, 0, args):
            sys.exit("the tests fail without a mutant")
        missed = []
        for number in sorted(viable):
            caught = fails(runs, number, args)
            print("caught" if caught else "missed", viable[number]["name"], file=sys.stderr, flush=True)
            missed += [] if caught else [number]
    for number in missed:
        print("missed:", viable[number]["name"], *([viable[number]["diff"]] if args.show else []), sep="\n" if args.show else " ")
    print(f"{len(viable) - len(missed)} caught, {len(missed)} missed, {len(mutants) - len(viable)} not viable")


if __name__ == "__main__":
    main()
