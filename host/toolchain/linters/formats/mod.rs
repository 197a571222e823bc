//! How linters report, one file a format.

mod checkstyle;
mod eslint;
mod lines;

use super::configured::LintFormat;
use super::{LintSeverity, Linter, Objections};
use crate::builds::cargo;
use crate::job::FinishedJob;
use crate::sandbox::ReportFrom;

pub fn objections(finished: &FinishedJob<Linter>, format: LintFormat) -> Objections {
    let text = match finished.job.report {
        ReportFrom::Stdout => finished.exit.records.as_ref().map_err(Clone::clone)?.join("\n"),
        ReportFrom::Descriptor => match finished.files.as_ref().map_err(Clone::clone)?.as_slice() {
            [] => return Err("it wrote no report".to_owned()),
            texts => texts.join("\n"),
        },
    };
    match format {
        LintFormat::Cargo => {
            let severity = |level: &str| match level {
                "error" => Some(LintSeverity::Error),
                "warning" => Some(LintSeverity::Warning),
                _ => None,
            };
            Ok(cargo::diagnostics(finished, &text, severity))
        }
        LintFormat::Checkstyle => checkstyle::objections(finished, &text),
        LintFormat::Eslint => eslint::objections(finished, &text),
        LintFormat::Lines => Ok(lines::objections(finished, &text)),
    }
}
