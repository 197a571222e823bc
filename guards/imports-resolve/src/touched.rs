//! A touched file whose imports are judged.

use std::ops::RangeInclusive;

use guard_generated::{is_generated, says_generated};
use guard_sdk::files::Language;
use guard_sdk::text::lines_in;
use guard_sdk::{File, Status};
use resolution::{Import, is_test_data, language_of};

pub struct Touched<'c> {
    pub file: File<'c>,
    /// Runs of lines that the change brings in; None where the file is new at its place, with all its lines.
    changed: Option<Vec<RangeInclusive<u32>>>,
    /// The change marks a file of the base as generated, so that no later import of it would be judged.
    pub is_marked: bool,
}

impl<'c> Touched<'c> {
    /// None for a file that is not there, is fed to tests, was made by a program, or has no new line that an import may stand in.
    pub fn new(file: File<'c>) -> Option<Self> {
        let language = language_of(file.path())?;
        if !file.after().is_regular() || is_test_data(file.path()) || is_made(file.path()) {
            return None;
        }
        let text = file.after().text().ok()?;
        // A change does not say of a file that a program writes it: the base has to say so too.
        let before = file.before().is_regular().then(|| file.before().text().ok()).flatten();
        let is_made = |text: &str| says_generated(text) || is_generated(text);
        if is_made(&text) && before.as_deref().is_none_or(is_made) {
            return None;
        }
        let is_marked = before.is_some() && says_generated(&text);
        let changed = match file.status() {
            Status::Added | Status::Renamed | Status::Copied | Status::TypeChanged => None,
            Status::Modified | Status::Deleted => Some(file.changed_lines()),
        };
        let worth = match &changed {
            None => true,
            Some(runs) => lines(&text, runs).any(|line| may_import(language, line)),
        };
        (worth || is_marked).then_some(Touched { file, changed, is_marked })
    }

    /// Whether the change wrote a line of the statement that an import stands in.
    pub fn may_bring(&self, import: &Import) -> bool {
        let (first, last) = import.statement;
        let (first, last) = (first.min(import.line), last.max(import.line));
        self.changed.as_ref().is_none_or(|runs| {
            let next = runs.partition_point(|run| *run.end() < first);
            runs.get(next).is_some_and(|run| *run.start() <= last)
        })
    }
}

fn lines<'t>(text: &'t str, runs: &[RangeInclusive<u32>]) -> impl Iterator<Item = &'t str> {
    let runs = runs.iter().map(|run| (*run.start(), run.end() - run.start() + 1));
    lines_in(text, runs).into_iter().map(|(_, line)| line)
}

/// Whether a line may be of an import: it has a word of one, or nothing but names, as in a list of them.
fn may_import(language: Language, line: &str) -> bool {
    let words: &[&str] = match language {
        Language::Python => &["import"],
        Language::JavaScript => &["import", "require", "from", "export"],
        Language::Rust => &["use", "mod", "extern"],
        Language::Go => &["\"", "`"],
        _ => &[],
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
