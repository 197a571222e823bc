//! `toolchain.json`: what builds and tests would say, written down by the author of the case.

use std::cell::Cell;

use serde::Deserialize;

use crate::{self as sdk, Denied};

/// An answer that is left out is no reports at all.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CaseTools {
    pub tests: Answers<TestReport>,
    pub build: Answers<BuildReport>,
    pub linters: Answers<BuildReport>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Answers<R> {
    pub before: Answer<R>,
    pub after: Answer<R>,
    /// The base's tests on the candidate's code.
    pub base_tests: Answer<R>,
    /// Of runs with replaced files, in the order of the questions.
    pub with: Vec<Answer<R>>,
    /// Of runs whose lines are told, in the same manner.
    pub covered: Vec<Answer<Coverage>>,
}

/// The answers one after the other; the last one stands for all further questions, and none for nothing.
pub(super) fn next<R, S: for<'r> From<&'r R>>(answers: &[Answer<R>], asked: &Cell<usize>) -> Result<Vec<S>, Denied> {
    let at = asked.replace(asked.get() + 1);
    answers.get(at).or(answers.last()).map_or(Ok(Vec::new()), Answer::give)
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Answer<R> {
    Reports(Vec<R>),
    Unavailable { unavailable: String },
    TimedOut { timed_out: u64 },
}

impl<R> Default for Answers<R> {
    fn default() -> Self {
        let (before, after, base_tests) = (Answer::default(), Answer::default(), Answer::default());
        Answers { before, after, base_tests, with: Vec::new(), covered: Vec::new() }
    }
}

impl<R> Default for Answer<R> {
    fn default() -> Self {
        Answer::Reports(Vec::new())
    }
}

impl<R> Answer<R> {
    pub fn give<S: for<'r> From<&'r R>>(&self) -> Result<Vec<S>, Denied> {
        match self {
            Answer::Reports(reports) => Ok(reports.iter().map(S::from).collect()),
            Answer::Unavailable { unavailable } => Err(Denied::Unavailable(unavailable.clone())),
            Answer::TimedOut { timed_out } => Err(Denied::TimedOut(*timed_out)),
        }
    }
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TestReport {
    runner: String,
    #[serde(default)]
    project: String,
    not_run: Option<String>,
    #[serde(default)]
    tests: Vec<Test>,
    #[serde(default = "yes")]
    complete: bool,
    #[serde(default)]
    output: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Test {
    id: String,
    path: Option<String>,
    outcome: Outcome,
    #[serde(default)]
    detail: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Passed,
    Failed,
    Errored,
    Skipped,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildReport {
    tool: String,
    #[serde(default)]
    project: String,
    not_run: Option<String>,
    #[serde(default)]
    diagnostics: Vec<Diagnostic>,
    /// Without it: there are no diagnostics.
    ok: Option<bool>,
    #[serde(default)]
    output: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Diagnostic {
    path: Option<String>,
    line: Option<u32>,
    message: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Coverage {
    runner: String,
    #[serde(default)]
    project: String,
    not_known: Option<String>,
    #[serde(default)]
    files: Vec<FileLines>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLines {
    path: String,
    #[serde(default)]
    run: Vec<u32>,
    #[serde(default)]
    not_run: Vec<u32>,
}

fn yes() -> bool {
    true
}

impl From<&TestReport> for sdk::TestReport {
    fn from(report: &TestReport) -> Self {
        sdk::TestReport {
            runner: report.runner.clone(),
            project: report.project.clone(),
            not_run: report.not_run.clone(),
            tests: report.tests.iter().map(Into::into).collect(),
            is_complete: report.complete && report.not_run.is_none(),
            output: report.output.clone(),
        }
    }
}

impl From<&Test> for sdk::Test {
    fn from(test: &Test) -> Self {
        let outcome = match test.outcome {
            Outcome::Passed => sdk::TestOutcome::Passed,
            Outcome::Failed => sdk::TestOutcome::Failed,
            Outcome::Errored => sdk::TestOutcome::Errored,
            Outcome::Skipped => sdk::TestOutcome::Skipped,
        };
        sdk::Test { id: test.id.clone(), path: test.path.clone(), outcome, detail: test.detail.clone() }
    }
}

impl From<&Coverage> for sdk::Coverage {
    fn from(coverage: &Coverage) -> Self {
        let lines = |file: &FileLines| sdk::FileLines {
            path: file.path.clone(),
            run: file.run.clone(),
            not_run: file.not_run.clone(),
        };
        sdk::Coverage {
            runner: coverage.runner.clone(),
            project: coverage.project.clone(),
            not_known: coverage.not_known.clone(),
            files: coverage.files.iter().map(lines).collect(),
        }
    }
}

impl From<&BuildReport> for sdk::BuildReport {
    fn from(report: &BuildReport) -> Self {
        let diagnostic = |diagnostic: &Diagnostic| sdk::Diagnostic {
            path: diagnostic.path.clone(),
            line: diagnostic.line,
            message: diagnostic.message.clone(),
        };
        sdk::BuildReport {
            tool: report.tool.clone(),
            project: report.project.clone(),
            not_run: report.not_run.clone(),
            is_ok: report.ok.unwrap_or(report.diagnostics.is_empty() && report.not_run.is_none()),
            diagnostics: report.diagnostics.iter().map(diagnostic).collect(),
            output: report.output.clone(),
        }
    }
}
