//! Linters and type checkers of the repository: what they object to, on the base and on the candidate.
//!
//! A report is what the linter says, and its plugins are code of the tree: like that of a `[[runner]]`, it is as trustworthy as the tree.

pub mod configured;
mod detect;
mod formats;
mod job;
pub mod presets;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use configured::ConfiguredLinter;
pub use detect::{configuration_of_base, linters};
pub use job::job;

use super::job::{FinishedJob, ProjectTool};
use super::report::{BuildReport, Diagnostic, NotRun, ToolReport, output_tail};

/// Objections of one linter. With more, those of two trees cannot be compared whole.
const MOST: usize = 20_000;

#[derive(Debug, Clone, PartialEq)]
pub struct Linter(pub Arc<ConfiguredLinter>);

impl ProjectTool for Linter {
    fn name(&self) -> &str {
        &self.0.name
    }
}

/// What a linter objects to, as the report of a build that fails by it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LintReport(pub BuildReport);

/// How bad a linter calls what it found. Notes explain other objections, and are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LintSeverity {
    Error,
    Warning,
}

type Objections = Result<Vec<(LintSeverity, Diagnostic)>, String>;

impl ToolReport for LintReport {
    type Tool = Linter;

    fn read(finished: &FinishedJob<Linter>) -> Self {
        let Linter(linter) = &finished.job.tool;
        let could_not = |why: String| {
            LintReport::without_result(
                finished.job.tool.clone(),
                &finished.job.project,
                Some(NotRun::CouldNot(why)),
                &finished.exit.output,
            )
        };
        let objections = match formats::objections(finished, linter.format) {
            Ok(objections) => objections,
            Err(why) => return could_not(why),
        };
        // A linter that fails and only warns fails by its warnings.
        let fails_by_warnings =
            finished.exit.code != 0 && objections.iter().all(|(severity, _)| *severity == LintSeverity::Warning);
        let counts = |severity: LintSeverity| match severity {
            LintSeverity::Error => true,
            LintSeverity::Warning => linter.warnings || fails_by_warnings,
        };
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        for (_, diagnostic) in objections.into_iter().filter(|(severity, _)| counts(*severity)) {
            diagnostics.push(diagnostic);
            if diagnostics.len() > MOST {
                return could_not(format!("it has more than {MOST} objections"));
            }
        }
        let ok = finished.exit.code == 0 && diagnostics.is_empty();
        LintReport(BuildReport {
            tool: linter.name.clone(),
            project: finished.job.project.clone(),
            not_run: None,
            ok,
            diagnostics,
            output: output_tail(&finished.exit.output),
        })
    }

    fn without_result(tool: Linter, project: &str, not_run: Option<NotRun>, output: &[u8]) -> Self {
        let (tool, project) = (tool.name().to_owned(), project.to_owned());
        LintReport(BuildReport { tool, project, not_run, output: output_tail(output), ..BuildReport::default() })
    }

    fn is_complete(&self) -> bool {
        self.0.not_run.is_none() && (self.0.ok || !self.0.diagnostics.is_empty())
    }

    fn texts_mut(&mut self) -> Vec<&mut String> {
        self.0.diagnostics.iter_mut().map(|found| &mut found.message).chain([&mut self.0.output]).collect()
    }
}
