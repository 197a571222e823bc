//! The `json` formatter of ESLint (<https://eslint.org/docs/latest/use/formatters/>).

use serde::Deserialize;

use crate::first_error::last_words;
use crate::job::FinishedJob;
use crate::linters::{LintSeverity, Linter, LinterResult, PathSet};
use crate::report::Diagnostic;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LintedFile {
    file_path: String,
    messages: Vec<LintMessage>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LintMessage {
    rule_id: Option<String>,
    severity: u8,
    message: String,
    line: Option<u32>,
}

/// It names every file that it judges, also those without a message.
pub fn objections(finished: &FinishedJob<Linter>, text: &str, looked_at: &mut PathSet) -> LinterResult {
    // A configuration may print lines of its own before the report.
    let report = text.lines().find(|line| line.starts_with("[{") || *line == "[]");
    let Some(report) = report else {
        return Err(format!("it wrote no report: {}", last_words(&finished.exit.output).unwrap_or_default()));
    };
    let files: Vec<LintedFile> =
        serde_json::from_str(report).map_err(|error| format!("its report cannot be read ({error})"))?;
    let mut found = Vec::new();
    for LintedFile { file_path, messages } in files {
        let path = finished.path(&file_path);
        looked_at.extend(path.clone());
        for LintMessage { rule_id, severity, message, line } in messages {
            let severity = if severity >= 2 { LintSeverity::Error } else { LintSeverity::Warning };
            let message = rule_id.map_or(message.clone(), |rule| format!("{rule}: {message}"));
            found.push((severity, Diagnostic { path: path.clone(), line, message }));
        }
    }
    Ok(found)
}
