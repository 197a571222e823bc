//! Findings that do not count, because a person allowed them: by a comment on the line, or by a baseline.

pub mod baseline;
pub mod comment;
mod marks;
pub mod names;
pub mod unused;
pub mod writing;

use std::collections::HashMap;
use std::sync::Arc;

use guardhost_core::change::{
    Allowance, AllowedFinding, Candidate, ChangeType, Evidence, Finding, GuardVerdict, HostRule, Judgement, Severity,
};

use crate::bindings::guardhost::guard::change::Hunk;
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::text::escape::escape_line;
use baseline::Baseline;
use comment::{AllowComment, CommentTrust};
use names::PinNames;

/// What a person allows in a change. The default trusts the comments that the base has.
#[derive(Debug, Clone, Default)]
pub struct Exceptions {
    pub comments: CommentTrust,
    pub baseline: Baseline,
    /// Other names of the guards.
    pub names: PinNames,
}

/// The exceptions of one change. Guards are passed in their order, because each entry of the baseline allows one finding.
pub struct ChangeExceptions<'a> {
    change: &'a ChangeView,
    comments: CommentTrust,
    baseline: Baseline,
    names: PinNames,
    /// The candidate's files in which findings lie, by path as findings have it; None without text.
    files: HashMap<String, Option<SourceLines>>,
}

/// A file of the candidate, by lines.
struct SourceLines {
    /// Index into the candidate's files.
    file: usize,
    text: Arc<str>,
    /// Of each line's first byte.
    starts: Vec<usize>,
    has_comments: bool,
}

impl<'a> ChangeExceptions<'a> {
    pub fn new(exceptions: &Exceptions, change: &'a ChangeView) -> Self {
        let Exceptions { comments, baseline, names } = exceptions.clone();
        ChangeExceptions { change, comments, baseline, names, files: HashMap::new() }
    }

    /// Moves the findings that are allowed from the verdict to `allowed`. A rejection without an error that counts becomes a pass.
    pub fn apply(&mut self, evidence: &mut Evidence) {
        let (findings, rejects) = match &mut evidence.verdict {
            GuardVerdict::Pass(findings) => (std::mem::take(findings), false),
            GuardVerdict::Reject(findings) => (std::mem::take(findings), true),
            GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => return,
        };
        let mut kept = Vec::with_capacity(findings.len());
        for finding in findings {
            match self.allowance(&evidence.id, &finding) {
                Some(by) => evidence.allowed.push(AllowedFinding { finding, by }),
                None => kept.push(finding),
            }
        }
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        // What a guard rejects for warnings alone stays rejected for as long as one of them counts.
        let was_error = evidence.allowed.iter().any(|allowed| is_error(&allowed.finding));
        let still = evidence.allowed.is_empty() || if was_error { kept.iter().any(is_error) } else { !kept.is_empty() };
        evidence.verdict = if rejects && still { GuardVerdict::Reject(kept) } else { GuardVerdict::Pass(kept) };
    }

    fn allowance(&mut self, guard: &str, finding: &Finding) -> Option<Allowance> {
        if self.comments == CommentTrust::None && self.baseline.is_empty() {
            return None;
        }
        let (trust, change, names) = (self.comments, self.change, self.names.clone());
        let lines = self.lines(finding);
        if let (Some(lines), Some(line)) = (lines, finding.line)
            && let Some((at, comment)) = lines.comment_beside(line)
            && names.all(guard).any(|name| comment.names(name, &finding.rule))
            && is_trusted(trust, change, lines.file, at)
        {
            return Some(Allowance::Comment { line: at, reason: comment.reason.to_owned() });
        }
        let line = lines.zip(finding.line).and_then(|(lines, line)| lines.line(line)).map(str::to_owned);
        let is_known = names.all(guard).any(|name| self.baseline.take(name, finding, line.as_deref()));
        is_known.then_some(Allowance::Baseline)
    }

    /// The file in which a finding lies; None when it is not one of the candidate, or no text.
    fn lines(&mut self, finding: &Finding) -> Option<&SourceLines> {
        let path = finding.path.as_ref()?;
        let open = || SourceLines::open(self.change, path);
        self.files.entry(path.clone()).or_insert_with(open).as_ref()
    }
}

/// A baseline of all findings that count in a judgement.
pub fn baseline_of(candidate: &Candidate, judgement: &Judgement) -> Baseline {
    let change = ChangeView::new(candidate.clone(), None, &Arc::default());
    let mut exceptions = ChangeExceptions::new(&Exceptions::default(), &change);
    let mut baseline = Baseline::default();
    for evidence in &judgement.evidence {
        for finding in evidence.verdict.findings() {
            let line = exceptions.lines(finding).zip(finding.line).and_then(|(lines, line)| lines.line(line));
            baseline.add(&evidence.id, finding, line);
        }
    }
    baseline
}

/// Whether the comment in this line of the candidate's file counts.
fn is_trusted(comments: CommentTrust, change: &ChangeView, file: usize, line: u32) -> bool {
    match comments {
        CommentTrust::Any => true,
        CommentTrust::None => false,
        CommentTrust::Base => stood_there(change, file, line),
    }
}

/// Whether the line was in the same file of the base, where the change leaves it. Neither a copy nor a move is: a comment allows what
/// stands on its place.
fn stood_there(change: &ChangeView, file: usize, line: u32) -> bool {
    let shown = &change.candidate.files[file];
    // A text that no reader could follow had its comments all the same, and whoever added one was asked for it.
    let change = change.as_made();
    let Some(file) = change.candidate.files.iter().position(|made| made.path == shown.path) else { return false };
    let made = &change.candidate.files[file];
    let is_new = match made.change_type {
        ChangeType::Add | ChangeType::Copy => true,
        ChangeType::Rename => shown.change_type == ChangeType::Add,
        ChangeType::Modify | ChangeType::Delete => false,
    };
    // A file of which most is new is another file under the name, or with the name's past.
    let most = |hunks: &[Hunk]| {
        let new: u32 = hunks.iter().map(|hunk| hunk.new_lines).sum();
        let all = change.text(file, TreeSide::After).map_or(0, |text| text.lines().count() as u32);
        made.change_type == ChangeType::Rename && new > all / 2
    };
    !is_new
        && change.hunks(file).is_ok_and(|hunks| {
            !most(hunks)
                && !hunks
                    .iter()
                    .any(|hunk| (hunk.new_start..hunk.new_start.saturating_add(hunk.new_lines)).contains(&line))
        })
}

impl SourceLines {
    fn open(change: &ChangeView, path: &str) -> Option<Self> {
        let file = change.candidate.files.iter().position(|file| file.path.to_string() == path)?;
        let text = change.text(file, TreeSide::After).ok()?;
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let has_comments = comment::mentions(&text);
        Some(SourceLines { file, text, starts, has_comments })
    }

    /// From 1, with its line ending.
    fn line(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        self.text.get(*self.starts.get(index)?..end)
    }

    fn comment_beside(&self, line: u32) -> Option<(u32, AllowComment<'_>)> {
        if !self.has_comments {
            return None;
        }
        comment::beside(self.line(line)?, line.checked_sub(1).and_then(|above| self.line(above)), line)
    }
}

/// The rejection of comments that the change adds although only a person may. Without it a model's change could add one today, and use it
/// in the next. None when there are none.
pub fn no_own_exceptions(comments: CommentTrust, change: &ChangeView) -> Option<Evidence> {
    if comments == CommentTrust::Any {
        return None;
    }
    let mut findings = Vec::new();
    for (index, file) in change.candidate.files.iter().enumerate() {
        let Ok(after) = change.text(index, TreeSide::After) else { continue };
        if !comment::mentions(&after) {
            continue;
        }
        for (line, comment) in comment::all(&after) {
            if !stood_there(change, index, line) {
                findings.push(added(file.path.to_string(), line, comment.rule));
            }
        }
    }
    (!findings.is_empty()).then(|| HostRule::NoOwnExceptions.rejection(findings))
}

fn added(path: String, line: u32, rule: &str) -> Finding {
    let message = format!("the change adds a comment that allows findings of `{}`", escape_line(rule, 100));
    let help = "Remove the comment, and fix what the guards find. A person can add such a comment, or write \
                `allow_comments = \"any\"` under `[policy]` in guards.toml.";
    Finding {
        path: Some(path),
        line: Some(line),
        end_line: Some(line),
        help: Some(help.to_owned()),
        ..Finding::new("comment-added", Severity::Error, message)
    }
}
