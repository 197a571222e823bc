//! `guardhost:toolchain`: builds and tests.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasmtime::Result;
use wasmtime::component::Resource;

use super::toolchain_command::{Replacing, ToolchainCommand};
use crate::bindings::guardhost::guard::types::Denied;
use crate::bindings::guardhost::toolchain::toolchain::{
    Coverage, Diagnostic, FileLines, Host, HostBuildReport, HostTestReport, Replaced, Selection, Side, Test,
    TestOutcome,
};
use crate::call::store_data::StoreData;
use crate::call::transcript::ServiceReply;
use crate::handles::{BuildReportHandle, TestReportHandle};
use crate::judge::change_view::{ChangeView, TreeSide as Tree};
use crate::limits::GuardStop;
use guardhost_core::change::{MissingObject, Service};
use guardhost_core::machine::is_machine_lack;
use guardhost_toolchain::{
    BuildReport, CoverageReport, LintReport, SandboxLimits, TestReport, TestSelection, Toolchain, ToolchainFailure,
    TreeKind,
};

type Reports<H> = Result<Result<Vec<Resource<H>>, Denied>>;

impl Host for StoreData {
    fn run_tests(&mut self, side: Side) -> Reports<TestReportHandle> {
        let tree_kind = if Tree::from(side) == Tree::Before { TreeKind::Base } else { TreeKind::Candidate };
        tests(self, tree_kind)
    }

    fn run_base_tests(&mut self) -> Reports<TestReportHandle> {
        tests(self, TreeKind::BaseTests)
    }

    fn run_tests_with(
        &mut self,
        side: Side,
        replaced: Vec<Replaced>,
        selection: Selection,
    ) -> Reports<TestReportHandle> {
        let replaced: Vec<Replacing> = replaced.into_iter().map(Replacing::from).collect();
        self.meter.bytes(replaced.iter().map(Replacing::size).sum())?;
        let of_base = Tree::from(side) == Tree::Before;
        let Selection { paths, until_failure, seconds } = selection;
        let question =
            ToolchainCommand::TestsWith { of_base, replaced: &replaced, paths: &paths, until_failure, seconds };
        let selection = TestSelection { paths: paths.clone(), until_failure };
        let files: Vec<_> = replaced.iter().map(Replacing::file).collect();
        let asked = CommandRequest { seconds: Some(seconds).filter(|seconds| *seconds > 0), may_time_out: true };
        let reports = ask_toolchain(
            self,
            &question,
            asked,
            |tools, change, limits| tools.tests_with(&change.candidate, of_base, &files, &selection, limits),
            TestReport::could_not_run,
        )?;
        keep_all(reports, |report| StoreData::keep(&mut self.test_reports, report))
    }

    fn run_tests_covered(&mut self, side: Side, selection: Selection) -> Result<Result<Vec<Coverage>, Denied>> {
        let of_base = Tree::from(side) == Tree::Before;
        let Selection { paths, until_failure, seconds } = selection;
        let question = ToolchainCommand::TestsCovered { of_base, paths: &paths, until_failure, seconds };
        let selection = TestSelection { paths: paths.clone(), until_failure };
        let asked = CommandRequest { seconds: Some(seconds).filter(|seconds| *seconds > 0), may_time_out: true };
        let reports = ask_toolchain(
            self,
            &question,
            asked,
            |tools, change, limits| tools.coverage(&change.candidate, of_base, &selection, limits),
            // That lines are not known is an answer.
            |_| None,
        )?;
        let reports = match reports {
            Ok(reports) => reports,
            Err(denied) => return Ok(Err(denied)),
        };
        let lines = reports.iter().flat_map(|report| &report.files).map(|file| file.run.len() + file.not_run.len());
        self.meter.bytes(lines.sum::<usize>() as u64 * size_of::<u32>() as u64)?;
        Ok(Ok(reports.into_iter().map(coverage).collect()))
    }

    fn run_build(&mut self, side: Side) -> Reports<BuildReportHandle> {
        let of_base = Tree::from(side) == Tree::Before;
        let question = if of_base { ToolchainCommand::BuildOfBase } else { ToolchainCommand::BuildOfCandidate };
        let reports = ask_toolchain(
            self,
            &question,
            CommandRequest::default(),
            |tools, change, limits| tools.build(&change.candidate, of_base, limits),
            BuildReport::could_not_run,
        )?;
        keep_all(reports, |report| StoreData::keep(&mut self.build_reports, report))
    }

    fn run_linters(&mut self, side: Side) -> Reports<BuildReportHandle> {
        let of_base = Tree::from(side) == Tree::Before;
        let question = if of_base { ToolchainCommand::LintersOfBase } else { ToolchainCommand::LintersOfCandidate };
        let reports = ask_toolchain(
            self,
            &question,
            CommandRequest::default(),
            |tools, change, limits| tools.lint(&change.candidate, of_base, limits),
            |report: &LintReport| report.build.could_not_run(),
        )?;
        keep_all(reports, |report| StoreData::keep(&mut self.build_reports, report.build))
    }
}

fn tests(call: &mut StoreData, tree_kind: TreeKind) -> Reports<TestReportHandle> {
    let question = match tree_kind {
        TreeKind::Base => ToolchainCommand::TestsOfBase,
        TreeKind::Candidate => ToolchainCommand::TestsOfCandidate,
        TreeKind::BaseTests => ToolchainCommand::BaseTestsOnCandidate,
    };
    let reports = ask_toolchain(
        call,
        &question,
        CommandRequest::default(),
        |tools, change, limits| tools.tests(&change.candidate, tree_kind, limits),
        TestReport::could_not_run,
    )?;
    keep_all(reports, |report| StoreData::keep(&mut call.test_reports, report))
}

fn keep_all<R, H: 'static>(reports: Result<Vec<R>, Denied>, keep: impl FnMut(R) -> Result<Resource<H>>) -> Reports<H> {
    match reports {
        Ok(reports) => reports.into_iter().map(keep).collect::<Result<_>>().map(Ok),
        Err(denied) => Ok(Err(denied)),
    }
}

fn ask_toolchain<R: Serialize + DeserializeOwned>(
    call: &mut StoreData,
    question: &ToolchainCommand<'_>,
    asked: CommandRequest,
    run: impl FnOnce(
        &Toolchain,
        &ChangeView,
        &SandboxLimits,
    ) -> guardhost_core::error::Result<Result<Vec<R>, ToolchainFailure>>,
    could_not_run: impl Fn(&R) -> Option<String>,
) -> Result<Result<Vec<R>, Denied>> {
    let change = call.change()?;
    let watch = call.meter.watch().clone();
    let seconds = asked.seconds.map_or(call.seconds, |wanted| call.seconds.min(u64::from(wanted)));
    let (wall, stop) = (Duration::from_secs(seconds), watch.token().clone());
    let limits = SandboxLimits { wall, stop, ..SandboxLimits::default() };
    let reply = call.consult(Service::Toolchain, question, |services| {
        let Some(tools) = &services.toolchain else {
            return Ok(ServiceReply::Unavailable("this host runs no builds and no tests here".to_owned()));
        };
        let answer = watch.wait(|| run(tools, &change, &limits)).map_err(|error| {
            match (error.downcast_ref::<MissingObject>(), is_machine_lack(&error)) {
                (Some(missing), _) => GuardStop::PartialClone(*missing),
                (None, true) => GuardStop::Machine(format!("{error:#}")),
                (None, false) => GuardStop::Toolchain(format!("{error:#}")),
            }
        })?;
        let outcome = match answer {
            Ok(reports) => CommandOutcome::Reports(reports),
            Err(ToolchainFailure::Unavailable(why)) => CommandOutcome::Unavailable(why),
            Err(ToolchainFailure::TimedOut(limit)) => {
                CommandOutcome::TimedOut(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX))
            }
            Err(ToolchainFailure::Stopped(stopped)) => return Err(GuardStop::Ended(stopped)),
        };
        Ok(ServiceReply::Given(Ran { outcome, warning: tools.warning().map(str::to_owned) }))
    })?;
    let Ran { outcome, warning } = match reply.granted() {
        Ok(ran) => ran,
        Err(denied) => {
            call.unanswered.lacks("this host runs no builds and no tests here");
            return Ok(Err(denied));
        }
    };
    if let Some(warning) = warning {
        call.log.line_once("warn", &format!("the sandbox of builds and tests is weaker than it could be: {warning}"));
    }
    Ok(match outcome {
        CommandOutcome::Reports(reports) => {
            reports.iter().filter_map(could_not_run).for_each(|lack| call.unanswered.lacks(lack));
            Ok(reports)
        }
        CommandOutcome::Unavailable(why) => {
            call.unanswered.lacks(why.as_str());
            Err(Denied::Unavailable(why))
        }
        CommandOutcome::TimedOut(millis) if asked.may_time_out => Err(Denied::TimedOut(millis)),
        CommandOutcome::TimedOut(millis) => {
            call.unanswered.lacks(format!("it did not end within {} s", millis / 1_000));
            Err(Denied::TimedOut(millis))
        }
    })
}

/// What builds or tests came to.
#[derive(Serialize, Deserialize)]
struct Ran<R> {
    outcome: CommandOutcome<R>,
    /// What the sandbox here does not keep in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CommandOutcome<R> {
    Reports(Vec<R>),
    Unavailable(String),
    /// Milliseconds.
    TimedOut(u64),
}

/// How a question is put.
#[derive(Clone, Copy, Default)]
struct CommandRequest {
    /// Fewer seconds than the pin allows.
    seconds: Option<u32>,
    /// That it does not end is an answer too: the guard asks what would be if.
    may_time_out: bool,
}

fn coverage(CoverageReport { runner, project, not_known, files, .. }: CoverageReport) -> Coverage {
    let lines =
        |file: guardhost_toolchain::FileLines| FileLines { path: file.path, run: file.run, not_run: file.not_run };
    Coverage { runner, project, not_known, files: files.into_iter().map(lines).collect() }
}

impl StoreData {
    fn test_report(&mut self, report: &Resource<TestReportHandle>) -> Result<&TestReport> {
        self.meter.call()?;
        let report = StoreData::resource(&self.test_reports, report)?;
        self.meter.bytes(report.output.len() as u64)?;
        Ok(report)
    }

    fn build_report(&mut self, report: &Resource<BuildReportHandle>) -> Result<&BuildReport> {
        self.meter.call()?;
        let report = StoreData::resource(&self.build_reports, report)?;
        self.meter.bytes(report.output.len() as u64)?;
        Ok(report)
    }
}

impl HostTestReport for StoreData {
    fn runner(&mut self, report: Resource<TestReportHandle>) -> Result<String> {
        Ok(self.test_report(&report)?.runner.clone())
    }

    fn project(&mut self, report: Resource<TestReportHandle>) -> Result<String> {
        Ok(self.test_report(&report)?.project.clone())
    }

    fn not_run(&mut self, report: Resource<TestReportHandle>) -> Result<Option<String>> {
        Ok(self.test_report(&report)?.not_run.as_ref().map(|not_run| not_run.why().to_owned()))
    }

    fn tests(&mut self, report: Resource<TestReportHandle>) -> Result<Vec<Test>> {
        let tests = self.test_report(&report)?.tests.iter().map(test).collect::<Vec<_>>();
        self.meter.bytes(
            tests
                .iter()
                .map(|test| {
                    size_of::<Test>() + test.id.len() + test.path.as_ref().map_or(0, String::len) + test.detail.len()
                })
                .sum::<usize>() as u64,
        )?;
        Ok(tests)
    }

    fn is_complete(&mut self, report: Resource<TestReportHandle>) -> Result<bool> {
        Ok(self.test_report(&report)?.complete)
    }

    fn output(&mut self, report: Resource<TestReportHandle>) -> Result<String> {
        Ok(self.test_report(&report)?.output.clone())
    }

    fn drop(&mut self, _: Resource<TestReportHandle>) -> Result<()> {
        Ok(())
    }
}

impl HostBuildReport for StoreData {
    fn tool(&mut self, report: Resource<BuildReportHandle>) -> Result<String> {
        Ok(self.build_report(&report)?.tool.clone())
    }

    fn project(&mut self, report: Resource<BuildReportHandle>) -> Result<String> {
        Ok(self.build_report(&report)?.project.clone())
    }

    fn not_run(&mut self, report: Resource<BuildReportHandle>) -> Result<Option<String>> {
        Ok(self.build_report(&report)?.not_run.as_ref().map(|not_run| not_run.why().to_owned()))
    }

    fn is_ok(&mut self, report: Resource<BuildReportHandle>) -> Result<bool> {
        Ok(self.build_report(&report)?.ok)
    }

    fn diagnostics(&mut self, report: Resource<BuildReportHandle>) -> Result<Vec<Diagnostic>> {
        let diagnostics = self.build_report(&report)?.diagnostics.iter().map(diagnostic).collect::<Vec<_>>();
        self.meter.bytes(
            diagnostics
                .iter()
                .map(|found| size_of::<Diagnostic>() + found.path.as_ref().map_or(0, String::len) + found.message.len())
                .sum::<usize>() as u64,
        )?;
        Ok(diagnostics)
    }

    fn output(&mut self, report: Resource<BuildReportHandle>) -> Result<String> {
        Ok(self.build_report(&report)?.output.clone())
    }

    fn drop(&mut self, _: Resource<BuildReportHandle>) -> Result<()> {
        Ok(())
    }
}

fn test(test: &guardhost_toolchain::Test) -> Test {
    let outcome = match test.outcome {
        guardhost_toolchain::TestOutcome::Passed => TestOutcome::Passed,
        guardhost_toolchain::TestOutcome::Failed => TestOutcome::Failed,
        guardhost_toolchain::TestOutcome::Errored => TestOutcome::Errored,
        guardhost_toolchain::TestOutcome::Skipped => TestOutcome::Skipped,
    };
    Test { id: test.id.clone(), path: test.path.clone(), outcome, detail: test.detail.clone() }
}

fn diagnostic(found: &guardhost_toolchain::Diagnostic) -> Diagnostic {
    Diagnostic { path: found.path.clone(), line: found.line, message: found.message.clone() }
}
