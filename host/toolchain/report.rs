//! What builds and tests came to: the contract's reports, as the host has them before they go to a guard or into a file.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// Of one failure, in bytes.
const DETAIL: usize = 2 << 10;
/// Of one run's output, from its end.
const OUTPUT: usize = 16 << 10;
/// Failures that keep their text: a guard shows a few dozen.
const DETAILED: usize = 200;

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
    pub not_run: Option<String>,
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
    pub not_run: Option<String>,
    pub ok: bool,
    pub diagnostics: Vec<Diagnostic>,
    pub output: String,
}

/// What the two kinds of report share.
pub trait Report: Sized + Serialize + for<'de> Deserialize<'de> {
    /// Of a tool that is not there, or was ended.
    fn nothing(tool: &str, project: &str, not_run: Option<String>, output: &[u8]) -> Self;
    /// Worth keeping: a report of a tool that did its work.
    fn is_whole(&self) -> bool;
    /// Every text that the tool wrote.
    fn texts(&mut self) -> Vec<&mut String>;

    /// Names files of the work tree as the repository does: where it lies differs between two runs, and is nobody's business.
    fn relative_to(mut self, root: &Path) -> Self {
        let root = format!("{}/", root.display());
        for text in self.texts().into_iter().filter(|text| text.contains(&root)) {
            *text = text.replace(&root, "");
        }
        self
    }
}

impl Report for TestReport {
    fn nothing(tool: &str, project: &str, not_run: Option<String>, output: &[u8]) -> Self {
        let (runner, project) = (tool.to_owned(), project.to_owned());
        TestReport { runner, project, not_run, output: end(output), ..TestReport::default() }
    }

    fn is_whole(&self) -> bool {
        self.complete && self.tests.iter().any(|test| test.outcome == TestOutcome::Passed)
    }

    fn texts(&mut self) -> Vec<&mut String> {
        self.tests.iter_mut().flat_map(|test| [&mut test.id, &mut test.detail]).chain([&mut self.output]).collect()
    }
}

impl Report for BuildReport {
    fn nothing(tool: &str, project: &str, not_run: Option<String>, output: &[u8]) -> Self {
        let (tool, project) = (tool.to_owned(), project.to_owned());
        BuildReport { tool, project, not_run, output: end(output), ..BuildReport::default() }
    }

    fn is_whole(&self) -> bool {
        self.not_run.is_none() && (self.ok || !self.diagnostics.is_empty())
    }

    fn texts(&mut self) -> Vec<&mut String> {
        self.diagnostics.iter_mut().map(|found| &mut found.message).chain([&mut self.output]).collect()
    }
}

impl Test {
    pub fn new(id: impl Into<String>, outcome: TestOutcome) -> Self {
        Test { id: id.into(), path: None, outcome, detail: String::new() }
    }
}

impl TestReport {
    /// In order of their ids, each once, with details that are short enough to keep. Of two tests with one id the second gets a number.
    pub fn of(runner: &str, project: &str, mut tests: Vec<Test>, complete: bool, output: &[u8]) -> Self {
        tests.sort_by(|a, b| a.id.cmp(&b.id));
        let mut twins = 0;
        for at in 1..tests.len() {
            let same = tests[at].id == tests[at - 1 - twins].id;
            twins = if same { twins + 1 } else { 0 };
            if same {
                tests[at].id = format!("{} #{}", tests[at].id, twins + 1);
            }
        }
        let mut detailed = 0;
        for test in &mut tests {
            let keep = matches!(test.outcome, TestOutcome::Failed | TestOutcome::Errored) && detailed < DETAILED;
            detailed += usize::from(keep);
            test.detail = if keep { cut(&test.detail, DETAIL) } else { String::new() };
        }
        let (runner, project) = (runner.to_owned(), project.to_owned());
        TestReport { runner, project, not_run: None, tests, complete, output: end(output) }
    }
}

impl BuildReport {
    pub fn of(tool: &str, project: &str, ok: bool, mut diagnostics: Vec<Diagnostic>, output: &[u8]) -> Self {
        diagnostics.truncate(1_000);
        for diagnostic in &mut diagnostics {
            diagnostic.message = cut(&diagnostic.message, DETAIL);
        }
        let (tool, project) = (tool.to_owned(), project.to_owned());
        BuildReport { tool, project, not_run: None, ok, diagnostics, output: end(output) }
    }
}

/// The beginning of a text, without the escape sequences of terminals.
fn cut(text: &str, most: usize) -> String {
    let text = anstream::adapter::strip_str(text.trim()).to_string();
    match text.floor_char_boundary(most) {
        end if end < text.len() => format!("{}…", &text[..end]),
        _ => text,
    }
}

/// The end of an output.
pub fn end(output: &[u8]) -> String {
    let from = output.len().saturating_sub(OUTPUT);
    let text = String::from_utf8_lossy(&output[from..]);
    anstream::adapter::strip_str(text.trim()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_are_numbered_and_details_cut() {
        let long = Test { detail: "x".repeat(5_000), ..Test::new("b", TestOutcome::Failed) };
        let tests = ["c", "a", "a", "a"].map(|id| Test::new(id, TestOutcome::Passed)).into_iter().chain([long]);
        let report = TestReport::of("pytest", "", tests.collect(), true, b"\x1b[31mred\x1b[0m");
        let ids: Vec<_> = report.tests.iter().map(|test| test.id.as_str()).collect();
        assert_eq!(ids, ["a", "a #2", "a #3", "b", "c"]);
        assert_eq!(report.tests[3].detail.len(), DETAIL + "…".len());
        assert_eq!(report.output, "red");
    }
}
