//! `host run`: the whole way.

use std::sync::Arc;
use std::time::SystemTime;

use jiff::Timestamp;

use crate::change::{Observer, Task, TaskMode};
use crate::cli::RunArgs;
use crate::error::{Context, Fault, Kind, Result};
use crate::git::{Repo, place_in_worktree, range};
use crate::observe::{Keep, Records, Report, RunReport, Secrets, Trace, prune};
use crate::provide::{Cancel, Environment, Recorder, Surroundings};
use crate::run::{Way, run as walk};

use super::Desk;
use super::check::hints;
use super::provider::chain;
use super::rules::ruled;

pub fn run(args: &RunArgs, desk: &Desk, cancel: Cancel) -> Result<Report> {
    let repo = desk.repo()?;
    if args.task.trim().is_empty() {
        return Err(Fault::new(Kind::Usage, "the task is empty").hint("say what is to be done: --task TEXT").into());
    }
    if args.onto_worktree && repo.is_bare() {
        return Err(Fault::new(Kind::Usage, "--onto-worktree needs a work tree, and this repository is bare").into());
    }
    let task = Task {
        text: args.task.clone(),
        hints: hints(&args.hints),
        mode: if args.compile_fix { TaskMode::CompileFix } else { TaskMode::Normal },
    };
    let report = through(&repo, task, args, desk, cancel)?;
    if let (true, Some(commit)) = (args.onto_worktree, report.commit) {
        place_in_worktree(&repo, &range(&repo, &commit.to_string())?)?;
    }
    Ok(Report::Run(Box::new(report)))
}

fn through(repo: &Repo, task: Task, args: &RunArgs, desk: &Desk, cancel: Cancel) -> Result<RunReport> {
    let head = repo.head()?;
    let ruled = ruled(desk, repo, head.commit, head.tree, &args.only, &[])?;
    let environment = Environment::new(desk.outside.env.iter().cloned());
    let (chain, notice) = chain(args, &ruled.config.rules.providers, desk)?;
    let secrets = Secrets::new(chain.providers().flat_map(|provider| environment.key_values(provider)));
    let surroundings = Surroundings {
        environment,
        scratch: desk.outside.temp.clone(),
        cancel,
        recorder: args.record.as_deref().map(|file| Recorder::create(&desk.path(file))).transpose()?,
    };
    let id = uuid::Uuid::now_v7().to_string();
    let records = records(repo, &id, secrets.clone())?;
    let (_, trace) = records.trace()?;
    let trace = Trace::new(trace, id.clone(), secrets, Arc::new(Timestamp::now));
    let mut observers = desk.watchers.to_vec();
    observers.push(&trace as &dyn Observer);
    let mut report = walk(Way {
        id,
        repo,
        head,
        task,
        chain,
        surroundings: &surroundings,
        rules: &ruled.rules,
        guards: &ruled.guards,
        rounds: args.rounds.unwrap_or(ruled.config.rules.policy.rounds),
        records: Some(&records),
        observers: &observers,
    })?;
    trace.finish()?;
    report.notices.extend(ruled.notice.into_iter().chain(notice));
    Ok(report)
}

/// This run's folder; older ones make room.
fn records(repo: &Repo, id: &str, secrets: Secrets) -> Result<Records> {
    let state = repo.state_dir()?;
    prune(&state, Keep::default(), SystemTime::now()).context("cannot tidy the records of earlier runs")?;
    Records::create(&state, id, secrets)
}
