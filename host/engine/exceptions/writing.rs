//! Comments that allow what a judgement found, written into the texts of a change. A comment stands only where the reader of the language says
//! that no program runs it: never in a string, and never behind a sign that is no comment there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use guardhost_core::change::{Candidate, Evidence, Finding, HostRule, Judgement, Mode, Severity};
use guardhost_core::error::Result;

use super::comment::{self, AllowComment};
use super::marks::CommentMarks;
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::set::GuardSet;

/// Characters of the longest line that a comment is put behind; it stands above a longer one.
const MAX_LINE: usize = 100;

/// What comments would allow.
#[derive(Debug, Default)]
pub struct WrittenComments {
    pub files: Vec<CommentedText>,
    /// Findings without a comment, and why.
    pub left: Vec<(String, &'static str)>,
}

/// A text of the change with comments in it.
#[derive(Debug)]
pub struct CommentedText {
    /// As findings have it.
    pub path: String,
    pub before: Arc<str>,
    pub after: String,
    /// How many findings it allows.
    pub findings: usize,
}

/// Comments for all errors and warnings of enforced guards. What no comment can allow, and secrets, are left.
///
/// # Errors
/// The work was stopped, or the machine lacks something.
pub fn write_comments(
    set: &GuardSet,
    candidate: &Candidate,
    judgement: &Judgement,
    reason: &str,
) -> Result<WrittenComments> {
    let change = ChangeView::new(candidate.clone(), None, &Arc::default());
    let mut written = WrittenComments::default();
    // By file and line, the rules.
    let mut wanted: BTreeMap<(usize, u32), BTreeSet<String>> = BTreeMap::new();
    let mut findings: BTreeMap<(usize, u32), Vec<String>> = BTreeMap::new();
    for evidence in judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce) {
        for finding in evidence.verdict.findings() {
            if finding.severity == Severity::Info {
                continue;
            }
            match place(evidence, finding, &change) {
                Ok(at) => {
                    wanted.entry(at).or_default().insert(format!("{}/{}", evidence.id, finding.rule));
                    findings.entry(at).or_default().push(shown(evidence, finding));
                }
                Err(why) => written.left.push((shown(evidence, finding), why)),
            }
        }
    }
    let files: BTreeSet<usize> = wanted.keys().map(|(file, _)| *file).collect();
    for file in files {
        let Ok(before) = change.text(file, TreeSide::After) else { continue };
        let mut text = CommentableText { set, path: candidate.files[file].path.to_string(), text: before.to_string() };
        let mut allowed = 0;
        // From the last line on, so that the others keep their numbers.
        for ((_, line), rules) in wanted.range((file, 0)..=(file, u32::MAX)).rev() {
            let of_line = findings.remove(&(file, *line)).unwrap_or_default();
            match text.allow(*line, rules, reason)? {
                true => allowed += of_line.len(),
                false => written.left.extend(of_line.into_iter().map(|shown| (shown, NO_COMMENT))),
            }
        }
        if allowed > 0 {
            let CommentableText { path, text, .. } = text;
            written.files.push(CommentedText { path, before, after: text, findings: allowed });
        }
    }
    Ok(written)
}

const NO_COMMENT: &str = "no comment is possible there";

/// The file and line beside which a comment counts.
fn place(evidence: &Evidence, finding: &Finding, change: &ChangeView) -> Result<(usize, u32), &'static str> {
    if evidence.id == HostRule::NoOwnExceptions.id() {
        return Err("a comment does not allow comments");
    }
    if finding.is_secret {
        return Err("a secret is taken out, or allowed by hand");
    }
    let (Some(path), Some(line)) = (&finding.path, finding.line.filter(|line| *line > 0)) else {
        return Err("it is about no line");
    };
    let file = change.candidate.files.iter().position(|file| file.path.to_string() == *path);
    let file = file.ok_or("its file is not part of the change")?;
    match change.text(file, TreeSide::After) {
        Ok(_) => Ok((file, line)),
        Err(_) => Err("its file has no text"),
    }
}

fn shown(evidence: &Evidence, finding: &Finding) -> String {
    let at = match (&finding.path, finding.line) {
        (Some(path), Some(line)) => format!("{path}:{line} "),
        (Some(path), None) => format!("{path} "),
        (None, _) => String::new(),
    };
    format!("{at}{}/{}", evidence.id, finding.rule)
}

struct CommentableText<'a> {
    set: &'a GuardSet,
    path: String,
    text: String,
}

impl CommentableText<'_> {
    /// Whether a comment stands beside the line now that allows the rules.
    fn allow(&mut self, number: u32, rules: &BTreeSet<String>, reason: &str) -> Result<bool> {
        let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
        let index = number as usize - 1;
        let Some(line) = lines.get(index) else { return Ok(false) };
        let above = index.checked_sub(1).and_then(|above| lines.get(above)).copied();
        if let Some((at, there)) = comment::beside(line, above, number) {
            // A line has one comment, so that names the others too.
            let all: BTreeSet<&str> = there.rules().chain(rules.iter().map(String::as_str)).collect();
            let more = with_rules(&there, &all.into_iter().collect::<Vec<_>>().join(","));
            let old = lines[at as usize - 1];
            let new = old.replacen(&there.to_string(), &more, 1);
            if new == old {
                return Ok(false);
            }
            let new = new.clone();
            return self.take_if_comment(replaced(&lines, at as usize - 1, &new), at);
        }
        let Some((open, close)) = self.marks().signs(&self.text)? else { return Ok(false) };
        let words = rules.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        let said = format!("{open} {}{close}", AllowComment { rule: &words, reason });
        let (content, ending) = line.split_at(line.trim_end_matches(['\r', '\n']).len());
        let newline = if ending.is_empty() { "\n" } else { ending };
        let behind = format!("{}  {said}{ending}", content.trim_end());
        let indent = &content[..content.len() - content.trim_start().len()];
        let above = format!("{indent}{said}{newline}{line}");
        let is_short = behind.trim_end().chars().count() <= MAX_LINE;
        let behind = (replaced(&lines, index, &behind), number);
        let above = (replaced(&lines, index, &above), number);
        let ways = if is_short { [behind, above] } else { [above, behind] };
        for (text, at) in ways {
            if self.take_if_comment(text, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn marks(&self) -> CommentMarks<'_> {
        CommentMarks { set: self.set, path: &self.path }
    }

    /// Takes the text if its reader says that the mark of the line stands in a comment.
    fn take_if_comment(&mut self, text: String, number: u32) -> Result<bool> {
        let is_comment = self.marks().is_comment(&text, number)? == Some(true);
        if is_comment {
            self.text = text;
        }
        Ok(is_comment)
    }
}

/// The comment as it stands, with other rules.
fn with_rules(there: &AllowComment, rules: &str) -> String {
    AllowComment { rule: rules, reason: there.reason }.to_string()
}

fn replaced(lines: &[&str], index: usize, line: &str) -> String {
    [&lines[..index].concat(), line, &lines[index + 1..].concat()].concat()
}
