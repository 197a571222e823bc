//! `host submit`: puts a change into the queue, and waits for its verdict.

use std::sync::Arc;
use std::time::Duration;

use guardhost_core::change::{Candidate, Oid};
use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_fleet::job::{Class, Job, JobTask, ObjectSource};
use guardhost_fleet::keys::WorkerKey;
use guardhost_fleet::objects;
use guardhost_fleet::queue::{Address, Queue};
use guardhost_fleet::result::JobVerdict;
use guardhost_fleet::submit::{SubmitAnswer, Submitter};
use guardhost_fleet::worker::Worker;
use guardhost_git::{Repo, range, rules_commit, staged, staged_in, worktree};
use guardhost_report::{Report, SubmitOutcome, SubmitReport};
use tokio::sync::watch;

use super::connection::{address, check_shared, failed, job_id, keys, open, runtime, settings};
use super::{Shown, many};
use crate::cli::SubmitArgs;
use crate::judging::{Bench, HostJudge, Repositories, Submission, job_of};
use host::command::CommandContext;

/// The queue's client has little to compute.
const THREADS: usize = 2;

pub fn submit(args: &SubmitArgs, ctx: &CommandContext) -> Result<Shown> {
    let is_local = address(&args.queue)? == Address::Memory;
    if !is_local && args.queue.fleet_keys.is_none() {
        return Err(Fault::new(FaultKind::Usage, "without --fleet-keys no worker's signature can be verified")
            .hint("run `host fleet key` on each worker, and put the lines into one file")
            .into());
    }
    if ctx.global.config.is_some() {
        let what = "--config is a file of this machine, and workers read the rules from the base commit";
        return Err(Fault::new(FaultKind::Usage, what).hint("commit the rules, or use host check").into());
    }
    if args.stdin {
        check_shared(&args.queue, "there is nowhere to submit many ranges")?;
    }
    if args.job.is_some() {
        check_shared(&args.queue, "there is nowhere to ask for the job")?;
    }
    runtime(THREADS)?.block_on(async {
        let queue = open(&args.queue, ctx).await?;
        let known = keys(&args.queue, ctx)?;
        if args.stdin {
            return many::submit(args, ctx, Submitter { queue, known, audited: args.audited }).await.map(Shown::Text);
        }
        let report = match &args.job {
            Some(id) => {
                let submitter = Submitter { queue, known, audited: 0 };
                let id = job_id(id)?;
                let answer = submitter.wait(&id, Duration::from_secs(args.wait)).await.map_err(failed)?;
                Ok(report(id.to_string(), "unknown", answer))
            }
            None if is_local => here(args, ctx, queue).await,
            None => {
                let job = job(args, ctx, Some(&*queue)).await?;
                let submitter = Submitter { queue, known, audited: args.audited };
                let answer = submitter.submit(&job, Duration::from_secs(args.wait)).await.map_err(failed)?;
                Ok(report(job.id().to_string(), job.class.as_str(), answer))
            }
        };
        report.map(|report| Shown::Report(Box::new(report)))
    })
}

/// In this process, with a worker of its own: the same code, and no other machine.
async fn here(args: &SubmitArgs, ctx: &CommandContext<'_>, queue: Arc<dyn Queue>) -> Result<Report> {
    let repo = ctx.repo()?;
    let job = job(args, ctx, None).await?;
    let no_key = || Fault::new(FaultKind::Git, "the system gives no random bytes");
    let key = Arc::new(WorkerKey::for_this_process("this-process").ok_or_else(no_key)?);
    let known = keys(&args.queue, ctx)?.with(&key);
    let judge = HostJudge::new(Bench {
        process: ctx.process.clone(),
        embedded: ctx.embedded,
        offline: ctx.is_offline(),
        repositories: Repositories::Own(repo.common_dir().to_owned()),
        queue: Arc::clone(&queue),
        shared: None,
        policies: Default::default(),
        traces: ctx.traces.cloned(),
    });
    let worker = Arc::new(Worker {
        queue: Arc::clone(&queue),
        judge: Arc::new(judge),
        key,
        known: known.clone(),
        settings: settings(&args.queue, None)?,
        fast: 1,
        heavy: 1,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        state: Default::default(),
        breaker: Default::default(),
        spent: Default::default(),
    });
    let (end, ends) = watch::channel(false);
    let working = tokio::spawn(worker.run(ends));
    let submitter = Submitter { queue, known, audited: 0 };
    let answer = submitter.submit(&job, Duration::from_secs(args.wait)).await.map_err(failed)?;
    end.send_replace(true);
    // It has no other job.
    working.abort();
    Ok(report(job.id().to_string(), job.class.as_str(), answer))
}

/// With the pack of the change in the queue, unless it is of this process.
async fn job(args: &SubmitArgs, ctx: &CommandContext<'_>, queue: Option<&dyn Queue>) -> Result<Job> {
    let repo = ctx.repo()?;
    let Submission { change, remote } = submission(&repo, args, ctx)?;
    let mut transport = ObjectSource { pack: None, remote: Some(remote) };
    if let Some(queue) = queue {
        let packed = objects::pack(repo.common_dir(), &change, &ctx.process.env).await.map_err(not_packed)?;
        transport.pack = Some(queue.put_object(&packed).await.map_err(failed)?);
    }
    Job::new(class(args), change, transport).map_err(no_job)
}

pub(super) fn class(args: &SubmitArgs) -> Class {
    if args.heavy { Class::Heavy } else { Class::Fast }
}

pub(super) fn not_packed(error: impl std::fmt::Display) -> Error {
    Fault::new(FaultKind::Git, format!("cannot pack the change: {error}")).into()
}

pub(super) fn no_job(error: impl std::fmt::Display) -> Error {
    Fault::new(FaultKind::Usage, format!("the change is no job: {error}")).into()
}

/// The change that the arguments name, and from where workers fetch its base.
pub(super) fn submission(repo: &Repo, args: &SubmitArgs, ctx: &CommandContext<'_>) -> Result<Submission> {
    let (candidate, tip, rules) = candidate(args, ctx, repo)?;
    if candidate.files.is_empty() {
        let what = "there is nothing to submit: the change is empty";
        return Err(Fault::new(FaultKind::Nothing, what).hint("stage something with `git add`").into());
    }
    let known = args.task.is_some() || !args.hints.is_empty();
    let task = known.then(|| JobTask {
        text: args.task.clone().unwrap_or_default(),
        hints: host::command::hints(&args.hints).iter().map(ToString::to_string).collect(),
    });
    let made = job_of(repo, &candidate, tip, rules, task, &ctx.policies(), ctx.embedded)?;
    Ok(Submission { remote: args.remote.clone().unwrap_or(made.remote), ..made })
}

/// The change, its last commit if it has any, and the commit whose rules judge it if that is not its base.
fn candidate(args: &SubmitArgs, ctx: &CommandContext, repo: &Repo) -> Result<(Candidate, Option<Oid>, Option<Oid>)> {
    let candidate = match &args.range {
        Some(spec) => range(repo, spec)?,
        None if args.worktree => worktree(repo)?,
        None if ctx.process.index.is_some() => staged_in(repo, &ctx.index(repo)?)?,
        None => staged(repo)?,
    };
    let tip = candidate.commits.last().and_then(|commit| commit.oid);
    let rules = args.range.as_ref().map(|spec| rules_commit(repo, spec, &candidate)).transpose()?;
    Ok((candidate, tip, rules.and_then(|(commit, _)| commit)))
}

fn report(job: String, class: &'static str, answer: SubmitAnswer) -> Report {
    Report::Submit(Box::new(submitted(job, class, answer)))
}

pub(super) fn submitted(job: String, class: &'static str, answer: SubmitAnswer) -> SubmitReport {
    let empty = SubmitReport {
        job,
        class,
        outcome: SubmitOutcome::Waiting,
        check: None,
        worker: None,
        reason: None,
        notices: Vec::new(),
        range: None,
    };
    match answer {
        SubmitAnswer::Waiting => SubmitReport { reason: Some("no worker has answered yet".to_owned()), ..empty },
        SubmitAnswer::Judged(result) => {
            let outcome = match result.verdict {
                JobVerdict::Accepted => SubmitOutcome::Accepted,
                JobVerdict::Rejected => SubmitOutcome::Rejected,
                JobVerdict::Failed => SubmitOutcome::Failed,
                JobVerdict::Refused => SubmitOutcome::Refused,
            };
            let notices = result.about().map(|about| about.notices).unwrap_or_default();
            let check = serde_json::from_str(&result.report).ok();
            SubmitReport { outcome, check, worker: Some(result.named()), notices, ..empty }
        }
        SubmitAnswer::Unbelieved(result) => SubmitReport {
            outcome: SubmitOutcome::Unbelieved,
            worker: Some(result.named()),
            reason: Some("the result is not signed by a key that --fleet-keys lists".to_owned()),
            ..empty
        },
        SubmitAnswer::Dead(dead) => {
            SubmitReport { outcome: SubmitOutcome::Dead, reason: Some(dead.reason.clone()), ..empty }
        }
    }
}
