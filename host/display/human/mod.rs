//! Reports for people: aligned, quiet about what is in order, with a hint what to do next. One file a report, as in `data`.

mod account;
mod apply;
mod audit;
mod author;
mod backtest;
mod check;
mod comments;
mod diff;
mod doctor;
mod explain;
mod failure;
mod findings;
mod fix;
mod fleet;
mod guard_info;
mod guards;
mod improve;
mod init;
mod install;
mod line;
mod log;
mod made_plan;
mod notes;
mod past_run;
mod patch;
mod pins;
mod plan;
mod pull;
mod pull_status;
mod queue;
mod refusal;
mod replay;
mod review;
mod run;
mod shared_run;
mod stats;
mod suggest;
mod table;
mod touched;
mod triage;
mod watch;
pub(super) mod wrap;
mod writer;

use super::Appearance;
use guardhost_report::Report;
use writer::PageWriter;

/// Maximum characters of one text from outside.
const MAX_TEXT: usize = 2_000;

pub fn render(report: &Report, look: &Appearance) -> Vec<u8> {
    let mut page = PageWriter::new(look);
    match report {
        Report::Check(report) => check::check(&mut page, report),
        Report::Apply(report) => apply::apply(&mut page, report),
        Report::Run(report) => run::run(&mut page, report),
        Report::Plan(report) => plan::plan(&mut page, report),
        Report::MadePlan(report) => made_plan::made_plan(&mut page, report),
        Report::Improve(report) => improve::improve(&mut page, report),
        Report::Review(report) => review::review(&mut page, report),
        Report::Replay(report) => replay::replay(&mut page, report),
        Report::Fix(report) => fix::fix(&mut page, report),
        Report::Pull(report) => pull::pull(&mut page, report),
        Report::PullStatus(report) => pull_status::pull_status(&mut page, report),
        Report::Queue(report) => queue::queue(&mut page, report),
        Report::Watch(report) => watch::watch(&mut page, report),
        Report::Patch(report) => patch::patch(&mut page, report),
        Report::Log(report) => log::log(&mut page, report),
        Report::LogRun { run } => past_run::details(&mut page, run),
        Report::SharedRun { run } => shared_run::details(&mut page, run),
        Report::Diff(report) => past_run::result_diff(&mut page, report),
        Report::Taken(report) => past_run::taken(&mut page, report),
        Report::Backtest(report) => backtest::backtest(&mut page, report),
        Report::Init(report) => init::init(&mut page, report),
        Report::Guards(list) => guards::guards(&mut page, list),
        Report::GuardInfo { guard } => guard_info::guard_info(&mut page, guard),
        Report::LanguageInfo { language } => guard_info::language_info(&mut page, language),
        Report::Explain(report) => explain::explain(&mut page, report),
        Report::Pins(report) => pins::pins(&mut page, report),
        Report::Author(report) => author::author(&mut page, report),
        Report::Doctor(report) => doctor::doctor(&mut page, &report.checks),
        Report::Install(report) => install::install(&mut page, report),
        Report::Audit(report) => audit::audit(&mut page, report),
        Report::Suggest(report) => suggest::suggest(&mut page, report),
        Report::Stats(report) => stats::stats(&mut page, report),
        Report::Submit(report) => fleet::submit(&mut page, report),
        Report::Fleet(report) => fleet::fleet(&mut page, report),
        Report::Failure { error } => failure::failure(&mut page, error),
    }
    page.into_bytes()
}
