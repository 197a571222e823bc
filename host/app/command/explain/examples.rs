//! The examples that were built in.

use serde::Deserialize;

use guardhost_core::change::{Finding, Fix, Severity};
use guardhost_core::error::{Context, Result};
use guardhost_engine::embedded;
use guardhost_report::Example;

pub fn example(example: &embedded::Example) -> Result<Example> {
    let json = |text: &str| serde_json::from_str(text).context("an example of the build");
    let given = example.given.iter().map(|(name, text)| Ok(((*name).to_owned(), json(text)?)));
    let findings: Vec<Noted> = serde_json::from_str(example.findings).context("an example of the build")?;
    Ok(Example {
        verdict: example.verdict.to_owned(),
        given: given.collect::<Result<_>>()?,
        beside: example.beside.iter().map(|path| (*path).to_owned()).collect(),
        diff: example.diff.to_owned(),
        findings: findings.into_iter().map(Finding::from).collect(),
    })
}

/// A finding as `expect.json` has it.
#[derive(Deserialize)]
struct Noted {
    rule: String,
    severity: Severity,
    path: Option<String>,
    line: Option<u32>,
    end_line: Option<u32>,
    message: String,
    help: Option<String>,
    /// Its title.
    fix: Option<String>,
}

impl From<Noted> for Finding {
    fn from(Noted { rule, severity, path, line, end_line, message, help, fix }: Noted) -> Self {
        let fix = fix.map(|title| Fix { title, edits: Vec::new() });
        Finding { rule, severity, path, line, end_line, message, help, fix }
    }
}
