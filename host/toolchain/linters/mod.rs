//! Linters and type checkers of the repository: what they object to, on the base and on the candidate.
//!
//! A report is what the linter says, and its plugins are code of the tree: like that of a `[[runner]]`, it is as trustworthy as the tree.

pub mod configured;
mod detect;
mod formats;
mod job;
pub mod presets;
mod seen;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use configured::ConfiguredLinter;
pub use detect::{LinterAt, linters, steering_of_base};
pub use formats::error_at_a_place;
pub use job::job;
pub use seen::{object_to, unseen};

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

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LintReport {
    /// What a linter objects to, as the report of a build that fails by it.
    pub build: BuildReport,
    /// The repository's paths of the files that it judged, with or without an objection; None for a linter that does not say.
    pub looked_at: Option<PathSet>,
}

/// How bad a linter calls what it found. Notes explain other objections, and are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LintSeverity {
    Error,
    Warning,
}

type LinterResult = Result<Vec<(LintSeverity, Diagnostic)>, String>;
/// Paths of the repository.
type PathSet = BTreeSet<String>;

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
        let (objections, looked_at) = match formats::read(finished, linter.format) {
            Ok(read) => read,
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
        let build = BuildReport {
            tool: linter.name.clone(),
            project: finished.job.project.clone(),
            not_run: None,
            ok,
            diagnostics,
            output: output_tail(&finished.exit.output),
        };
        LintReport { build, looked_at: linter.names_files().then_some(looked_at) }
    }

    fn without_result(tool: Linter, project: &str, not_run: Option<NotRun>, output: &[u8]) -> Self {
        let (tool, project) = (tool.name().to_owned(), project.to_owned());
        let build = BuildReport { tool, project, not_run, output: output_tail(output), ..BuildReport::default() };
        LintReport { build, looked_at: None }
    }

    fn is_complete(&self) -> bool {
        self.build.not_run.is_none() && (self.build.ok || !self.build.diagnostics.is_empty())
    }

    fn texts_mut(&mut self) -> Vec<&mut String> {
        self.build.diagnostics.iter_mut().map(|found| &mut found.message).chain([&mut self.build.output]).collect()
    }
}
