//! Patterns of a `.gitignore` that cover what people write: files that are tracked stay, and new ones beside them are never added.

use guard_sdk::files::relative::folder;
use guard_sdk::files::{Kind, kind_of};
use guard_sdk::{File, Finding};
use resolution::{Resolver, is_ignored};

/// Files of the repository that are asked about.
const MOST: u32 = 1_500;

pub fn findings(before: &Resolver, after: &Resolver, file: &File) -> Vec<Finding> {
    if file.name() != ".gitignore" {
        return Vec::new();
    }
    let (Ok(text), at) = (file.after().text(), folder(file.path())) else { return Vec::new() };
    let old = if file.before().is_regular() { file.before().text().unwrap_or_default() } else { String::new() };
    let is_new = |line: &str| {
        !line.is_empty() && !line.starts_with(['#', '!']) && !old.lines().any(|other| other.trim() == line)
    };
    let new: Vec<(u32, &str)> = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| is_new(line)).collect();
    if new.is_empty() {
        return Vec::new();
    }
    let below = if at.is_empty() { "**".to_owned() } else { format!("/{at}/**") };
    // What a program wrote may be ignored from now on, though it is still tracked.
    let is_written = |path: &&String| {
        matches!(kind_of(path), Kind::Code | Kind::Test | Kind::Document) && !path.to_lowercase().contains("generated")
    };
    let all = after.tree().find(&[&below], MOST);
    let covered: Vec<&String> = all
        .iter()
        .filter(is_written)
        .filter(|path| {
            is_ignored(after.tree(), path) && before.tree().is_file(path) && !is_ignored(before.tree(), path)
        })
        .collect();
    let Some(first) = covered.first() else { return Vec::new() };
    let inside = first.strip_prefix(at).unwrap_or(first).trim_start_matches('/');
    let covers = |pattern: &str| {
        let globs = guard_sdk::files::Globs::new(&[pattern.trim_end_matches('/')]);
        globs.is_ok_and(|globs| globs.matches(inside))
    };
    let (line, pattern) = new.iter().find(|(_, line)| covers(line)).unwrap_or(&new[0]);
    let more = if covered.len() > 1 { format!(" and {} more", covered.len() - 1) } else { String::new() };
    let message = format!("`{pattern}` covers {first}{more}, so that git leaves out what is written beside it");
    let help = "Begin the pattern with the folder that is meant, such as `/docs/_build/`, or add an exception by `!`.";
    vec![Finding::error("source-ignored", message).at(file.path(), *line).help(help)]
}
