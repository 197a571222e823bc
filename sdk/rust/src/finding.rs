//! Findings and the verdict that they make.

use crate::{Edit, File, Finding, Fix, Severity, Verdict};

impl Finding {
    /// Must be mended before the change may pass. `rule` is kebab-case and stable: people filter by it.
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
        Finding { rule, severity, path: None, line: None, end_line: None, message, help: None, fix: None }
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

impl Verdict {
    /// Rejects when one of the findings is an error, and passes with them as advice otherwise. Of more findings than the host
    /// takes, the errors come first, and the last says how many are left out.
    pub fn from_findings(mut findings: Vec<Finding>) -> Self {
        if findings.len() > MOST {
            findings.sort_by_key(|finding| finding.severity != Severity::Error);
            let more = findings.drain(MOST - 1..).count();
            findings.push(Finding::info("more", format!("{more} more findings are not listed")));
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
