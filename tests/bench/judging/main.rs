//! What the default set does to real commits, and to mistakes planted among real files.
//!
//! `cargo bench --bench judging -- [--commits N] [--plant N] [--seed N] [--only alarms|catch] [--class NAME] [--beside] [--triage] [--merges]
//! [--guard ID]… [--show] [--warnings] [--list FILE] [--threads N] [--git OPTION]… CLONE…`
//!
//! **False alarms**: the last N commits of each clone that are no merges, made and accepted by people, each judged on its first
//! parent as `host check --range C^..C` does, with default settings, without a task, without the web; with `--merges` its last N merges. **Catch**: mistakes as
//! models make them (`tests/support/planted`), planted by seed in files of those commits' trees; which files and places is chance, and every
//! one is made sure to be a mistake by other means than the guards' (`verify.rs`). With `--guard`
//! only the guards of these ids judge, as for a new one. With `--triage` it is asked of each mistake whether `host check --triage` would prove it to be harmless. With `--beside` each stands in the change of
//! its commit, otherwise alone. `--git` passes an option to `git log`, such as `--git=--until=2023-01-01`.
//!
//! Exits with 1 when a bar is broken: more than 0.5 % of the commits rejected, or less than 95 % of a class caught by a guard that
//! claims it, or, with `--triage`, one that is proved to be harmless.

mod alarms;
mod catch;
mod corpus;
mod judge;
// Shared with the tests.
#[path = "../../support/planted/mod.rs"]
mod planted;
#[path = "../../support/random.rs"]
mod random;

use std::process::ExitCode;

use corpus::Clone_;
use judge::Court;

pub struct Options {
    seed: u64,
    commits: usize,
    /// Mistakes of each class in each clone.
    plant: usize,
    only: Option<String>,
    class: Option<String>,
    beside: bool,
    triage: bool,
    show: bool,
    /// Print what the guards say that rejects nothing.
    warnings: bool,
    list: Option<String>,
    threads: usize,
    /// Judge merges, each on its first parent, instead of other commits.
    merges: bool,
    git: Vec<String>,
    /// Ids of the guards that judge; empty: the default set.
    guards: Vec<String>,
    clones: Vec<String>,
}

fn main() -> ExitCode {
    let options = Options::read();
    let court = Court::new(&options.guards);
    let clones: Vec<Clone_> = options.clones.iter().map(|path| Clone_::open(path, &options)).collect();
    if let Some(list) = &options.list {
        let lines = clones.iter().flat_map(|clone| clone.commits.iter().map(|oid| format!("{} {oid}\n", clone.name)));
        std::fs::write(list, lines.collect::<String>()).expect("a file to write");
    }
    let wants = |part: &str| options.only.as_deref().is_none_or(|only| only == part);
    let mut held = true;
    if wants("alarms") {
        held &= alarms::measure(&court, &clones, &options);
    }
    if wants("catch") {
        held &= catch::measure(&court, &clones, &options);
    }
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Options {
    fn read() -> Self {
        let mut options = Options {
            seed: 1,
            commits: 200,
            plant: 10,
            only: None,
            class: None,
            beside: false,
            triage: false,
            show: false,
            warnings: false,
            list: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            merges: false,
            git: Vec::new(),
            guards: Vec::new(),
            clones: Vec::new(),
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("a value");
            let mut number = || value().parse::<usize>().expect("a number");
            match argument.as_str() {
                "--seed" => options.seed = number() as u64,
                "--commits" => options.commits = number(),
                "--plant" => options.plant = number(),
                "--threads" => options.threads = number(),
                "--only" => options.only = Some(value()),
                "--guard" => options.guards.push(value()),
                "--class" => options.class = Some(value()),
                "--list" => options.list = Some(value()),
                "--beside" => options.beside = true,
                "--triage" => options.triage = true,
                "--show" => options.show = true,
                "--warnings" => options.warnings = true,
                "--merges" => options.merges = true,
                // Cargo says this to every benchmark.
                "--bench" => {}
                other => match other.strip_prefix("--git=") {
                    Some(option) => options.git.push(option.to_owned()),
                    None => options.clones.push(argument),
                },
            }
        }
        options
    }
}

/// `part` of `all` in percent.
pub fn percent(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}
