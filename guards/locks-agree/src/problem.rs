//! Something wrong in one version of a lock file.

use std::collections::HashSet;

use guard_sdk::{Finding, Severity};

pub struct Problem {
    severity: Severity,
    pub rule: &'static str,
    /// What it is about: a problem that the base has under the same rule and key is no news.
    pub key: String,
    pub line: u32,
    pub message: String,
    pub help: String,
}

impl Problem {
    pub fn error(
        rule: &'static str,
        key: impl Into<String>,
        line: u32,
        message: String,
        help: impl Into<String>,
    ) -> Self {
        Problem { severity: Severity::Error, rule, key: key.into(), line, message, help: help.into() }
    }

    pub fn warning(
        rule: &'static str,
        key: impl Into<String>,
        line: u32,
        message: String,
        help: impl Into<String>,
    ) -> Self {
        Problem { severity: Severity::Warning, ..Problem::error(rule, key, line, message, help) }
    }

    pub fn finding(self, path: &str) -> Finding {
        let finding = Finding { severity: self.severity, ..Finding::error(self.rule, self.message) };
        finding.at(path, self.line).help(self.help)
    }
}

/// Those of the candidate that the base does not have.
pub fn news(before: &[Problem], after: Vec<Problem>) -> Vec<Problem> {
    let mut known: HashSet<(&str, String)> = before.iter().map(|old| (old.rule, old.key.clone())).collect();
    after.into_iter().filter(|problem| known.insert((problem.rule, problem.key.clone()))).collect()
}
