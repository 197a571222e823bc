//! What people are shown of a change, and who is asked: `.gitattributes` and `CODEOWNERS`.

use guard_sdk::files::{Globs, Kind, kind_of};
use guard_sdk::{Change, File, Finding, Severity, Side};

pub fn is_concerned(file: &File) -> bool {
    matches!(file.name(), ".gitattributes" | "CODEOWNERS")
}

pub fn judge(change: &Change, file: &File) -> Option<Finding> {
    let after = if file.after().is_regular() { file.after().text().ok()? } else { return None };
    let before = if file.before().is_regular() { file.before().text().ok()? } else { String::new() };
    match file.name() {
        ".gitattributes" => hidden(change, file, &before, &after),
        "CODEOWNERS" => unowned(change, file, &before, &after),
        _ => None,
    }
}

/// Attributes by which a page of changes folds a file, or shows no lines of it (gitattributes(5)).
const HIDES: [&str; 6] =
    ["-diff", "binary", "-text", "linguist-generated", "linguist-generated=true", "linguist-vendored"];

fn hidden(change: &Change, file: &File, before: &str, after: &str) -> Option<Finding> {
    let folder = file.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    for (line, text) in (1..).zip(after.lines()) {
        let mut words = text.split_whitespace();
        let Some(pattern) = words.next().filter(|word| !word.starts_with(['#', '['])) else { continue };
        let Some(attribute) = words.find(|word| HIDES.contains(word)) else { continue };
        // Whoever names one file by its path knows what wrote it.
        if !pattern.contains('*') || before.lines().any(|old| old.trim() == text.trim()) {
            continue;
        }
        let globs = Globs::new(&[pattern]).ok()?;
        let below = |path: &str| path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/').to_owned();
        let all = change.repo(Side::After).find(&[&glob(folder, pattern)], 200);
        // What a program wrote may be folded.
        let shown =
            all.iter().find(|path| kind_of(path) == Kind::Code && globs.matches(below(path)) && !is_made(change, path));
        if let Some(path) = shown {
            let message = format!("`{attribute}` hides {path} from whoever reads changes");
            let help = "Leave code that people write to be shown; name only what a program writes.";
            return Some(Finding::error("review-evaded", message).at(file.path(), line).help(help));
        }
    }
    None
}

fn is_made(change: &Change, path: &str) -> bool {
    let text = change.repo(Side::After).text(path).unwrap_or_default();
    let top: String = text.lines().take(20).collect::<Vec<_>>().join("\n").to_lowercase();
    ["generated", "do not edit", "autogen"].iter().any(|word| top.contains(word))
        || text.lines().next().is_some_and(|line| line.len() > 2_000)
}

/// The pattern as a glob of the tree, which an own folder makes longer.
fn glob(folder: &str, pattern: &str) -> String {
    let inside = pattern.trim_start_matches('/');
    match (folder, inside.contains('/')) {
        ("", true) => format!("/{inside}"),
        ("", false) => format!("**/{inside}"),
        (folder, true) => format!("/{folder}/{inside}"),
        (folder, false) => format!("/{folder}/**/{inside}"),
    }
}

/// The last pattern that names a file decides, and one without an owner asks nobody
/// (<https://docs.github.com/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners>).
fn unowned(change: &Change, file: &File, before: &str, after: &str) -> Option<Finding> {
    let rules = |text: &str| -> Vec<(String, bool)> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let rule = |line: &str| {
            let mut words = line.split_whitespace();
            Some((words.next()?.to_owned(), words.next().is_some()))
        };
        lines.filter_map(rule).collect()
    };
    let (was, is) = (rules(before), rules(after));
    let covers = |pattern: &str, path: &str| Globs::new(&[pattern]).is_ok_and(|globs| globs.matches(path));
    let owned = |rules: &[(String, bool)], path: &str| {
        rules.iter().rfind(|(pattern, _)| covers(pattern, path)).is_some_and(|(_, owned)| *owned)
    };
    let paths = change.repo(Side::After).find(&["/*", "/.github/**", "/*/*"], 300);
    let lost = paths.iter().find(|path| owned(&was, path) && !owned(&is, path))?;
    let line = file.changed_lines().first().map_or(1, |lines| *lines.start());
    let message = format!("nobody is asked any more when {lost} changes");
    let help = "Keep an owner for what had one; a pattern without an owner stands behind none that has one.";
    let finding = Finding::error("review-evaded", message).at(file.path(), line).help(help);
    // People decide who reads; a model does not.
    Some(if change.is_by_model() { finding } else { Finding { severity: Severity::Warning, ..finding } })
}
