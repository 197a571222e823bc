//! Whether the detector of an issue still reports it.
//!
//! A detector is believed only if it reports the issue on the base as well: one that never saw it proves nothing by its silence.

use serde::{Deserialize, Serialize};

use super::issue::Issue;
use super::source::ScannerFinding;

/// What a detector says of an issue on the candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DetectorResult {
    Silent,
    Fires,
    /// Why it cannot be told.
    Unknown(String),
}

/// What a detector reports of a tree, or why it could not look.
pub type Scan = Result<Vec<ScannerFinding>, String>;

/// The text of a line; None where there is none.
pub type LineOf<'a> = &'a dyn Fn(&ScannerFinding) -> Option<String>;

/// One tree, as its detector and git see it.
pub struct Scanned<'a> {
    pub findings: &'a [ScannerFinding],
    pub line: LineOf<'a>,
}

/// Compares the findings of the issue's rule in its file, before and after. A finding that is still there with the same line of text or the
/// same marks is the same one; any other finding of the rule in the file that was not there before may be the issue in another form.
pub fn seen(issue: &Issue, before: &Scanned, after: &Scanned) -> DetectorResult {
    let same_place = |finding: &&ScannerFinding| finding.rule == issue.rule && finding.path == issue.path;
    let was: Vec<&ScannerFinding> = before.findings.iter().filter(same_place).collect();
    let Some(own) = own(issue, &was) else {
        return DetectorResult::Unknown("its detector does not report it on the base".to_owned());
    };
    let mut left: Vec<&ScannerFinding> = after.findings.iter().filter(same_place).collect();
    // Each finding of the base takes one of the candidate, the issue's own last: of two alike, the one that is left is the issue.
    let others = was.iter().enumerate().filter(|(at, _)| *at != own).map(|(_, finding)| *finding);
    for other in others {
        if let Some(at) = left.iter().position(|now| is_same(other, now, before, after)) {
            left.remove(at);
        }
    }
    match left.is_empty() {
        true => DetectorResult::Silent,
        false => DetectorResult::Fires,
    }
}

/// Which finding of the base the issue is.
fn own(issue: &Issue, was: &[&ScannerFinding]) -> Option<usize> {
    let by_marks = || was.iter().position(|finding| !issue.marks.is_empty() && finding.marks == issue.marks);
    let by_line = || was.iter().position(|finding| issue.line.is_some() && finding.line == issue.line);
    let only = || (was.len() == 1).then_some(0);
    let by_words =
        || was.iter().position(|finding| issue.title.contains(finding.message.trim()) && !finding.message.is_empty());
    by_line().or_else(by_marks).or_else(by_words).or_else(only)
}

fn is_same(old: &ScannerFinding, new: &ScannerFinding, before: &Scanned, after: &Scanned) -> bool {
    let text = |scanned: &Scanned, finding| (scanned.line)(finding).map(|text| text.trim().to_owned());
    let (was, is) = (text(before, old), text(after, new));
    (was.is_some() && was == is)
        || (!old.marks.is_empty() && old.marks == new.marks)
        || (was.is_none() && is.is_none() && old.message == new.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u32) -> ScannerFinding {
        ScannerFinding {
            rule: "E1".into(),
            path: Some("x.py".into()),
            line: Some(line),
            message: "m".into(),
            ..ScannerFinding::default()
        }
    }

    #[test]
    fn silence_counts_only_where_it_was_not_silent() {
        const BEFORE: [&str; 4] = ["import os", "import sys", "import re", "x = 1"];
        let issue = Issue {
            rule: "E1".into(),
            path: Some("x.py".into()),
            line: Some(2),
            title: "E1: m".into(),
            ..Issue::default()
        };
        let seen = |before: &[u32], after: &[(u32, &'static str)]| {
            let (was, is): (Vec<_>, Vec<_>) = (
                before.iter().map(|line| finding(*line)).collect(),
                after.iter().map(|(line, _)| finding(*line)).collect(),
            );
            let old = |finding: &ScannerFinding| BEFORE.get(finding.line? as usize - 1).map(ToString::to_string);
            let new = |finding: &ScannerFinding| {
                after.iter().find(|(line, _)| Some(*line) == finding.line).map(|(_, text)| text.to_string())
            };
            seen(&issue, &Scanned { findings: &was, line: &old }, &Scanned { findings: &is, line: &new })
        };
        assert_eq!(seen(&[2], &[]), DetectorResult::Silent);
        assert_eq!(seen(&[1, 2, 3], &[(1, "import os"), (2, "import re")]), DetectorResult::Silent, "others moved up");
        assert_eq!(seen(&[2], &[(1, "import sys")]), DetectorResult::Fires, "it moved");
        assert_eq!(seen(&[2], &[(2, "import sys  # why")]), DetectorResult::Fires, "its line was only reworded");
        assert_eq!(
            seen(&[1, 2], &[(1, "import os"), (9, "import json")]),
            DetectorResult::Fires,
            "another of its kind came"
        );
        assert!(matches!(seen(&[], &[]), DetectorResult::Unknown(_)));
    }
}
