//! The examples of a guard, embedded when the guard was built.

use serde::Deserialize;

use guardhost_core::change::{Finding, Fix, Severity};
use guardhost_core::error::{Context, Result};
use guardhost_engine::embedded;
use guardhost_report::Example;

pub fn example(example: &embedded::Example) -> Result<Example> {
    let json = |text: &str| serde_json::from_str(text).context("an example of the build");
    let given = example.given.iter().map(|(name, text)| Ok(((*name).to_owned(), json(text)?)));
    let findings: Vec<ExpectedFinding> = serde_json::from_str(example.findings).context("an example of the build")?;
    Ok(Example {
        verdict: serde_json::from_value(example.verdict.into()).context("an example of the build")?,
        given: given.collect::<Result<_>>()?,
        beside: example.beside.iter().map(|path| (*path).to_owned()).collect(),
        diff: example.diff.to_owned(),
        findings: findings.into_iter().map(Finding::from).collect(),
    })
}

/// A finding as `expect.json` has it.
#[derive(Deserialize)]
struct ExpectedFinding {
    rule: String,
    severity: Severity,
    path: Option<String>,
    line: Option<u32>,
    end_line: Option<u32>,
    message: String,
    help: Option<String>,
    /// The title of the fix.
    fix: Option<String>,
}

impl From<ExpectedFinding> for Finding {
    fn from(ExpectedFinding { rule, severity, path, line, end_line, message, help, fix }: ExpectedFinding) -> Self {
        let fix = fix.map(|title| Fix { title, edits: Vec::new() });
        Finding { path, line, end_line, help, fix, ..Finding::new(rule, severity, message) }
    }
}
