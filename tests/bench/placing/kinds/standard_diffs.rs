//! Diffs as `diff` and `git` write them in the forms that are not unified.

use std::process::Command;

use super::super::corpus::Source;
use super::super::trial::Trial;
use super::{Make, fenced};

pub const KINDS: [(&str, Make); 5] = [
    ("context diff", |source, _| written(source, "diff", &["-c"], |text| fenced("diff", text))),
    ("context diff of fewer lines, bare", |source, _| written(source, "diff", &["-C1"], str::to_owned)),
    ("normal diff below its command", |source, _| {
        let path = source.plain()?.path.clone();
        let reply = move |text: &str| format!("$ diff {path}.orig {path}\n{}", fenced("", text));
        written(source, "diff", &[], reply)
    }),
    ("word diff of git", |source, _| {
        written(source, "git", &["diff", "--no-index", "--word-diff"], |text| format!("$ git diff --word-diff\n{text}"))
    }),
    ("word diff of git, in a fence", |source, _| {
        written(source, "git", &["diff", "--no-index", "--word-diff"], |text| fenced("diff", text))
    }),
];

/// What the program writes of the file before and after the commit.
fn written(source: &Source, program: &str, options: &[&str], reply: impl Fn(&str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let folder = tempfile::tempdir().ok()?;
    let new = folder.path().join(&edit.path);
    std::fs::create_dir_all(new.parent()?).ok()?;
    let old = format!("{}.orig", edit.path);
    std::fs::write(folder.path().join(&old), &edit.before).ok()?;
    std::fs::write(&new, &edit.after).ok()?;
    let output =
        Command::new(program).current_dir(folder.path()).args(options).args([&old, &edit.path]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|text| !text.is_empty())?;
    Some(Trial::right(edit, reply(&text)))
}
