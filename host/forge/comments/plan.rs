//! What is kept, new, resolved, or only in the summary.

use super::hunks::{CommentPosition, DiffLines};
use super::{CommentFingerprint, MAX_NEW};
use guardhost_core::change::{Finding, Severity};

/// A finding, and the guard or critic that it is of.
#[derive(Debug, Clone)]
pub struct Remark {
    pub by: String,
    pub finding: Finding,
}

impl Remark {
    /// `guard/rule`.
    pub fn rule(&self) -> String {
        format!("{}/{}", self.by, self.finding.rule)
    }
}

/// A comment of an earlier push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Existing {
    pub id: u64,
    pub fingerprint: CommentFingerprint,
    pub is_resolved: bool,
}

/// A finding that has its comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistingComment {
    /// Into the findings.
    pub finding: usize,
    pub id: u64,
    pub fingerprint: CommentFingerprint,
    /// The comment says that the finding is resolved, and it came back.
    pub reopened: bool,
}

/// A finding that is only in the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Summarised {
    /// It names no line.
    NoLine(usize),
    /// The change does not touch its lines.
    OffTheDiff(usize),
    /// There are [`MAX_NEW`] new ones already.
    OverTheLimit(usize),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommentPlan {
    pub kept: Vec<ExistingComment>,
    /// Errors first.
    pub new: Vec<(usize, CommentPosition, CommentFingerprint)>,
    /// Ids of comments whose findings are gone, and of second comments on one finding.
    pub resolved: Vec<u64>,
    pub summarised: Vec<Summarised>,
}

/// `text` gives a file after the change. Each finding is in exactly one of the lists.
pub fn plan(
    remarks: &[Remark],
    existing: &[Existing],
    diff: &DiffLines,
    text: &dyn Fn(&str) -> Option<String>,
) -> CommentPlan {
    let mut plan = CommentPlan::default();
    let mut left: Vec<&Existing> = existing.iter().collect();
    // What is open is taken before what is resolved: of two comments on one finding the first stays.
    left.sort_by_key(|known| (known.is_resolved, known.id));
    let mut open = Vec::new();
    for (at, remark) in remarks.iter().enumerate() {
        match (&remark.finding.path, remark.finding.line) {
            (Some(path), Some(line)) => {
                open.push((
                    at,
                    CommentFingerprint::new(&remark.rule(), path, text(path).as_deref(), line),
                    path.as_str(),
                    line,
                ));
            }
            _ => plan.summarised.push(Summarised::NoLine(at)),
        }
    }
    // All that match exactly come first, so that no finding takes the comment of another that is only near.
    let matches: [fn(&CommentFingerprint, &CommentFingerprint) -> bool; 2] =
        [|a, b| a.exact == b.exact, |a, b| a.near == b.near];
    for is_same in matches {
        open.retain(|(at, fingerprint, ..)| {
            let Some(known) = left.iter().position(|known| is_same(&known.fingerprint, fingerprint)) else {
                return true;
            };
            let known = left.remove(known);
            plan.kept.push(ExistingComment {
                finding: *at,
                id: known.id,
                fingerprint: fingerprint.clone(),
                reopened: known.is_resolved,
            });
            false
        });
    }
    plan.resolved = left.into_iter().filter(|known| !known.is_resolved).map(|known| known.id).collect();
    open.sort_by_key(|(at, ..)| match remarks[*at].finding.severity {
        Severity::Error => 0,
        _ => 1,
    });
    for (at, fingerprint, path, line) in open {
        match diff.position(path, line, remarks[at].finding.end_line) {
            None => plan.summarised.push(Summarised::OffTheDiff(at)),
            Some(_) if plan.new.len() == MAX_NEW => plan.summarised.push(Summarised::OverTheLimit(at)),
            Some(place) => plan.new.push((at, place, fingerprint)),
        }
    }
    plan
}
