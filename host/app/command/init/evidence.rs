//! Whether what a change does can be shown here: the sandbox works, and the tests of HEAD pass in it within their time.

use std::time::{Duration, Instant};

use guardhost_core::change::Candidate;
use guardhost_core::error::Result;
use guardhost_git::{Head, Repo, whole_tree};
use guardhost_policy::{ConfiguredTools, toolchain};
use guardhost_report::{InitEvidence, InitLinter, InitTests};
use guardhost_toolchain::{
    LintReport, SandboxHere, SandboxLimits, TestOutcome, TestReport, Toolchain, ToolchainFailure, TreeKind,
};

use crate::context::CommandContext;

/// Runs the tests of HEAD once; their result is kept, so that the first change finds it.
///
/// # Errors
/// The sandbox can be set up and not be left, or the repository cannot be read. That tests fail is no error.
pub fn find(repo: &Repo, head: &Head, seconds: u64, ctx: &CommandContext) -> Result<InitEvidence> {
    let off = |sandbox: Option<&str>, why: &str| InitEvidence {
        sandbox: sandbox.map(str::to_owned),
        reason: Some(why.to_owned()),
        ..InitEvidence::default()
    };
    let tools = toolchain(ctx.process, repo, ConfiguredTools::default());
    let sandbox = match tools.sandbox_here() {
        Ok(SandboxHere { name, .. }) => name,
        Err(why) => return Ok(off(None, &format!("{why}; install bubblewrap, and run `host init` again"))),
    };
    if seconds == 0 {
        return Ok(off(Some(sandbox), "the tests were not run (--test-seconds 0)"));
    }
    if head.commit.is_none() {
        return Ok(off(Some(sandbox), "there is no commit whose tests could be run"));
    }
    let limits = SandboxLimits {
        wall: Duration::from_secs(seconds),
        stop: ctx.process.stop.clone(),
        ..SandboxLimits::default()
    };
    let tree = whole_tree(repo, head.tree)?;
    let linters = linters(&tools, &tree, &limits)?;
    let begun = Instant::now();
    let reports = match tools.tests(&tree, TreeKind::Base, &limits)? {
        Ok(reports) => reports,
        Err(ToolchainFailure::TimedOut(_)) => {
            let why = format!("the tests of HEAD did not end within {seconds} s; --test-seconds N gives them longer");
            return Ok(InitEvidence { linters, ..off(Some(sandbox), &why) });
        }
        Err(ToolchainFailure::Unavailable(why)) => return Ok(off(Some(sandbox), &why)),
        Err(ToolchainFailure::Stopped(stopped)) => return Err(stopped.into_error("running the tests of HEAD")),
    };
    let seconds = begun.elapsed().as_secs();
    let tests: Vec<InitTests> = reports.iter().map(tests).collect();
    let reason = why_not(&reports);
    Ok(InitEvidence { sandbox: Some(sandbox.to_owned()), tests, seconds, is_on: reason.is_none(), reason, linters })
}

/// What the linters that HEAD configures say of it; their answers are kept, so that the first change finds them.
fn linters(tools: &Toolchain, tree: &Candidate, limits: &SandboxLimits) -> Result<Vec<InitLinter>> {
    let none = |not_run: String| vec![InitLinter { not_run: Some(not_run), ..InitLinter::default() }];
    let found = |LintReport { build: report, .. }: &LintReport| {
        let failed =
            || (!report.ok && report.diagnostics.is_empty()).then_some("it fails on HEAD without an objection");
        let not_run = report.not_run.as_ref().map(|not_run| not_run.why()).or_else(failed);
        InitLinter {
            linter: report.tool.clone(),
            project: report.project.clone(),
            objections: report.diagnostics.len(),
            not_run: not_run.map(str::to_owned),
        }
    };
    Ok(match tools.lint(tree, true, limits)? {
        Ok(reports) => reports.iter().map(found).collect(),
        Err(ToolchainFailure::Unavailable(why)) => none(why),
        Err(ToolchainFailure::TimedOut(limit)) => none(format!("a linter did not end within {} s", limit.as_secs())),
        Err(ToolchainFailure::Stopped(stopped)) => return Err(stopped.into_error("running the linters of HEAD")),
    })
}

/// None when something passes, nothing fails, and all could be run.
fn why_not(reports: &[TestReport]) -> Option<String> {
    let of = |outcome: TestOutcome| {
        reports.iter().flat_map(|report| &report.tests).filter(|test| test.outcome == outcome).count()
    };
    if let Some(why) = reports.iter().find_map(TestReport::could_not_run) {
        return Some(format!("not all tests of HEAD can be run: {why}"));
    }
    if of(TestOutcome::Passed) == 0 {
        let why = match reports.iter().find(|report| report.tests.is_empty()).or(reports.first()) {
            None => "the host knows no runner for what HEAD has of tests",
            Some(report) if report.tests.is_empty() => &format!("{} finds no test in HEAD", report.runner),
            Some(_) => "no test of HEAD passes",
        };
        return Some(format!("{why}; [[runner]] in guards.toml names other runners"));
    }
    // What failed before is no change's fault, and guards leave it out: only a report that is not whole says nothing.
    let broken = reports.iter().find(|report| report.not_run.is_none() && !report.complete)?;
    let last = broken.output.lines().last().unwrap_or_default();
    Some(format!("the tests of {} do not run to their end on HEAD: {last}", broken.runner))
}

fn tests(report: &TestReport) -> InitTests {
    let count = |wanted: fn(TestOutcome) -> bool| report.tests.iter().filter(|test| wanted(test.outcome)).count();
    InitTests {
        runner: report.runner.clone(),
        project: report.project.clone(),
        passed: count(|outcome| outcome == TestOutcome::Passed),
        failed: count(TestOutcome::is_failure),
        not_run: report.not_run.as_ref().map(|not_run| not_run.why().to_owned()),
    }
}
