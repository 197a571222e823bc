//! The findings of all guards, by file, each thing once.

use std::collections::{BTreeMap, BTreeSet};

use super::quote::{abridged, clean, quoted};
use guardhost_core::change::{Evidence, Finding, Mode, Quotes, Rejection, Severity};

/// Bytes of one message, and of the help beside it: one finding must not crowd out the others.
pub(super) const MESSAGE: usize = 800;

/// Bytes of a quoted line.
const LINE: usize = 160;

/// Words from which on one message is taken for another that holds all of them.
const WORDS: usize = 3;

/// Something to tell, in words.
#[derive(Default)]
pub(super) struct FindingText {
    pub text: String,
    /// What goes in first when not all fits: the most severe, and of those the first of each file before the second of any.
    pub rank: (Option<Severity>, usize),
}

/// The file with the most severe first; within it by severity and line.
pub(super) fn items(rejection: &Rejection) -> Vec<FindingText> {
    let mut items = Vec::new();
    add_items(rejection, &[], "", &mut items);
    if let Some(later) = &rejection.after_autofix {
        let known: Vec<&Finding> = enforced(rejection).flat_map(|evidence| evidence.verdict.findings()).collect();
        add_items(later, &known, " (as it would be with the errors above fixed)", &mut items);
    }
    items
}

pub(super) fn enforced(rejection: &Rejection) -> impl Iterator<Item = &Evidence> {
    rejection.judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce)
}

/// A finding, and all who say so: `guard/rule`.
struct MergedFinding<'a> {
    finding: &'a Finding,
    by: Vec<String>,
}

fn add_items(rejection: &Rejection, known: &[&Finding], aside: &str, items: &mut Vec<FindingText>) {
    let mut files: BTreeMap<Option<&str>, Vec<MergedFinding>> = BTreeMap::new();
    for evidence in enforced(rejection) {
        let news = |finding: &&Finding| {
            !known.iter().any(|known| {
                (&known.rule, &known.path, &known.message) == (&finding.rule, &finding.path, &finding.message)
            })
        };
        for finding in evidence.verdict.findings().iter().filter(news) {
            say(files.entry(finding.path.as_deref()).or_default(), finding, &evidence.id);
        }
    }
    let mut files: Vec<_> = files.into_iter().collect();
    for (_, said) in &mut files {
        said.sort_by_key(|said| (said.finding.severity, said.finding.line));
    }
    files.sort_by_key(|(_, said)| said.first().map(|said| said.finding.severity));
    for (path, said) in files {
        let path = path.unwrap_or("(the whole change)");
        let mut quoted = BTreeSet::new();
        for (nth, said) in said.iter().enumerate() {
            let rank = (Some(said.finding.severity), nth);
            items.push(FindingText { text: text(said, (path, aside), &rejection.quotes, &mut quoted), rank });
        }
    }
}

/// Adds it, or its guard to those who say the same of that line.
fn say<'a>(all: &mut Vec<MergedFinding<'a>>, finding: &'a Finding, guard: &str) {
    let by = format!("{guard}/{}", finding.rule);
    let other_guard = |said: &MergedFinding| !said.by.iter().any(|by| by.split('/').next() == Some(guard));
    let same = |said: &&mut MergedFinding| {
        let other = said.finding;
        other.line == finding.line
            && (other.message == finding.message
                || (other_guard(said) && (alike(other, finding) || cures(other, finding))))
    };
    match all.iter_mut().find(same) {
        Some(said) => {
            if !said.by.contains(&by) {
                said.by.push(by);
            }
            // The more severe of the two is kept; of equals the one that says what to do.
            let better = |finding: &Finding| (finding.severity, finding.help.is_none());
            if better(finding) < better(said.finding) {
                said.finding = finding;
            }
        }
        None => all.push(MergedFinding { finding, by: vec![by] }),
    }
}

/// One of the messages has all the words of the other.
fn alike(one: &Finding, other: &Finding) -> bool {
    let words = |finding: &Finding| -> BTreeSet<String> {
        let words = finding.message.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    one.len().min(other.len()) >= WORDS && (one.is_subset(&other) || other.is_subset(&one))
}

/// The same edits fix both.
fn cures(one: &Finding, other: &Finding) -> bool {
    let edits = |finding: &Finding| finding.fix.as_ref().map(|fix| fix.edits.clone()).filter(|edits| !edits.is_empty());
    edits(one).is_some_and(|edits_of_one| edits(other) == Some(edits_of_one))
}

/// `PATH:LINE: SEVERITY: MESSAGE [GUARD/RULE]`, as compilers say it, then the source and the help.
fn text(
    MergedFinding { finding, by }: &MergedFinding,
    (path, aside): (&str, &str),
    quotes: &Quotes,
    quoted_already: &mut BTreeSet<u32>,
) -> String {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let lines = match (finding.line, finding.end_line) {
        (Some(line), Some(end)) if end > line => format!(":{line}-{end}"),
        (Some(line), _) => format!(":{line}"),
        (None, _) => String::new(),
    };
    let head = format!("{}{lines}: {severity}{aside}: ", clean(path));
    let by = by.join(", ");
    if let Some(why) = quotes.withheld(finding) {
        return quoted(&format!("{head}(what it says is not shown: {why}) [{by}]"), "");
    }
    let message = abridged(&finding.message, MESSAGE);
    let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
    let mut text = quoted(&format!("{head}{} [{by}]", first.trim_end()), "") + &quoted(rest, "    ");
    if let (Some(path), Some(first)) = (&finding.path, finding.line) {
        let last = finding.end_line.unwrap_or(first);
        let mut shown = first;
        for (line, source) in quotes.lines(path, first, last) {
            shown = line;
            // What the message itself quotes, or an item above, is not said again.
            let is_said = source.trim().is_empty() || finding.message.contains(source.trim());
            if !is_said && quoted_already.insert(line) {
                text.push_str(&quoted(&format!("{line}: {}", abridged(source, LINE)), "    "));
            }
        }
        if shown > first && shown < last {
            text.push_str(&quoted("…", "    "));
        }
    }
    if let Some(help) = &finding.help {
        text.push_str(&quoted(&format!("help: {}", abridged(help, MESSAGE)), "    "));
    }
    text
}
