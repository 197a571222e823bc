//! `host pr watch`: wait for the builds, and fix what fails: by starting it again once, then by runs of the host under all guards.

use std::time::{Duration, Instant};

use guardhost_core::change::{Event, Observer as _, Oid, RunOutcome};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_forge::watch::{
    Attempts, CiOutcome, CiState, FailedBuild, NextStep, WatchSettings, WatchTarget, watch as poll,
};
use guardhost_forge::{CiConclusion, CiRun, ForgeError, Pause, PullRequest};
use guardhost_git::Repo;
use guardhost_provider::Cancel;
use guardhost_report::journal::Trace;
use guardhost_report::{BuildRow, BuildsOutcome, CiFix, Report, Voted, WatchReport};

use super::connection::{ForgeConnection, connect};
use super::failure::{BuildFailure, failure};
use super::fix::{FixRequest, fix};
use super::listen::webhook_pause;
use super::open::Opening;
use super::record::{PullEnd, PullRecord};
use super::target::{PullTarget, target};
use crate::cli::{OpenArgs, PullArgs, WatchArgs};
use crate::command::review::EarlierParts;
use crate::command::run::budget::PlanBudget;
use crate::context::CommandContext;
use crate::observing;

/// For the first build to begin.
const GRACE: Duration = Duration::from_secs(120);

pub fn watch(args: &WatchArgs, ctx: &CommandContext, cancel: Cancel) -> Result<Report> {
    let begun = Instant::now();
    let repo = ctx.repo()?;
    let target = target(&repo, args.run.as_deref())?;
    let connection = connect(&args.forge, &repo, ctx)?;
    let pull = PullArgs { advice: args.advice.clone(), ..PullArgs::default() };
    let retold = Republished { pull: &pull, retell: None, parts: &EarlierParts::default() };
    let mut budget = PlanBudget::new(&args.ask, begun);
    Ok(Report::Watch(Box::new(watch_run((args, retold), target, &repo, connection, ctx, cancel, &mut budget)?)))
}

/// Says anew what holds for one commit alone, when the head of the pull request has moved to this one. The votes, if any were cast.
pub type Republish<'r> = &'r mut dyn FnMut(Oid, &mut PlanBudget) -> Result<Option<Voted>>;

/// What is published again with a change that fixes a build.
pub struct Republished<'r> {
    /// The arguments with which it was opened; critics judge the new head with them.
    pub pull: &'r PullArgs,
    pub retell: Option<Republish<'r>>,
    /// What was answered already is not asked again.
    pub parts: &'r EarlierParts,
}

/// Recorded as a run of its own. All that is asked is taken from `budget`.
pub fn watch_run(
    (args, retold): (&WatchArgs, Republished<'_>),
    target: PullTarget,
    repo: &Repo,
    connection: ForgeConnection,
    ctx: &CommandContext,
    cancel: Cancel,
    budget: &mut PlanBudget,
) -> Result<WatchReport> {
    let started = Instant::now();
    if args.wait.ci_fixes > 0 {
        connection.forge.check_push_access().map_err(ForgeError::into_error)?;
    }
    let task = format!("builds of the pull request of the run {}", target.history.run);
    let record = PullRecord::start(repo, task, Some(target.head.to_string()), &connection.token, ctx.process)?;
    let pause = webhook_pause(&args.wait, connection.kind, ctx)?;
    let watching = Watching { args, ctx, repo, connection, target, cancel, pause, trace: &record.trace };
    let done = record.end(watching.run(retold, budget), |report| {
        let said = format!("pull request {}: {}", report.number, report.outcome.as_str());
        let said = report.stopped.as_ref().map_or(said.clone(), |why| format!("{said}; {why}"));
        PullEnd::new(RunOutcome::NoChange, said)
    });
    let absences = observing::tell_records(ctx, repo, &record.id);
    let mut report = done?;
    report.notices.extend(absences);
    let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok(WatchReport { run: record.id, micros, ..report })
}

/// What came of a change that is to fix a build.
struct FixedPull {
    /// Its commit, if it was pushed.
    head: Option<Oid>,
    /// Why the builds are not waited for.
    stopped: Option<String>,
}

struct Watching<'a> {
    args: &'a WatchArgs,
    ctx: &'a CommandContext<'a>,
    repo: &'a Repo,
    connection: ForgeConnection,
    target: PullTarget,
    cancel: Cancel,
    pause: Box<dyn Pause>,
    /// Runs that fix a build have traces of their own.
    trace: &'a Trace,
}

impl Watching<'_> {
    fn run(&self, mut retold: Republished<'_>, budget: &mut PlanBudget) -> Result<WatchReport> {
        let forge = self.connection.forge.as_ref();
        let branch = &self.target.branch;
        let Some(pull) = forge.find(branch).map_err(ForgeError::into_error)? else {
            let fault = Fault::new(FaultKind::Usage, format!("the branch {branch} has no open pull request"));
            return Err(fault.hint("`host pr open` opens it").into());
        };
        let (mut attempts, mut fixes) = (Attempts::default(), Vec::new());
        let (mut head, mut again): (Oid, Vec<CiRun>) = (self.target.head, Vec::new());
        let mut notices = Vec::new();
        loop {
            let seen = self.poll(&pull, head, &again)?;
            let stopped = match seen.outcome {
                CiOutcome::Failure => {
                    let failure = failure(forge, &pull, &seen.runs).map_err(ForgeError::into_error)?;
                    let failed = FailedBuild {
                        base_is_red: failure.base_is_red,
                        can_rerun: failure.runs.iter().any(|run| run.is_workflow),
                        signature: failure.signature.as_deref(),
                    };
                    match attempts.next(failed, self.args.wait.ci_fixes) {
                        NextStep::Rerun => {
                            again = self.rerun(&failure)?;
                            continue;
                        }
                        NextStep::Fix => {
                            let fixed = self.fix(&pull, head, &failure, (&mut *budget, &mut retold), &mut fixes)?;
                            (head, again) = (fixed.head.unwrap_or(head), Vec::new());
                            if fixed.stopped.is_none() {
                                continue;
                            }
                            fixed.stopped
                        }
                        NextStep::Stop(reason) => Some(reason.text().to_owned()),
                    }
                }
                CiOutcome::Superseded(ref sha) => {
                    notices.push(format!("the branch is at {sha} at the forge; `host pr watch` again for that commit"));
                    None
                }
                _ => None,
            };
            return Ok(WatchReport {
                run: String::new(),
                of: self.target.history.run.clone(),
                number: pull.number,
                url: pull.url,
                commit: Some(head),
                outcome: outcome(&seen.outcome),
                builds: seen.runs.into_iter().map(row).collect(),
                reran: attempts.reran,
                fixes,
                stopped,
                notices,
                micros: 0,
            });
        }
    }

    fn poll(&self, pull: &PullRequest, head: Oid, again: &[CiRun]) -> Result<CiState> {
        let settings = WatchSettings {
            interval: Duration::from_secs(self.args.wait.interval),
            timeout: Duration::from_secs(self.args.wait.wait),
            grace: GRACE,
        };
        let sha = head.to_string();
        self.see(format!("waiting for the builds of {sha}"));
        let target = WatchTarget { number: pull.number, sha: &sha, again };
        poll(self.connection.forge.as_ref(), &target, &settings, self.pause.as_ref()).map_err(ForgeError::into_error)
    }

    fn rerun(&self, failure: &BuildFailure) -> Result<Vec<CiRun>> {
        let runs: Vec<CiRun> = failure.runs.iter().filter(|run| run.is_workflow).cloned().collect();
        for run in &runs {
            self.see(format!("starting the failed jobs of {} again", run.name));
            self.connection.forge.rerun(run).map_err(ForgeError::into_error)?;
        }
        Ok(runs)
    }

    /// Asks for a change that fixes the failure, and publishes it.
    fn fix(
        &self,
        pull: &PullRequest,
        head: Oid,
        failure: &BuildFailure,
        (budget, retold): (&mut PlanBudget, &mut Republished<'_>),
        fixes: &mut Vec<CiFix>,
    ) -> Result<FixedPull> {
        let none = |why| Ok(FixedPull { head: None, stopped: Some(why) });
        let ask = match budget.left() {
            Ok(ask) => ask,
            Err(why) => return none(why),
        };
        self.see("asking for a change that fixes the build".to_owned());
        let request = FixRequest {
            number: pull.number,
            branch: &self.target.branch,
            base: self.target.base,
            head,
            failure,
            ask: &ask,
        };
        let report = fix(self.repo, &request, self.ctx, self.cancel.clone())?;
        budget.spend(&report.spent);
        fixes.push(CiFix {
            run: report.run.clone(),
            outcome: report.outcome,
            commit: report.commit,
            signature: failure.signature.clone().unwrap_or_default(),
        });
        let Some(commit) = report.commit else {
            return none(format!("the run {} ended with `{}`", report.run, report.outcome.as_str()));
        };
        let args = OpenArgs { pull: retold.pull.clone(), ..OpenArgs::again(&self.args.forge) };
        let (repo, history, branch) = (self.repo, &self.target.history, self.target.branch.clone());
        let connection = &self.connection;
        let opening = Opening {
            args: &args,
            ctx: self.ctx,
            repo,
            connection,
            history,
            branch,
            head: commit,
            cancel: &self.cancel,
            parts: retold.parts,
        };
        let mut refused = None;
        let voted = |budget: &mut PlanBudget| {
            let voted = retold.retell.as_mut().map(|retell| retell(commit, budget)).transpose()?.flatten();
            refused = voted.as_ref().and_then(Voted::why);
            Ok(voted)
        };
        if opening.run(self.target.base, voted, budget)?.pull.is_none() {
            let what = "the guards reject the pull request with the change that was asked for; it was not pushed";
            return none(what.to_owned());
        }
        Ok(FixedPull {
            head: Some(commit),
            stopped: refused.map(|why| format!("the votes do not approve the change that fixes the build: {why}")),
        })
    }

    fn see(&self, text: String) {
        let event = Event::Notice { text };
        self.ctx.see(&event);
        self.trace.see(&event);
    }
}

pub fn outcome(outcome: &CiOutcome) -> BuildsOutcome {
    match outcome {
        CiOutcome::Success => BuildsOutcome::Success,
        CiOutcome::Failure => BuildsOutcome::Failure,
        CiOutcome::Timeout => BuildsOutcome::Timeout,
        CiOutcome::NoRuns => BuildsOutcome::NoRuns,
        CiOutcome::ActionRequired => BuildsOutcome::ActionRequired,
        CiOutcome::Skipped => BuildsOutcome::Skipped,
        CiOutcome::Superseded(_) => BuildsOutcome::Superseded,
        CiOutcome::Closed => BuildsOutcome::Closed,
    }
}

pub fn row(run: CiRun) -> BuildRow {
    let conclusion = run.conclusion.map(|conclusion| match conclusion {
        CiConclusion::Success => "success",
        CiConclusion::Failure => "failure",
        CiConclusion::Cancelled => "cancelled",
        CiConclusion::TimedOut => "timed-out",
        CiConclusion::ActionRequired => "action-required",
        CiConclusion::Skipped => "skipped",
        CiConclusion::Unknown => "unknown",
    });
    BuildRow { name: run.name, conclusion, url: run.url }
}
