//! What the command line can do: one file a command, each a function from arguments to a report.

mod apply;
mod author;
mod check;
mod demo;
mod doctor;
mod explain;
mod guard;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
mod patch;
mod patch_file;
mod plan;
mod provider;
mod run;
mod walk;

pub use apply::apply;
pub use author::{author, watch};
pub use check::check;
pub use demo::demo;
pub use doctor::doctor;
pub use explain::explain;
pub use guard::guard;
pub use log::log;
#[cfg(feature = "mcp")]
pub use mcp::mcp;
pub use patch::patch;
pub use provider::{providers, test_provider};
pub use run::run;

use std::path::{Path, PathBuf};

use crate::cli::Global;
use guardhost_core::change::observe;
use guardhost_core::change::{Event, Evidence, GuardVerdict, Judgement, Mode, Observer, Verdict};
use guardhost_core::error::{Kind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_git::Repo;
use guardhost_policy::PolicySource;
use guardhost_report::{ApplyReport, AuthorReport, Health, Report};

/// What every command gets.
pub struct CommandContext<'a> {
    pub global: &'a Global,
    pub process: &'a ProcessEnv,
    /// Whoever watches while the command is at work.
    pub watchers: &'a [&'a dyn Observer],
}

/// Tells every watcher.
impl Observer for CommandContext<'_> {
    fn see(&self, event: &Event) {
        observe(self.watchers, event);
    }
}

impl CommandContext<'_> {
    /// The repository that `--repo` names, or the one around the current folder.
    fn repo(&self) -> Result<Repo> {
        Repo::open(&self.path(self.global.repo.as_deref().unwrap_or(Path::new(""))))
    }

    /// Files of the rules are not written. On build servers that is the default: what they judge was reviewed.
    fn locked(&self) -> bool {
        let ci = || self.process.var("CI").is_some_and(|value| value != "false" && value != "0");
        self.global.frozen || self.global.locked.unwrap_or_else(ci)
    }

    /// Nobody on the net is asked.
    fn is_offline(&self) -> bool {
        self.global.offline || self.global.frozen
    }

    /// There must be a lock.
    fn demands_lock(&self) -> bool {
        self.global.frozen || self.global.locked == Some(true)
    }

    /// Where rules and guards are looked up.
    fn policies(&self) -> PolicySource<'_> {
        PolicySource {
            process: self.process,
            config: self.global.config.as_deref().map(|file| self.path(file)),
            offline: self.is_offline(),
            demands_lock: self.demands_lock(),
        }
    }

    /// A path as the command line means it.
    fn path(&self, path: &Path) -> PathBuf {
        self.process.cwd.join(path)
    }
}

const ACCEPTED: u8 = 0;

/// How a run ends that has used up what it may.
const OVER_BUDGET: &str = "over-budget";

/// What the process says with its exit code.
pub fn exit_code(report: &Report) -> u8 {
    match report {
        Report::Check(check) if check.refusal.is_some() => Kind::Git.exit_code(),
        Report::Check(check) => judged(&check.judgement),
        Report::Apply(apply) => placed(apply),
        Report::Patch(patch) if patch.outcome == OVER_BUDGET => Kind::Provider.exit_code(),
        Report::Patch(patch) => placed(&patch.apply),
        Report::Run(run) if run.outcome == OVER_BUDGET => Kind::Provider.exit_code(),
        Report::Run(run) if run.outcome != "rejected" => ACCEPTED,
        Report::Run(run) => match run.rounds.last().and_then(|round| round.check.as_ref()) {
            Some(check) => judged(&check.judgement),
            None => Kind::Git.exit_code(),
        },
        // A guard of the plan stage that failed; to drop a step is no failure.
        Report::Plan(plan) if plan.judgement.verdict() == Verdict::Error => judged(&plan.judgement),
        Report::Plan(plan) => plan.steps.iter().map(|step| step.exit_code).find(|code| *code != 0).unwrap_or(ACCEPTED),
        Report::Doctor(rows) if rows.iter().any(|row| row.ok == Health::Fail) => Kind::Config.exit_code(),
        Report::Author(report) => authored(report),
        Report::Pins(report) if report.held => Kind::Config.exit_code(),
        Report::Guards(_)
        | Report::GuardInfo(_)
        | Report::Explain(_)
        | Report::Pins(_)
        | Report::Doctor(_)
        | Report::Log(_)
        | Report::LogRun(_) => ACCEPTED,
        Report::Failure(failure) => failure.exit_code,
    }
}

fn authored(report: &AuthorReport) -> u8 {
    const NO: u8 = 1;
    match report {
        AuthorReport::CaseResults(tested) if tested.failed() > 0 => NO,
        AuthorReport::Range(report) if report.past.count("reject") > 0 => NO,
        AuthorReport::Range(report) if report.past.broke() => Kind::GuardRun.exit_code(),
        AuthorReport::Certificate(certificate) if !certificate.is_granted() => NO,
        _ => ACCEPTED,
    }
}

fn placed(apply: &ApplyReport) -> u8 {
    match (&apply.refusal, &apply.check) {
        (_, Some(check)) if judged(&check.judgement) != ACCEPTED => judged(&check.judgement),
        (Some(_), _) => Kind::Git.exit_code(),
        (None, _) => ACCEPTED,
    }
}

/// 0, 1 when a guard said no, 4 or 5 when none did but one could not be loaded, or failed.
fn judged(judgement: &Judgement) -> u8 {
    let broken = |evidence: &&Evidence| {
        evidence.mode == Mode::Enforce && matches!(evidence.verdict, GuardVerdict::Error { load: true, .. })
    };
    match judgement.verdict() {
        Verdict::Pass => 0,
        Verdict::Reject => 1,
        Verdict::Error if judgement.evidence.iter().any(|evidence| broken(&evidence)) => Kind::GuardLoad.exit_code(),
        Verdict::Error => Kind::GuardRun.exit_code(),
    }
}
