//! What inputs that repeat themselves cost, at n, 2n and 4n. A measurement, not a test: no machine is as fast as another.
//!
//! `cargo test -p guardhost-patch --test all growth -- --ignored --nocapture`

use guardhost_core::change::{FileOp, FilePatch, Hunk, Line, Patch, PatchFormat, RepoPath};
use guardhost_core::stop::StopToken;
use guardhost_patch::apply::apply;
use guardhost_patch::sanitize::{Rules, sanitize};

use crate::apply::Lab;

/// A file and the hunks for it.
type Input = (String, Vec<Hunk>);

/// A name, the smallest size, and the input of a size.
type Kind = (&'static str, usize, fn(usize) -> Input);

const KINDS: [Kind; 11] = [
    ("identical lines, a hunk of n/5 of them, no number", 12_500, |n| (identical(n), vec![alike(n / 5, None)])),
    ("identical lines, a hunk of n/5 of them, numbered", 12_500, |n| (identical(n), vec![alike(n / 5, Some(7))])),
    ("identical lines, n/5 of them and one misquoted", 12_500, |n| {
        let mut hunk = alike(n / 5, None);
        hunk.lines.insert(n / 10, context("another"));
        (identical(n), vec![hunk])
    }),
    ("n identical lines in 20,000, n hunks, each its number", 200, |n| {
        (identical(20_000), (0..n).map(|at| replace(Some(at as u32 * 9 + 1), "}", &format!("x{at}"))).collect())
    }),
    ("20,000 identical lines, n hunks without numbers", 200, |n| {
        (identical(20_000), (0..n).map(|at| replace(None, "}", &format!("x{at}"))).collect())
    }),
    ("n twins, n hunks with true numbers", 625, |n| (twins(n), (0..n).map(|at| twin(at, true, false)).collect())),
    ("n twins, n hunks without numbers, in order", 625, |n| {
        (twins(n), (0..n).map(|at| twin(at, false, false)).collect())
    }),
    ("n twins, n hunks with headings", 625, |n| (twins(n), (0..n).map(|at| twin(at, false, true)).collect())),
    ("n unlike hunks", 2_500, |n| (unlike(n * 4), (0..n).map(|at| unlike_hunk(at * 4, "")).collect())),
    ("n hunks that fit nowhere", 625, |n| (unlike(n * 4), (0..n).map(|at| unlike_hunk(at * 4, " wrong")).collect())),
    ("n lines, one drifted hunk", 100_000, |n| {
        let mut hunk = unlike_hunk(n / 2, "");
        hunk.old_start = Some(1);
        (unlike(n), vec![hunk])
    }),
];

#[test]
#[ignore = "a measurement, to be run by hand"]
fn growth() {
    let lab = Lab::new();
    for (name, size, make) in KINDS {
        let mut times = Vec::new();
        let mut outcome = "";
        for size in [size, size * 2, size * 4] {
            let (text, hunks) = make(size);
            let patch =
                Patch::new(PatchFormat::GitDiff, vec![FilePatch::new(RepoPath::from("a.txt"), FileOp::Modify(hunks))]);
            let base = lab.single(text.as_bytes());
            let rules = Rules { max_patch_bytes: u64::MAX, max_file_bytes: u64::MAX, ..Rules::default() };
            let clean = sanitize(patch, &rules, &base.tree, &StopToken::default()).unwrap().unwrap();
            let before = cpu_millis();
            let placed = apply(&clean, &base, &StopToken::default()).unwrap();
            times.push(cpu_millis() - before);
            outcome = placed.err().map_or("placed", |misfit| misfit.at[0].code);
        }
        println!("{name:<60} {size:>7} {:>8.0} {:>8.0} {:>8.0} ms  {outcome}", times[0], times[1], times[2]);
    }
}

/// Time that this thread has run.
fn cpu_millis() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e6
}

fn context(line: &str) -> Line {
    Line::Context(line.into())
}

fn identical(n: usize) -> String {
    "}\n".repeat(n)
}

fn alike(n: usize, old_start: Option<u32>) -> Hunk {
    let lines = std::iter::repeat_n(context("}"), n).chain([Line::Add(b"more".to_vec()), context("}")]).collect();
    Hunk { old_start, lines, ..Hunk::default() }
}

fn replace(old_start: Option<u32>, old: &str, new: &str) -> Hunk {
    let lines = vec![Line::Remove(old.into()), Line::Add(new.into())];
    Hunk { old_start, lines, ..Hunk::default() }
}

fn twins(n: usize) -> String {
    (0..n).map(|at| format!("fn number_{at}() {{\n    one();\n    two();\n    three();\n}}\n")).collect()
}

fn twin(at: usize, is_numbered: bool, is_headed: bool) -> Hunk {
    let change = [Line::Remove(b"    two();".to_vec()), Line::Add(format!("    two({at});").into())];
    Hunk {
        old_start: is_numbered.then_some(at as u32 * 5 + 2),
        anchors: if is_headed { vec![format!("fn number_{at}() {{").into()] } else { Vec::new() },
        lines: [vec![context("    one();")], change.to_vec(), vec![context("    three();")]].concat(),
        ..Hunk::default()
    }
}

fn unlike(n: usize) -> String {
    (0..n).map(|at| format!("line {at}\n")).collect()
}

fn unlike_hunk(at: usize, wrong: &str) -> Hunk {
    let removed = Line::Remove(format!("line {}{wrong}", at + 1).into());
    let lines =
        vec![context(&format!("line {at}")), removed, Line::Add(b"new".to_vec()), context(&format!("line {}", at + 2))];
    Hunk { old_start: Some(at as u32 + 1), lines, ..Hunk::default() }
}
