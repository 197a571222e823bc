//! How many replies, made of real commits and damaged as models damage them, are placed right, refused, or placed wrong.
//!
//! `cargo bench --bench placing -- [--seed N] [--commits N] [--table] [--kind TEXT] [--show WHAT] [--alone] [--python PROGRAM] [--pairs | --neighbours] CLONE…`
//!
//! Takes commits of the clones (seeded), and makes of each a reply of every kind of `kinds/` that it has a place for. The generator
//! knows what it damaged and decides for each trial what ought to come of it: a tree, byte for byte, or a refusal.
//!
//! - `--kind` takes only kinds whose family or name contains the text, `--pairs` every two damages of a diff instead.
//! - `--neighbours` gives every reply an edit that nobody reads, a discarded edit, or an edit after it ([`neighbours`]).
//! - `--shape blanks`, `letters`, `crlf` or `bom` gives every file another name or other bytes ([`shape::Shape`]).
//! - `--table` prints a row a kind. `--show` prints single trials: `wrong`, `refused` (though there is a result), `rightly` (refused),
//!   or those of the kind with that name.
//! - Beside ours run `git apply`, GNU patch and, where `--python` names a Python that has them, aider's and openai-agents' code,
//!   unless `--alone`.
//!
//! Exits with 1 when we placed anything wrong.
//!
//! `-- --cases FILE` takes replies that somebody else wrote, with what ought to come of each ([`cases`]), in the place of clones.
//!
//! `-- --files 50000` measures instead what one patch costs in a repository of that size, `-- --pathological` how the time grows
//! with inputs that are made to take long; `--kind` takes some of them. `-- --hostile` reads replies of 2 and 16 MB that are made to
//! cost time and memory, and exits with 1 if one takes more than a second a MB or 600 MiB.

mod cases;
mod corpus;
mod edit;
mod host;
mod hostile;
mod kinds;
mod large;
mod neighbours;
mod pathological;
#[path = "../../support/random.rs"]
mod random;
mod report;
mod rivals;
mod shape;
#[path = "../../../host/patch/tests/support/stored.rs"]
mod stored;
mod trial;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;

use corpus::Source;
use host::Host;
use kinds::{FAMILIES, Readers, pairs};
use neighbours::Neighbour;
use random::Random;
use report::Report;
use rivals::{Outcome, Rivals};
use shape::Shape;
use trial::{Trial, Verdict, Want};

fn main() -> ExitCode {
    let mut options = Options::read();
    if let Some(files) = options.files {
        large::measure(files).expect("a scratch repository");
        return ExitCode::SUCCESS;
    }
    if options.is_pathological {
        pathological::measure(options.kind.as_deref());
        return ExitCode::SUCCESS;
    }
    if let Some((nth, size)) = options.hostile_one {
        hostile::one(nth, size);
        return ExitCode::SUCCESS;
    }
    if options.is_hostile {
        return if hostile::measure(1.0, 600) { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let mut report = Report::default();
    if let Some(path) = options.cases.clone() {
        let host = Host::new();
        for (kind, readers, trial) in cases::read(&path).expect("cases") {
            let asked = Asked { family: "cases", readers, kind, trial };
            if options.kind.as_deref().is_none_or(|text| asked.kind.contains(text)) {
                run(&asked, &path, &host, &mut options, &mut report);
            }
        }
    }
    for clone in options.clones.clone() {
        let name = clone.trim_end_matches("/repo").rsplit('/').next().unwrap_or(&clone).replace('+', "/");
        println!("{name} `{}`", corpus::head(&clone));
        for source in corpus::sources(&clone, options.commits, &mut Random::new(options.seed)) {
            let source = options.shape.with_names(source);
            let host = Host::new();
            for asked in trials(&source, &options) {
                let origin = format!("{} {}", source.commit, source.edits[0].path);
                run(&asked, &origin, &host, &mut options, &mut report);
            }
        }
    }
    report.print(options.has_table);
    if report.wrong() > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// One trial and where it comes from.
struct Asked {
    family: &'static str,
    readers: Readers,
    kind: String,
    trial: Trial,
}

fn trials(source: &Source, options: &Options) -> Vec<Asked> {
    // Each kind has throws of its own, so that a new kind leaves the trials of the others as they were.
    let thrown = |kind: &str| {
        let mut hasher = DefaultHasher::new();
        (options.seed, kind, &source.commit, &source.edits[0].path).hash(&mut hasher);
        Random::new(hasher.finish())
    };
    let mut all = Vec::new();
    if options.has_pairs {
        let damaged = pairs(source, &mut thrown("pairs"));
        all.extend(damaged.into_iter().map(|(kind, trial)| Asked {
            family: "pairs",
            readers: Readers::Diff,
            kind,
            trial,
        }));
        return all;
    }
    for family in &FAMILIES {
        let wanted =
            |kind: &str| options.kind.as_deref().is_none_or(|text| kind.contains(text) || family.name.contains(text));
        for (kind, make) in family.kinds.iter().filter(|(kind, _)| wanted(kind)) {
            let trial = make(source, &mut thrown(kind)).and_then(|trial| options.shape.with_contents(trial));
            let asked = |trial| Asked { family: family.name, readers: family.readers, kind: (*kind).to_owned(), trial };
            match options.has_neighbours {
                false => all.extend(trial.map(asked)),
                true => {
                    all.extend(trial.iter().flat_map(|trial| beside(trial, kind, family.readers, &mut thrown(kind))))
                }
            }
        }
    }
    all
}

/// The trial with each neighbour; the family is the neighbour's.
fn beside(trial: &Trial, kind: &str, readers: Readers, random: &mut Random) -> Vec<Asked> {
    let asked = |neighbour: Neighbour| {
        let trial = neighbour.beside(trial, random)?;
        Some(Asked { family: neighbour.name(), readers, kind: kind.to_owned(), trial })
    };
    Neighbour::ALL.into_iter().filter_map(asked).collect()
}

fn run(asked: &Asked, origin: &str, host: &Host, options: &mut Options, report: &mut Report) {
    let outcome = host.place(&asked.trial);
    let verdict = asked.trial.judge(&outcome);
    if options.shows(&asked.kind, verdict) {
        show(asked, origin, verdict, &outcome);
    }
    let tally = report.tally(asked.family, &asked.kind);
    tally.count(&asked.trial, verdict);
    if let Some(rivals) = &mut options.rivals {
        for (rival, outcome) in rivals.run(asked.readers, &asked.trial) {
            tally.count_rival(rival, asked.trial.judge(&outcome));
        }
    }
}

/// The trial, and what was made of it: the message, or how the result differs from the wanted one.
fn show(asked: &Asked, origin: &str, verdict: Verdict, outcome: &Outcome) {
    println!("\n===== {verdict:?}: {} / {} ({origin})", asked.family, asked.kind);
    println!("{}", String::from_utf8_lossy(&asked.trial.reply).trim_end());
    let files = match outcome {
        Ok(files) => files,
        Err(message) => return println!("----- {message}"),
    };
    let (wanted, than) = match &asked.trial.want {
        Want::Result(wanted) | Want::AllOrNothing(wanted) => (wanted, "wanted"),
        Want::Refusal => (&asked.trial.tree, "file, of which it ought to be a refusal"),
    };
    println!("----- placed, otherwise than {than}:");
    for path in wanted.keys().chain(files.keys().filter(|path| !wanted.contains_key(*path))) {
        let text = |files: &trial::Files| {
            files.get(path).map_or(String::new(), |file| String::from_utf8_lossy(&file.bytes).into_owned())
        };
        if wanted.get(path) != files.get(path) {
            let edit = edit::Edit::new(path, text(wanted), text(files));
            let hunks: String = edit.hunks(2).iter().map(edit::Hunk::text).collect();
            println!("{path}\n{}", hunks.chars().take(3000).collect::<String>());
        }
    }
}

struct Options {
    seed: u64,
    commits: usize,
    shape: Shape,
    has_pairs: bool,
    has_neighbours: bool,
    has_table: bool,
    is_pathological: bool,
    is_hostile: bool,
    /// The number of a hostile reply, and its size: what each of their processes is asked.
    hostile_one: Option<(usize, usize)>,
    kind: Option<String>,
    show: Option<String>,
    files: Option<usize>,
    /// A file of cases, in the place of clones.
    cases: Option<String>,
    rivals: Option<Rivals>,
    clones: Vec<String>,
}

impl Options {
    fn read() -> Self {
        let mut options = Options {
            seed: 1,
            commits: 10,
            shape: Shape::AsIs,
            has_pairs: false,
            has_neighbours: false,
            has_table: false,
            is_pathological: false,
            is_hostile: false,
            hostile_one: None,
            kind: None,
            show: None,
            files: None,
            cases: None,
            rivals: None,
            clones: vec![],
        };
        let (mut is_alone, mut python) = (false, None);
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("a value");
            match argument.as_str() {
                "--seed" => options.seed = value().parse().expect("a number"),
                "--commits" => options.commits = value().parse().expect("a number"),
                "--shape" => options.shape = Shape::named(&value()).expect("a shape"),
                "--pairs" => options.has_pairs = true,
                "--neighbours" => options.has_neighbours = true,
                "--table" => options.has_table = true,
                "--pathological" => options.is_pathological = true,
                "--hostile" => options.is_hostile = true,
                "--hostile-one" => {
                    let mut number = || value().parse().expect("a number");
                    options.hostile_one = Some((number(), number()));
                }
                "--alone" => is_alone = true,
                "--python" => python = Some(value()),
                "--files" => options.files = Some(value().parse().expect("a number")),
                "--cases" => options.cases = Some(value()),
                "--kind" => options.kind = Some(value()),
                "--show" => options.show = Some(value()),
                // Cargo says this to every benchmark.
                "--bench" => {}
                clone => options.clones.push(clone.to_owned()),
            }
        }
        options.rivals = (!is_alone).then(|| Rivals::new(python.as_deref()));
        options
    }

    fn shows(&self, kind: &str, verdict: Verdict) -> bool {
        match self.show.as_deref() {
            Some("wrong") => verdict == Verdict::Wrong,
            Some("refused") => verdict == Verdict::Refused,
            Some("rightly") => verdict == Verdict::RightlyRefused,
            Some(wanted) => wanted == kind,
            None => false,
        }
    }
}
