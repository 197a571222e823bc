//! Reports of builds and tests: the contract's, as the host holds them before they go to a guard or into the cache.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::job::{FinishedJob, ProjectTool};

/// Bytes of one failure's text.
const DETAIL: usize = 2 << 10;
/// Bytes of a run's output, counted from its end.
const OUTPUT: usize = 16 << 10;
/// Failures that keep their text: a guard shows a few dozen.
const DETAILED: usize = 200;

/// Why nothing was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NotRun {
    /// The tree says so: the project has no way to be run that the host knows. No machine could do it.
    ByTheTree { by_the_tree: String },
    /// This machine lacks something, or what it has does not start: what a run would have said is not known.
    CouldNot(String),
}

impl NotRun {
    pub fn why(&self) -> &str {
        match self {
            NotRun::ByTheTree { by_the_tree: why } | NotRun::CouldNot(why) => why,
        }
    }

    /// What could not be run, though there was something to run.
    pub fn could_not(&self) -> Option<&str> {
        match self {
            NotRun::ByTheTree { .. } => None,
            NotRun::CouldNot(why) => Some(why),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestOutcome {
    Passed,
    Failed,
    Errored,
    Skipped,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    pub id: String,
    pub path: Option<String>,
    pub outcome: TestOutcome,
    pub detail: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    pub runner: String,
    pub project: String,
    pub not_run: Option<NotRun>,
    pub tests: Vec<Test>,
    pub complete: bool,
    pub output: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub path: Option<String>,
    pub line: Option<u32>,
    pub message: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildReport {
    pub tool: String,
    pub project: String,
    pub not_run: Option<NotRun>,
    pub ok: bool,
    pub diagnostics: Vec<Diagnostic>,
    pub output: String,
}

/// A build's report or a test run's.
pub trait ToolReport: Sized + Serialize + for<'de> Deserialize<'de> {
    type Tool: ProjectTool;

    /// Reads what a job's tool left.
    fn read(finished: &FinishedJob<Self::Tool>) -> Self;
    /// For a tool that did not start (`not_run` says why), or was stopped.
    fn without_result(tool: Self::Tool, project: &str, not_run: Option<NotRun>, output: &[u8]) -> Self;
    /// Whether the tool did its work, so that the report is worth keeping.
    fn is_complete(&self) -> bool;
    /// Every text that the tool wrote.
    fn texts_mut(&mut self) -> Vec<&mut String>;

    /// Makes paths in texts relative to the work tree at `root`, whose place differs between runs and machines.
    fn with_relative_paths(mut self, root: &Path) -> Self {
        let root = format!("{}/", root.display());
        for text in self.texts_mut().into_iter().filter(|text| text.contains(&root)) {
            *text = text.replace(&root, "");
        }
        self
    }
}

impl TestOutcome {
    pub fn is_failure(self) -> bool {
        match self {
            TestOutcome::Failed | TestOutcome::Errored => true,
            TestOutcome::Passed | TestOutcome::Skipped => false,
        }
    }
}

impl Test {
    pub fn new(id: impl Into<String>, outcome: TestOutcome) -> Self {
        Test { id: id.into(), path: None, outcome, detail: String::new() }
    }
}

impl TestReport {
    /// What could not be run, and why; None for what was run, and for what no machine could.
    pub fn could_not_run(&self) -> Option<String> {
        could_not_run(&self.runner, &self.project, self.not_run.as_ref())
    }

    /// Sorts the tests by id, numbers those that share one, and cuts details to a length worth keeping. Of tests that share an id, those
    /// that failed come first: another test of that name that passes must not stand for them. `whole` is why the report is incomplete,
    /// if it is.
    pub fn new(runner: &str, project: &str, mut tests: Vec<Test>, whole: Result<(), String>, output: &[u8]) -> Self {
        tests.sort_by(|a, b| (&a.id, !a.outcome.is_failure()).cmp(&(&b.id, !b.outcome.is_failure())));
        let mut repeated = 0;
        for at in 1..tests.len() {
            let same = tests[at].id == tests[at - 1 - repeated].id;
            repeated = if same { repeated + 1 } else { 0 };
            if same {
                tests[at].id = format!("{} #{}", tests[at].id, repeated + 1);
            }
        }
        let mut detailed = 0;
        for test in &mut tests {
            let keep = test.outcome.is_failure() && detailed < DETAILED;
            detailed += usize::from(keep);
            test.detail = if keep { cut(&test.detail, DETAIL) } else { String::new() };
        }
        let (runner, project) = (runner.to_owned(), project.to_owned());
        let mut output = output_tail(output);
        if let Err(why) = &whole {
            output.push_str(&format!("\nThis result is incomplete: {why}."));
        }
        TestReport { runner, project, not_run: None, tests, complete: whole.is_ok(), output: output.trim().to_owned() }
    }
}

impl BuildReport {
    /// What could not be run, and why; None for what was run, and for what no machine could.
    pub fn could_not_run(&self) -> Option<String> {
        could_not_run(&self.tool, &self.project, self.not_run.as_ref())
    }

    pub fn new(tool: &str, project: &str, ok: bool, mut diagnostics: Vec<Diagnostic>, output: &[u8]) -> Self {
        diagnostics.truncate(1_000);
        for diagnostic in &mut diagnostics {
            diagnostic.message = cut(&diagnostic.message, DETAIL);
        }
        let (tool, project) = (tool.to_owned(), project.to_owned());
        BuildReport { tool, project, not_run: None, ok, diagnostics, output: output_tail(output) }
    }
}

/// `pytest in backend: pytest is not installed`.
fn could_not_run(tool: &str, project: &str, not_run: Option<&NotRun>) -> Option<String> {
    let why = not_run?.could_not()?;
    let place = if project.is_empty() { String::new() } else { format!(" in {project}") };
    Some(format!("{tool}{place}: {why}"))
}

/// The first `most` bytes of a text, without terminal escape sequences.
fn cut(text: &str, most: usize) -> String {
    let text = anstream::adapter::strip_str(text.trim()).to_string();
    match text.floor_char_boundary(most) {
        end if end < text.len() => format!("{}…", &text[..end]),
        _ => text,
    }
}

/// The last bytes of an output, without terminal escape sequences.
pub fn output_tail(output: &[u8]) -> String {
    let from = output.len().saturating_sub(OUTPUT);
    let text = String::from_utf8_lossy(&output[from..]);
    anstream::adapter::strip_str(text.trim()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ids_are_numbered_and_details_cut() {
        let long = Test { detail: "x".repeat(5_000), ..Test::new("b", TestOutcome::Failed) };
        let tests = ["c", "a", "a", "a"].map(|id| Test::new(id, TestOutcome::Passed)).into_iter().chain([long]);
        let report = TestReport::new("pytest", "", tests.collect(), Ok(()), b"\x1b[31mred\x1b[0m");
        let ids: Vec<_> = report.tests.iter().map(|test| test.id.as_str()).collect();
        assert_eq!(ids, ["a", "a #2", "a #3", "b", "c"]);
        assert_eq!(report.tests[3].detail.len(), DETAIL + "…".len());
        assert_eq!(report.output, "red");
    }

    #[test]
    fn what_no_machine_could_run_is_no_lack() {
        let both = [NotRun::ByTheTree { by_the_tree: "mocha".to_owned() }, NotRun::CouldNot("no go".to_owned())];
        assert_eq!(both.each_ref().map(NotRun::could_not), [None, Some("no go")]);
        for not_run in both {
            let read: NotRun = serde_json::from_str(&serde_json::to_string(&not_run).unwrap()).unwrap();
            assert_eq!(read, not_run, "as it is recorded");
        }
    }

    #[test]
    fn of_two_results_of_one_test_the_failure_counts() {
        let tests = [TestOutcome::Passed, TestOutcome::Failed].map(|outcome| Test::new("a", outcome)).to_vec();
        let report = TestReport::new("pytest", "", tests, Err("why".to_owned()), b"");
        assert_eq!((report.tests[0].id.as_str(), report.tests[0].outcome), ("a", TestOutcome::Failed));
        assert_eq!((report.complete, report.output.as_str()), (false, "This result is incomplete: why."));
    }
}
