//! What a program wrote, edited without what it is made from.

use guard_generated::says_generated;
use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{File, Finding};

use crate::Made;

/// Files that are made by a program when they are made at all: edits of a few are by hand, those of many by the program.
const MOST: usize = 3;

pub fn judge(files: &[File], made: &Made) -> Option<Finding> {
    let is_generated = |file: &&File| {
        let is_code = matches!(kind_of(file.path()), Kind::Code | Kind::Generated);
        is_code && file.status() == guard_sdk::Status::Modified && file.before().text().is_ok_and(|text| marked(&text))
    };
    let edited: Vec<&File> = files.iter().filter(is_generated).filter(|file| still_says(file)).collect();
    if edited.is_empty() || edited.len() > MOST {
        return None;
    }
    // It may be made from anything else that changes but tests and documents, and a new version of the generator stands in a lock file.
    let is_source = |file: &&File| {
        let is_edited = edited.iter().any(|other| other.path() == file.path());
        !is_edited && !matches!(kind_of(file.path()), Kind::Test | Kind::TestData | Kind::Document)
    };
    if files.iter().any(|file| is_source(&file)) {
        return None;
    }
    let asked = ["generat", "regenerat", "codegen", "autogen", "protoc", "rebuild", "built", "sync", "update", "bump"];
    if made.speaks_of(&asked) || edited.iter().any(|file| made.names(file.path())) {
        return None;
    }
    let (first, more) = edited.split_first()?;
    let line = first.changed_lines().first().map_or(1, |lines| *lines.start());
    let finding = Finding::error(
        "generated-edited",
        format!("{} says that a program wrote it, and is edited by hand", first.path()),
    )
    .at(first.path(), line)
    .help("Change what it is made from, and run the program again; otherwise the edit is lost when that is next done.");
    let finding = more.iter().fold(finding, |finding, file| finding.related(file.path(), 1..=1, "edited too"));
    Some(made.only_by_models(finding))
}

/// In a comment at its top.
fn marked(text: &str) -> bool {
    let is_comment = |line: &&str| line.trim_start().starts_with(['#', '/', '*', ';', '-', '<']);
    let top: Vec<&str> = text.lines().take(12).filter(is_comment).collect();
    says_generated(&top.join("\n"))
}

/// Whoever takes the mark away says that the file is edited from now on.
fn still_says(file: &File) -> bool {
    file.after().text().is_ok_and(|text| marked(&text))
}
