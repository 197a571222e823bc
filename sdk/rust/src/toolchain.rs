//! Builds and tests. Whoever uses this imports `toolchain`.

pub use crate::bindings::guardhost::toolchain::toolchain::{
    Coverage, Diagnostic, FileLines, Replaced, Replacement, Selection, Test, TestOutcome,
};
use crate::{Denied, Side, Source};

/// What one runner says of one project's tests.
#[derive(Debug, Clone, PartialEq)]
pub struct TestReport {
    /// `pytest`, `cargo-test`, `node-test`, `jest`, `vitest`, `go-test`; later hosts may know more.
    pub runner: String,
    /// The project's folder; empty for the root.
    pub project: String,
    /// Why nothing was run, such as a tool that is not installed; what else it says is then empty.
    pub not_run: Option<String>,
    pub tests: Vec<Test>,
    /// False when the runner itself failed, so that a missing test proves nothing.
    pub is_complete: bool,
    /// The end of the output.
    pub output: String,
}

/// What one tool says of one project's build.
#[derive(Debug, Clone, PartialEq)]
pub struct BuildReport {
    /// `cargo`, `tsc`, `go`, `python`, or the name of a linter; later hosts may know more.
    pub tool: String,
    /// The project's folder; empty for the root.
    pub project: String,
    /// Why nothing was run, such as a tool that is not installed; what else it says is then empty.
    pub not_run: Option<String>,
    pub is_ok: bool,
    /// Errors alone, in the tool's order.
    pub diagnostics: Vec<Diagnostic>,
    /// The end of the output.
    pub output: String,
}

/// What the build and the tests say, run by the host in a sandbox. Each call runs them anew, and may take minutes; the base's answers
/// are kept between judgements.
#[derive(Clone, Copy)]
pub struct Toolchain<'c> {
    source: &'c Source,
}

impl<'c> Toolchain<'c> {
    pub(crate) fn new(source: &'c Source) -> Self {
        Toolchain { source }
    }

    /// The tests of that side, as that side has them.
    pub fn tests(&self, side: Side) -> Result<Vec<TestReport>, Denied> {
        self.source.run_tests(side)
    }

    /// The candidate's code under the base's tests; no report when the change touches no test file.
    pub fn base_tests(&self) -> Result<Vec<TestReport>, Denied> {
        self.source.run_base_tests()
    }

    /// The tests of that side with some files replaced, run anew each time: what would be if.
    pub fn tests_with(
        &self,
        side: Side,
        replaced: &[Replaced],
        selection: &Selection,
    ) -> Result<Vec<TestReport>, Denied> {
        self.source.run_tests_with(side, replaced, selection)
    }

    /// Which lines of the touched files the tests of that side go over, run anew each time.
    pub fn coverage(&self, side: Side, selection: &Selection) -> Result<Vec<Coverage>, Denied> {
        self.source.run_tests_covered(side, selection)
    }

    /// One report for each language of the change that has a build.
    pub fn build(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        self.source.run_build(side)
    }

    /// One report for each linter or type checker that the base is configured for and the change concerns: what it objects to.
    pub fn linters(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        self.source.run_linters(side)
    }
}

impl Replaced {
    /// As the other side has it; not at all if that side has none.
    pub fn as_other_side(path: &str) -> Self {
        Replaced { path: path.to_owned(), by: Replacement::AsOtherSide }
    }

    pub fn content(path: &str, content: impl Into<Vec<u8>>) -> Self {
        Replaced { path: path.to_owned(), by: Replacement::Content(content.into()) }
    }
}
