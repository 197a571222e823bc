//! The examples of a guard, embedded when the guard was built.

use guardhost_core::change::Finding;
use guardhost_core::error::{Context, Result};
use guardhost_engine::embedded;
use guardhost_report::{Example, TitledFinding};

pub fn example(example: &embedded::EmbeddedExample) -> Result<Example> {
    let json = |text: &str| serde_json::from_str(text).context("an example of the build");
    let given = example.given.iter().map(|(name, text)| Ok(((*name).to_owned(), json(text)?)));
    let findings: Vec<TitledFinding> = serde_json::from_str(example.findings).context("an example of the build")?;
    Ok(Example {
        verdict: serde_json::from_value(example.verdict.into()).context("an example of the build")?,
        given: given.collect::<Result<_>>()?,
        beside: example.beside.iter().map(|path| (*path).to_owned()).collect(),
        diff: example.diff.to_owned(),
        findings: findings.into_iter().map(Finding::from).collect(),
    })
}
