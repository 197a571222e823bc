//! A touched file whose imports are judged.

use std::ops::RangeInclusive;

use guard_sdk::{File, Status};
use resolution::{Import, Language, is_test_data};

/// A file of which a fifth is one line of more bytes than these is made by a program.
const LONGEST: usize = 4_000;

pub struct Touched<'c> {
    pub file: File<'c>,
    /// Runs of lines that the change brings in; None where the file is new at its place, with all its lines.
    changed: Option<Vec<RangeInclusive<u32>>>,
}

impl<'c> Touched<'c> {
    /// None for a file that is not there, is fed to tests, was made by a program, or has no new line that an import may stand in.
    pub fn of(file: File<'c>) -> Option<Self> {
        let language = Language::of(file.path())?;
        if !file.after().is_regular() || is_test_data(file.path()) || is_made(file.path()) {
            return None;
        }
        let text = file.after().text().ok()?;
        // A change does not say of a file that a program writes it: the base has to say so too.
        let before = file.before().is_regular().then(|| file.before().text().ok()).flatten();
        if is_generated(&text) && before.as_deref().is_none_or(is_generated) {
            return None;
        }
        let changed = match file.status() {
            Status::Added | Status::Renamed | Status::Copied | Status::TypeChanged => None,
            Status::Modified | Status::Deleted => Some(file.changed_lines()),
        };
        let worth = match &changed {
            None => true,
            Some(runs) => lines(&text, runs).any(|line| may_import(language, line)),
        };
        worth.then_some(Touched { file, changed })
    }

    /// Whether the change wrote a line of the statement that an import stands in.
    pub fn may_bring(&self, import: &Import) -> bool {
        let (first, last) = import.statement;
        let (first, last) = (first.min(import.line), last.max(import.line));
        self.changed.as_ref().is_none_or(|runs| runs.iter().any(|run| *run.start() <= last && *run.end() >= first))
    }
}

fn lines<'t>(text: &'t str, runs: &'t [RangeInclusive<u32>]) -> impl Iterator<Item = &'t str> {
    let mut runs = runs.iter().peekable();
    (1..).zip(text.lines()).filter_map(move |(number, line)| {
        while runs.next_if(|run| number > *run.end()).is_some() {}
        runs.peek().is_some_and(|run| run.contains(&number)).then_some(line)
    })
}

/// Whether a line may be of an import: it has a word of one, or nothing but names, as in a list of them.
fn may_import(language: Language, line: &str) -> bool {
    let words: &[&str] = match language {
        Language::Python => &["import"],
        Language::JavaScript => &["import", "require", "from", "export"],
        Language::Rust => &["use", "mod", "extern"],
        Language::Go => &["\"", "`"],
    };
    let of_names = |c: char| c.is_alphanumeric() || "_$ \t,{}*():.\"'-/@;#".contains(c);
    words.iter().any(|word| line.contains(word))
        || (!line.trim().is_empty() && line.len() <= 200 && line.chars().all(of_names))
}

fn is_made(path: &str) -> bool {
    [
        "_pb2.py",
        "_pb2.pyi",
        "_pb2_grpc.py",
        ".pb.go",
        "_generated.go",
        ".min.js",
        "/dist/",
        "/generated/",
        "/__generated__/",
    ]
    .iter()
    .any(|part| path.contains(part))
        || path.starts_with("dist/")
}

fn is_generated(text: &str) -> bool {
    says_generated(text) || text.lines().any(|line| line.len() > LONGEST && line.len() * 5 > text.len())
}

/// As generators mark what they write (<https://go.dev/s/generatedcode>).
fn says_generated(text: &str) -> bool {
    text.lines().take(12).any(|line| line.contains("DO NOT EDIT") || line.contains("@generated"))
}
