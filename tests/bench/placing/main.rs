//! How many damaged diffs of real commits are placed right, refused, or placed wrong.
//!
//! `cargo bench --bench placing -- [--seed N] [--commits N] [--pairs] [--alone] [--show KIND] CLONE…`
//!
//! `cargo bench --bench placing -- --files 50000` measures instead what one patch costs in a repository of that size.
//!
//! Takes commits of the clones (seeded), one changed text file of each, damages the diff of that file in each way of
//! `damage.rs`, and places it: right means byte for byte the commit's file. Beside it `git apply`, `git apply --3way --recount`
//! and `patch -p1 -F3 -l` on the same input, unless `--alone`. Exits with 1 when we placed anything wrong.

mod corpus;
mod damage;
mod large;
#[path = "../../support/random.rs"]
mod random;
mod rivals;
#[path = "../../../host/patch/tests/support/stored.rs"]
mod stored;

use guardhost_patch::sanitize::CleanPatch;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use corpus::Case;
use damage::{DAMAGES, Damaged};
use guardhost_core::change::{Candidate, FileMode, Objects, Patch, Reply, RepoPath, Tree, TreeEntry};
use guardhost_patch::apply::{ApplyBase, apply};
use guardhost_patch::extract::extract;
use guardhost_patch::repair::repair;
use guardhost_patch::sanitize::{Rules, sanitize};
use random::Random;
use rivals::Rivals;
use stored::Stored;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Right,
    Refused,
    Wrong,
}

/// What came out of one way of placing: the file's new bytes, or a refusal and its words.
pub type Result_ = Result<Vec<u8>, String>;

#[derive(Default)]
struct Tally {
    counts: BTreeMap<&'static str, [usize; 3]>,
    /// Ours, refused, where the damage took away what tells twins apart.
    untellable: usize,
    cases: usize,
}

fn main() -> ExitCode {
    let options = Options::read();
    if let Some(files) = options.files {
        large::measure(files).expect("a scratch repository");
        return ExitCode::SUCCESS;
    }
    let scratch = tempfile::tempdir().unwrap();
    git2::Repository::init_bare(scratch.path()).unwrap();
    let objects = Stored::over(scratch.path()).unwrap();
    let mut random = Random::new(options.seed);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut nanos = Vec::new();
    for clone in &options.clones {
        for case in corpus::cases(clone, options.commits, &mut random) {
            for (name, damaged) in damages(&case, options.pairs, &mut random) {
                let tally = tallies.entry(name.clone()).or_default();
                tally.cases += 1;
                let started = std::time::Instant::now();
                let ours = place(&objects, &case, &damaged);
                nanos.push(started.elapsed().as_nanos());
                let verdict = judge(&ours, &damaged.expected);
                let twins = damaged.hides_place && case.has_twins();
                tally.untellable += usize::from(verdict == Verdict::Refused && twins);
                tally.counts.entry("host").or_default()[verdict as usize] += 1;
                if options.shows(&name, verdict, twins) {
                    println!("== {name} {} {}\n{}", case.commit, case.path, String::from_utf8_lossy(&damaged.diff));
                    println!("-- {}", ours.err().unwrap_or_else(|| "placed wrong".into()));
                }
                if let Some(rivals) = &options.rivals {
                    for (rival, result) in rivals.run(&case, &damaged) {
                        // A rival that does nothing and says nothing has placed nothing wrong.
                        let result = result.and_then(|bytes| {
                            let idle = bytes == damaged.before && bytes != damaged.expected;
                            if idle { Err("nothing done".to_owned()) } else { Ok(bytes) }
                        });
                        tally.counts.entry(rival).or_default()[judge(&result, &damaged.expected) as usize] += 1;
                    }
                }
            }
        }
    }
    report(&tallies, nanos)
}

fn extracted(reply: &[u8]) -> Result<Patch, String> {
    let reply = Reply { bytes: reply.to_vec(), ..Reply::default() };
    extract(repair(&reply), &[]).map_err(|none| format!("no patch: {none}"))
}

/// The stations before `apply`.
fn read(reply: &[u8], tree: &Tree) -> Result<CleanPatch, String> {
    let patch = extracted(reply)?;
    // What the corpus touches is not the question here.
    let rules = Rules { protect: Vec::new(), ..Rules::default() };
    sanitize(patch, &rules, tree).map_err(|refused| format!("refused: {refused}"))
}

/// The way from a reply to a file.
fn place(objects: &Arc<Stored>, case: &Case, damaged: &Damaged) -> Result_ {
    let path = RepoPath::from(case.path.as_str());
    let tree = |bytes: &[u8]| {
        let oid = objects.put_blob(bytes).unwrap();
        let oid = objects.tree(&[(path.clone(), TreeEntry { oid, mode: FileMode::File })]).unwrap();
        Tree { objects: objects.clone(), oid }
    };
    let ground =
        ApplyBase { base: None, tree: tree(&damaged.before), seen_by_provider: damaged.shown.as_deref().map(tree) };
    let patch = read(&damaged.diff, &ground.tree)?;
    let candidate: Candidate = apply(&patch, &ground).unwrap().map_err(|misfit| misfit.to_string())?;
    let entry = objects.entry(candidate.tree, &path).unwrap().ok_or("the file is gone")?;
    Ok(objects.blob(entry.oid).unwrap().to_vec())
}

fn judge(result: &Result_, expected: &[u8]) -> Verdict {
    match result {
        Ok(bytes) if bytes == expected => Verdict::Right,
        Ok(_) => Verdict::Wrong,
        Err(_) => Verdict::Refused,
    }
}

fn damages(case: &Case, pairs: bool, random: &mut Random) -> Vec<(String, Damaged)> {
    let mut all = Vec::new();
    for (name, damage) in DAMAGES {
        let Some(once) = damage(&Damaged::none(case), random) else { continue };
        if pairs {
            for (other, second) in DAMAGES.iter().filter(|(other, _)| *other > name) {
                all.extend(second(&once, random).map(|twice| (format!("{name} + {other}"), twice)));
            }
        } else {
            all.push((name.to_string(), once));
        }
    }
    all
}

fn report(tallies: &BTreeMap<String, Tally>, mut nanos: Vec<u128>) -> ExitCode {
    println!("{:<28} {:>6}  {:>24}  right / refused / wrong", "damage", "cases", "untellable of refused");
    let mut totals: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut untellable = 0;
    for (name, tally) in tallies {
        print!("{name:<28} {:>6} {:>6}", tally.cases, tally.untellable);
        untellable += tally.untellable;
        for (way, counts) in &tally.counts {
            print!("  {way} {}/{}/{}", counts[0], counts[1], counts[2]);
            totals.entry(way).or_default().iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        }
        println!();
    }
    for (way, [right, refused, wrong]) in &totals {
        let all = right + refused + wrong;
        let share = |of: usize| 100.0 * *right as f64 / of.max(1) as f64;
        print!("{way:<20} {right} right, {refused} refused, {wrong} wrong of {all}: {:.2} %", share(all));
        println!(", {:.2} % of what can be told", share(all - if *way == "host" { untellable } else { 0 }));
    }
    nanos.sort_unstable();
    println!("median {} µs to read the diff and place it", nanos.get(nanos.len() / 2).unwrap_or(&0) / 1000);
    if totals.get("host").is_some_and(|counts| counts[2] > 0) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

struct Options {
    seed: u64,
    commits: usize,
    pairs: bool,
    rivals: Option<Rivals>,
    show: Option<String>,
    files: Option<usize>,
    clones: Vec<String>,
}

impl Options {
    fn read() -> Self {
        let mut options = Options {
            seed: 1,
            commits: 40,
            pairs: false,
            rivals: Some(Rivals::new()),
            show: None,
            files: None,
            clones: vec![],
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("a value");
            match argument.as_str() {
                "--seed" => options.seed = value().parse().expect("a number"),
                "--commits" => options.commits = value().parse().expect("a number"),
                "--pairs" => options.pairs = true,
                "--alone" => options.rivals = None,
                "--files" => options.files = Some(value().parse().expect("a number")),
                "--show" => options.show = Some(value()),
                // Cargo says this to every benchmark.
                "--bench" => {}
                clone => options.clones.push(clone.to_owned()),
            }
        }
        options
    }

    /// `wrong`, `refused` (of what can be told), or the name of a damage for all that did not go right.
    fn shows(&self, name: &str, verdict: Verdict, twins: bool) -> bool {
        match self.show.as_deref() {
            Some("wrong") => verdict == Verdict::Wrong,
            Some("refused") => verdict == Verdict::Refused && !twins,
            Some(wanted) => wanted == name && verdict != Verdict::Right,
            None => false,
        }
    }
}
