//! Handlers that do nothing. What one is in its language, the reader of the language says.

use guard_sdk::files::is_tooling;
use guard_sdk::language::{Outline, SwallowedError, Unknown, says_expected};
use guard_sdk::text::lines_in;
use guard_sdk::{Change, File, Finding, Hunk, Severity, Side};

/// Characters of a handler that are shown.
const SHOWN: usize = 60;

/// Lines of a handler that does nothing, with its comments.
const LONGEST: u32 = 50;

/// What was not looked for, though the text may have a handler.
#[derive(Default)]
pub struct Unread {
    /// Files that the change is too large for.
    pub beyond_limit: Vec<String>,
    /// The first file on which a reader failed, and how.
    pub failure: Option<String>,
}

impl Unread {
    /// None where nothing is known. A text that does not parse has no handlers that anybody knows.
    fn known(&mut self, path: &str, outline: Result<Outline, Unknown>) -> Option<Outline> {
        match outline {
            Ok(outline) => return Some(outline),
            Err(Unknown::Absent) => return Some(Outline::empty()),
            Err(Unknown::BeyondLimit) => self.beyond_limit.push(path.to_owned()),
            Err(Unknown::Failed(why)) => drop(self.failure.get_or_insert(format!("{path}: {why}"))),
            Err(Unknown::NotGranted | Unknown::Unsupported | Unknown::Broken | Unknown::TooDeep) => {}
            Err(Unknown::Foreign(_) | Unknown::Unreadable(_) | Unknown::Other(_)) => {}
        }
        None
    }

    /// One finding, whatever their number.
    pub fn finding(&self) -> Option<Finding> {
        let first = self.beyond_limit.first()?;
        let more = match self.beyond_limit.len() {
            1 => String::new(),
            2 => ", and 1 more file".to_owned(),
            all => format!(", and {} more files", all - 1),
        };
        let message =
            format!("handlers of {first}{more} were not looked for: the change is larger than one call can read");
        Some(Finding::info("not-judged", message).file(first))
    }
}

pub fn find(change: &Change, file: &File, after: &str, unread: &mut Unread) -> Vec<Finding> {
    let path = file.path();
    let marks = change.languages(Side::After).language(path).map(|language| language.error_marks).unwrap_or_default();
    // A handler that does nothing is short, so that its mark stands near what the change touches of it.
    let near = |hunk: &Hunk| (hunk.new_start.saturating_sub(LONGEST).max(1), hunk.new_lines + 2 * LONGEST);
    let lines = lines_in(after, file.hunks().iter().map(near));
    if !lines.iter().any(|(_, line)| marks.iter().any(|mark| line.contains(mark.as_str()))) {
        return Vec::new();
    }
    let Some(outline) = unread.known(path, change.languages(Side::After).outline(path)) else { return Vec::new() };
    if outline.swallowed.is_empty() {
        return Vec::new();
    }
    let before = change.languages(Side::Before).outline(file.old_path().unwrap_or(path));
    let Some(before) = unread.known(path, before) else { return Vec::new() };
    // Handlers that only moved are no news.
    let gained = outline.swallowed.len().saturating_sub(before.swallowed.len());
    let hunks = file.hunks();
    let code = outline.code(after);
    let lines: Vec<&str> = code.lines().collect();
    // What only developers run may go on: they see what comes of it.
    let is_meant =
        |hidden: &SwallowedError| hidden.is_meant && !(change.is_by_model() && is_only_named(&outline, hidden));
    let is_mild = |hidden: &SwallowedError| {
        is_meant(hidden) || is_tooling(path) || records_success(&lines, hidden) || cleans_up(&lines, hidden)
    };
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

/// Whether nothing but the name of the error says that it is meant: `catch (Exception ignored) {}`. People agree on such names; of a model
/// it is an excuse that it writes for itself.
fn is_only_named(outline: &Outline, hidden: &SwallowedError) -> bool {
    const BROAD: [&str; 8] = [
        "Exception",
        "BaseException",
        "Throwable",
        "RuntimeException",
        "Error",
        "StandardError",
        "exception",
        "object",
    ];
    let lines = hidden.lines.first..=hidden.lines.last;
    let is_said = outline.comments.iter().any(|comment| lines.contains(&comment.line));
    let head = hidden.form.split(['{', ':']).next().unwrap_or_default();
    let words: Vec<&str> = head.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let is_narrow =
        words.iter().any(|word| *word == "when" || (word.starts_with(char::is_uppercase) && !BROAD.contains(word)));
    !is_said && !is_narrow && words.iter().any(|word| says_expected(word))
}

/// Whether the last statement before a handler sets something to true: what failed is then known by its not being true.
fn records_success(code: &[&str], hidden: &SwallowedError) -> bool {
    let above = code.get(..hidden.lines.first.saturating_sub(1) as usize).unwrap_or_default();
    let last = above.iter().rev().map(|line| line.trim()).find(|line| !matches!(*line, "" | "}" | "break" | "break;"));
    let set = last.and_then(|line| line.trim_end_matches(';').rsplit_once('='));
    set.is_some_and(|(name, value)| !name.ends_with(['=', '!', '<', '>']) && matches!(value.trim(), "true" | "True"))
}

/// Whether a handler stands in another one, or in what runs at the end: the first error is on its way, and a second one of the clean-up would
/// only hide it.
fn cleans_up(code: &[&str], hidden: &SwallowedError) -> bool {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let at = (hidden.lines.first as usize).saturating_sub(1);
    let Some(own) = code.get(at).map(|line| depth(line)) else { return false };
    let around = code[..at].iter().rev().find(|line| !line.trim().is_empty() && depth(line) < own);
    around.is_some_and(|line| {
        let head = line.trim().trim_start_matches('}').trim_start();
        ["catch", "except", "rescue", "finally", "ensure"].iter().any(|word| {
            head.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_looked_for_is_said() {
        let mut unread = Unread::default();
        assert!(unread.known("new.py", Err(Unknown::Absent)).is_some(), "a new file had no handlers");
        for why in [Unknown::Broken, Unknown::Unsupported, Unknown::Other("macros".to_owned())] {
            assert!(unread.known("a.py", Err(why)).is_none());
        }
        assert!(unread.finding().is_none() && unread.failure.is_none());
        for path in ["b.py", "c.py"] {
            assert!(unread.known(path, Err(Unknown::BeyondLimit)).is_none());
        }
        let said = unread.finding().unwrap();
        assert!(said.rule == "not-judged" && said.message.contains("b.py, and 1 more file "), "{}", said.message);
        unread.known("d.py", Err(Unknown::Failed("it trapped".to_owned())));
        assert_eq!(unread.failure.as_deref(), Some("d.py: it trapped"));
    }
}
