//! Findings and the verdict that they make.

use std::ops::RangeInclusive;

use crate::File;
pub use crate::bindings::guardhost::guard::report::Edit;
pub use crate::bindings::guardhost::guard::types::Severity;

/// What a guard decides.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Nothing to object to; the findings are advice, and none of them is an error.
    Pass(Vec<Finding>),
    /// Every finding, not the first; at least one of them is an error.
    Reject(Vec<Finding>),
    /// Nothing here concerns this guard, and why.
    NotApplicable(String),
}

/// One thing that is wrong, or worth saying.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Kebab-case and stable: people filter by it.
    pub rule: String,
    pub severity: Severity,
    /// The file that is meant; without it the whole change is meant.
    pub path: Option<String>,
    /// From 1, in the candidate's file (in the base's when the file is deleted).
    pub line: Option<u32>,
    /// The last line, inclusive; without it there is only one.
    pub end_line: Option<u32>,
    /// The first column in the first line, from 1, counted in Unicode scalar values.
    pub column: Option<u32>,
    /// The last column in the last line, inclusive.
    pub end_column: Option<u32>,
    /// What is wrong, for people.
    pub message: String,
    /// What to do instead, in words that a model can act on.
    pub help: Option<String>,
    pub fix: Option<Fix>,
    /// Other places that explain this one.
    pub related: Vec<Related>,
    /// Anything else, name and value. A host ignores names that it does not know.
    pub attributes: Vec<(String, String)>,
}

/// A mechanical remedy. The host may apply it and ask again, without asking the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<Edit>,
}

/// Another place, in the candidate's file, and what is there.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    pub path: String,
    /// First and last, from 1.
    pub lines: RangeInclusive<u32>,
    pub message: String,
}

impl Finding {
    /// Must be fixed before the change may pass. `rule` is kebab-case and stable: people filter by it.
    pub fn error(rule: &str, message: impl Into<String>) -> Self {
        Finding::new(Severity::Error, rule, message)
    }

    /// Worth saying; does not reject by itself.
    pub fn warning(rule: &str, message: impl Into<String>) -> Self {
        Finding::new(Severity::Warning, rule, message)
    }

    pub fn info(rule: &str, message: impl Into<String>) -> Self {
        Finding::new(Severity::Info, rule, message)
    }

    fn new(severity: Severity, rule: &str, message: impl Into<String>) -> Self {
        let (rule, message) = (rule.to_string(), message.into());
        let (path, line, end_line, column, end_column) = Default::default();
        let (help, fix, related, attributes) = Default::default();
        Finding { rule, severity, path, line, end_line, column, end_column, message, help, fix, related, attributes }
    }

    /// The file that is meant, as a whole.
    pub fn file(mut self, path: &str) -> Self {
        self.path = Some(path.into());
        self
    }

    /// A line of the candidate's file, from 1 (of the base's when the file is deleted).
    pub fn at(mut self, path: &str, line: u32) -> Self {
        self.line = Some(line);
        self.file(path)
    }

    /// The last line, inclusive, of what begins at [`Finding::at`].
    pub fn to(mut self, end_line: u32) -> Self {
        self.end_line = Some(end_line);
        self
    }

    /// First column in the first line and last column in the last one, from 1, counted in Unicode scalar values. Only with a line.
    pub fn columns(mut self, first: u32, last: u32) -> Self {
        (self.column, self.end_column) = (Some(first), Some(last));
        self
    }

    /// What to do instead, in words that a model can act on.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A mechanical remedy, which the host may apply without asking the model.
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { title: title.into(), edits });
        self
    }

    /// Another place that explains this one, in the candidate's file, and what is there.
    pub fn related(mut self, path: &str, lines: RangeInclusive<u32>, message: impl Into<String>) -> Self {
        self.related.push(Related { path: path.into(), lines, message: message.into() });
        self
    }

    /// Anything else. A host ignores names that it does not know.
    pub fn attribute(mut self, name: &str, value: impl Into<String>) -> Self {
        self.attributes.push((name.into(), value.into()));
        self
    }
}

impl Edit {
    /// Replaces the bytes `range` of the candidate's file, as [`crate::Version::bytes`] gives it.
    pub fn replace(path: &str, range: std::ops::Range<usize>, replacement: impl Into<Vec<u8>>) -> Self {
        let (start, end) = (range.start as u64, range.end as u64);
        Edit { path: path.into(), start, end, replacement: replacement.into() }
    }
}

/// Findings of one verdict; a host may end a guard that has more.
const MOST: usize = 1_000;

/// The rule of the finding that says how many are left out: every guard has it.
pub(crate) const MORE: &str = "more";

impl Verdict {
    /// Rejects when one of the findings is an error, and passes with them as advice otherwise. Of more findings than the host
    /// takes, the errors come first, and the last says how many are left out.
    pub fn from_findings(mut findings: Vec<Finding>) -> Self {
        if findings.len() > MOST {
            findings.sort_by_key(|finding| finding.severity != Severity::Error);
            let more = findings.drain(MOST - 1..).count();
            findings.push(Finding::info(MORE, format!("{more} more findings are not listed")));
        }
        match findings.iter().any(|finding| finding.severity == Severity::Error) {
            true => Verdict::Reject(findings),
            false => Verdict::Pass(findings),
        }
    }

    /// Nothing here concerns this guard, and why.
    pub fn not_applicable(reason: impl Into<String>) -> Self {
        Verdict::NotApplicable(reason.into())
    }
}

impl File<'_> {
    /// An error in this file as a whole.
    pub fn error(&self, rule: &str, message: impl Into<String>) -> Finding {
        Finding::error(rule, message).file(self.path())
    }
}
