//! How linters report, one file a format.

mod checkstyle;
mod eslint;
mod lines;

pub use lines::error_at_a_place;

use super::configured::{LOOKS_AT, LintFormat};
use super::{LintSeverity, Linter, PathSet};
use crate::builds::cargo;
use crate::job::FinishedJob;
use crate::report::Diagnostic;
use crate::sandbox::ReportFrom;

/// What it objects to, and the files that it says it looked at.
pub fn read(
    finished: &FinishedJob<Linter>,
    format: LintFormat,
) -> Result<(Vec<(LintSeverity, Diagnostic)>, PathSet), String> {
    let mut looked_at = PathSet::new();
    let text = match finished.job.report {
        ReportFrom::Stdout => {
            let lines = finished.exit.records.as_ref().map_err(Clone::clone)?;
            let (named, report): (Vec<&String>, Vec<&String>) =
                lines.iter().partition(|line| line.starts_with(LOOKS_AT));
            looked_at.extend(named.iter().filter_map(|line| finished.path(line.strip_prefix(LOOKS_AT)?)));
            report.iter().map(|line| line.as_str()).collect::<Vec<_>>().join("\n")
        }
        ReportFrom::Descriptor => match finished.files.as_ref().map_err(Clone::clone)?.as_slice() {
            [] => return Err("it wrote no report".to_owned()),
            texts => texts.join("\n"),
        },
    };
    let objections = match format {
        LintFormat::Cargo => {
            let severity = |level: &str| match level {
                "error" => Some(LintSeverity::Error),
                "warning" => Some(LintSeverity::Warning),
                _ => None,
            };
            cargo::diagnostics(finished, &text, severity)
        }
        LintFormat::Checkstyle => checkstyle::objections(finished, &text)?,
        LintFormat::Eslint => eslint::objections(finished, &text, &mut looked_at)?,
        LintFormat::Lines => lines::objections(finished, &text),
    };
    Ok((objections, looked_at))
}
