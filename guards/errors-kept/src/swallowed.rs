//! Handlers that do nothing. What one is in its language, the reader of the language says.

use guard_sdk::files::is_tooling;
use guard_sdk::language::{Outline, SwallowedError, Unknown};
use guard_sdk::{Change, File, Finding, Hunk, Severity, Side};

/// Characters of a handler that are shown.
const SHOWN: usize = 60;

pub fn find(change: &Change, file: &File, after: &str) -> Vec<Finding> {
    let path = file.path();
    let marks = change.languages(Side::After).language(path).map(|language| language.error_marks).unwrap_or_default();
    if !marks.iter().any(|mark| after.contains(mark.as_str())) {
        return Vec::new();
    }
    // A text that does not parse has no handlers that anybody knows.
    let Ok(outline) = change.languages(Side::After).outline(path) else { return Vec::new() };
    if outline.swallowed.is_empty() {
        return Vec::new();
    }
    let stood = match change.languages(Side::Before).outline(file.old_path().unwrap_or(path)) {
        Ok(before) => before.swallowed.len(),
        Err(Unknown::Absent) => 0,
        Err(_) => return Vec::new(),
    };
    // Handlers that only moved are no news.
    let gained = outline.swallowed.len().saturating_sub(stood);
    let hunks = file.hunks();
    let code = outline.code(after);
    let lines: Vec<&str> = code.lines().collect();
    // What only developers run may go on: they see what comes of it.
    let is_mild = |hidden: &SwallowedError| hidden.is_meant || is_tooling(path) || records_success(&lines, hidden);
    let mut found: Vec<(bool, &SwallowedError)> =
        touched(&outline, &hunks).map(|hidden| (is_mild(hidden), hidden)).collect();
    found.sort_by_key(|(mild, _)| *mild);
    found.truncate(gained);
    let of = |severity| {
        let of_it =
            found.iter().filter(|(mild, _)| *mild == (severity == Severity::Warning)).map(|(_, hidden)| *hidden);
        finding(path, &of_it.collect::<Vec<_>>(), severity)
    };
    [Severity::Error, Severity::Warning].into_iter().filter_map(of).collect()
}

/// Those that the change writes, or from which it takes what they did.
fn touched<'o>(outline: &'o Outline, hunks: &[Hunk]) -> impl Iterator<Item = &'o SwallowedError> {
    let is_touched = |hidden: &&SwallowedError| {
        let lines = hidden.lines.first..=hidden.lines.last;
        hunks.iter().any(|hunk| {
            (hunk.new_start..=hunk.new_start + hunk.new_lines.saturating_sub(1)).any(|line| lines.contains(&line))
        })
    };
    outline.swallowed.iter().filter(is_touched)
}

/// Whether the last statement before a handler sets something to true: what failed is then known by its not being true.
fn records_success(code: &[&str], hidden: &SwallowedError) -> bool {
    let above = code.get(..hidden.lines.first.saturating_sub(1) as usize).unwrap_or_default();
    let last = above.iter().rev().map(|line| line.trim()).find(|line| !matches!(*line, "" | "}"));
    let set = last.and_then(|line| line.trim_end_matches(';').rsplit_once('='));
    set.is_some_and(|(name, value)| !name.ends_with(['=', '!', '<', '>']) && matches!(value.trim(), "true" | "True"))
}

fn finding(path: &str, all: &[&SwallowedError], severity: Severity) -> Option<Finding> {
    let (first, others) = all.split_first()?;
    let shown = |hidden: &SwallowedError| hidden.form.chars().take(SHOWN).collect::<String>();
    let more = if others.is_empty() { String::new() } else { format!(", and {} more like it", others.len()) };
    let finding = Finding::error("error-swallowed", format!("`{}` hides every error of what it surrounds{more}", shown(first)))
        .at(path, first.lines.first)
        .to(first.lines.last)
        .help("Handle the error, log it, or let it go up; catch only the kind that you expect, and say in a comment why it may be ignored.");
    let finding = others
        .iter()
        .take(9)
        .fold(finding, |finding, other| finding.related(path, other.lines.first..=other.lines.last, shown(other)));
    Some(Finding { severity, ..finding })
}
