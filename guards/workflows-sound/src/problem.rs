//! Something wrong in one version of a workflow.

use guard_sdk::{Finding, Severity};

pub struct Problem {
    pub rule: &'static str,
    /// What it is about: a problem that the base has under the same rule and key is no news.
    pub key: String,
    pub line: u32,
    pub severity: Severity,
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
        Problem { rule, key: key.into(), line, severity: Severity::Error, message, help: help.into() }
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
        let finding = match self.severity {
            Severity::Error => Finding::error(self.rule, self.message),
            _ => Finding::warning(self.rule, self.message),
        };
        finding.at(path, self.line).help(self.help)
    }
}

/// Those of the candidate that the base does not have.
pub fn news(before: &[Problem], after: Vec<Problem>) -> Vec<Problem> {
    let is_old = |new: &Problem| before.iter().any(|old| old.rule == new.rule && old.key == new.key);
    let mut news: Vec<Problem> = Vec::new();
    for problem in after {
        let is_said = news.iter().any(|said| said.rule == problem.rule && said.key == problem.key);
        if !is_old(&problem) && !is_said {
            news.push(problem);
        }
    }
    news
}
