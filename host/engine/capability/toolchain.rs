//! `toolchain`: builds and tests.

use std::time::Duration;

use wasmtime::Result;

use crate::bindings::refusal::Denied;
use crate::bindings::toolchain::{BuildReport, Diagnostic, Host, Side, Test, TestOutcome, TestReport};
use crate::call::store_data::StoreData;
use crate::judge::change_view::{ChangeView, Side as Tree};
use crate::limits::Stop;
use guardhost_toolchain::{Limits, Toolchain, ToolchainFailure, TreeKind};

impl Host for StoreData {
    fn run_tests(&mut self, side: Side) -> Result<Result<Vec<TestReport>, Denied>> {
        let tree_kind = if Tree::from(side) == Tree::Before { TreeKind::Base } else { TreeKind::Candidate };
        tests(self, tree_kind)
    }

    fn run_base_tests(&mut self) -> Result<Result<Vec<TestReport>, Denied>> {
        tests(self, TreeKind::BaseTests)
    }

    fn run_build(&mut self, side: Side) -> Result<Result<Vec<BuildReport>, Denied>> {
        let of_base = Tree::from(side) == Tree::Before;
        ask_toolchain(self, |tools, change, limits| tools.build(&change.candidate, of_base, limits), build_report)
    }
}

fn tests(call: &mut StoreData, tree_kind: TreeKind) -> Result<Result<Vec<TestReport>, Denied>> {
    ask_toolchain(call, |tools, change, limits| tools.tests(&change.candidate, tree_kind, limits), test_report)
}

fn ask_toolchain<R, W>(
    call: &mut StoreData,
    run: impl FnOnce(&Toolchain, &ChangeView, &Limits) -> guardhost_core::error::Result<Result<Vec<R>, ToolchainFailure>>,
    report: fn(R) -> W,
) -> Result<Result<Vec<W>, Denied>> {
    let change = call.change()?;
    let Some(tools) = &call.services.toolchain else {
        return Ok(Err(Denied::Unavailable("this host runs no builds and no tests here".to_string())));
    };
    let limits = Limits { wall: Duration::from_secs(call.seconds), ..Limits::default() };
    let answer = run(tools, &change, &limits).map_err(|error| Stop::Toolchain(format!("{error:#}")))?;
    if let Some(warning) = tools.warning() {
        call.log.line_once("warn", &format!("the sandbox of builds and tests is weaker than it could be: {warning}"));
    }
    Ok(match answer {
        Ok(reports) => Ok(reports.into_iter().map(report).collect()),
        Err(ToolchainFailure::Unavailable(why)) => Err(Denied::Unavailable(why)),
        Err(ToolchainFailure::TimedOut(limit)) => {
            Err(Denied::TimedOut(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)))
        }
    })
}

fn test_report(report: guardhost_toolchain::TestReport) -> TestReport {
    let guardhost_toolchain::TestReport { runner, project, not_run, tests, complete, output } = report;
    TestReport { runner, project, not_run, tests: tests.into_iter().map(test).collect(), complete, output }
}

fn test(test: guardhost_toolchain::Test) -> Test {
    let outcome = match test.outcome {
        guardhost_toolchain::TestOutcome::Passed => TestOutcome::Passed,
        guardhost_toolchain::TestOutcome::Failed => TestOutcome::Failed,
        guardhost_toolchain::TestOutcome::Errored => TestOutcome::Errored,
        guardhost_toolchain::TestOutcome::Skipped => TestOutcome::Skipped,
    };
    Test { id: test.id, path: test.path, outcome, detail: test.detail }
}

fn build_report(report: guardhost_toolchain::BuildReport) -> BuildReport {
    let guardhost_toolchain::BuildReport { tool, project, not_run, ok, diagnostics, output } = report;
    let diagnostics = diagnostics.into_iter();
    let diagnostics =
        diagnostics.map(|found| Diagnostic { path: found.path, line: found.line, message: found.message });
    BuildReport { tool, project, not_run, ok, diagnostics: diagnostics.collect(), output }
}
