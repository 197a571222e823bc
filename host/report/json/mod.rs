//! The JSON of every report, one file a report as in `data`. Scripts rely on it: fields are added, never renamed
//! (`schema_version` 1).

mod apply;
pub mod audit;
mod author;
mod check;
mod comments;
mod doctor;
pub mod event;
mod explain;
mod failure;
mod fix;
mod fleet;
mod guard_info;
mod guards;
mod improve;
mod init;
mod install;
mod log;
mod made_plan;
mod past_run;
mod patch;
mod pins;
pub mod plan;
mod pull;
mod pull_status;
mod queue;
mod refusal;
mod replay;
mod review;
mod run;
mod shared_run;
mod watch;

use guardhost_core::change::Oid;
use serde_json::{Value, json};

use crate::{Report, escape};

pub use check::{check, evidence, exact};

/// One line with a line feed. Control characters in it are escaped ([`escape::json`]).
pub fn render(report: &Report) -> Vec<u8> {
    let mut value = json!({ "schema_version": 1 });
    let body = match report {
        Report::Check(report) => check::check(report),
        Report::Apply(report) => apply::apply(report),
        Report::Run(report) => run::run(report),
        Report::Plan(report) => plan::plan(report),
        Report::MadePlan(report) => made_plan::made_plan(report),
        Report::Improve(report) => improve::improve(report),
        Report::Review(report) => review::review(report),
        Report::Replay(report) => replay::replay(report),
        Report::Fix(report) => fix::fix(report),
        Report::Pull(report) => pull::pull(report),
        Report::PullStatus(report) => pull_status::pull_status(report),
        Report::Queue(report) => queue::queue(report),
        Report::Watch(report) => watch::watch(report),
        Report::Patch(report) => patch::patch(report),
        Report::Log(report) => shared_run::list(report),
        Report::LogRun(run) => json!({ "run": log::detail(run) }),
        Report::SharedRun(report) => shared_run::report(report),
        Report::Diff(report) => past_run::diff(report),
        Report::Taken(report) => past_run::taken(report),
        Report::Init(report) => init::init(report),
        Report::Guards(list) => {
            json!({ "guards": list.guards.iter().map(guards::guard_row).collect::<Vec<_>>(), "notices": list.notices })
        }
        Report::GuardInfo(info) => guard_info::guard_info(info),
        Report::Explain(report) => explain::explain(report),
        Report::Pins(report) => pins::pins(report),
        Report::Author(report) => author::author(report),
        Report::Doctor(rows) => doctor::doctor(rows),
        Report::Install(report) => install::install(report),
        Report::Audit(report) => audit::audit(report),
        Report::Submit(report) => fleet::submit(report),
        Report::Fleet(report) => fleet::fleet(report),
        Report::Failure(report) => failure::failure(report),
    };
    if let (Value::Object(value), Value::Object(body)) = (&mut value, body) {
        value.extend(body);
    }
    escape::json(&value)
}

fn oid(oid: Option<Oid>) -> Option<String> {
    oid.map(|oid| oid.to_string())
}
