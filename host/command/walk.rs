//! What `run` and `patch` have in common: everything around the way.

use std::sync::Arc;
use std::time::SystemTime;

use jiff::Timestamp;

use crate::change::{Observer, Task};
use crate::cli::AskArgs;
use crate::error::{Context, Result};
use crate::git::{Head, Repo};
use crate::observe::{DebugFolder, Keep, Records, RunReport, Secrets, Trace, prune};
use crate::provide::{Cancel, Environment, Recorder, Surroundings};
use crate::run::{Way, run};
use crate::settle::Onto;

use super::Desk;
use super::provider::chain;
use super::rules::Ruled;

/// What a command decides for itself.
pub struct Plan<'a> {
    pub id: String,
    pub command: &'static str,
    pub repo: &'a Repo,
    pub head: Head,
    pub onto: Onto<'a>,
    pub task: Task,
    pub ruled: &'a Ruled,
    pub ask: &'a AskArgs,
    pub debug: Option<DebugFolder>,
}

pub fn walk(plan: Plan, desk: &Desk, cancel: Cancel) -> Result<RunReport> {
    let (chain, notice) = chain(plan.ask, &plan.ruled.config.rules.providers, desk)?;
    // A recording tells as many rounds as there were.
    let rounds = plan.ask.rounds.or_else(|| chain.recorded_rounds());
    let rounds = rounds.unwrap_or(plan.ruled.config.rules.policy.rounds);
    let environment = Environment::new(desk.outside.env.iter().cloned());
    let secrets = Secrets::new(chain.providers().flat_map(|provider| environment.key_values(provider)));
    let surroundings = Surroundings {
        environment,
        scratch: desk.outside.temp.clone(),
        cancel,
        recorder: plan.ask.record.as_ref().map(|file| Recorder::create(&desk.path(file))).transpose()?,
    };
    let records = records(plan.repo, &plan.id, secrets.clone())?.with_debug(plan.debug);
    let (_, trace) = records.trace()?;
    let trace = Trace::new(trace, plan.id.clone(), secrets, Arc::new(Timestamp::now));
    let mut observers = desk.watchers.to_vec();
    observers.push(&trace as &dyn Observer);
    let mut report = run(Way {
        id: plan.id,
        command: plan.command,
        repo: plan.repo,
        head: plan.head,
        onto: plan.onto,
        task: plan.task,
        chain,
        surroundings: &surroundings,
        rules: &plan.ruled.rules,
        guards: &plan.ruled.guards,
        rounds,
        records: Some(&records),
        observers: &observers,
    })?;
    trace.finish()?;
    report.notices.extend(plan.ruled.notice.clone().into_iter().chain(notice));
    Ok(report)
}

/// This run's folder; older ones make room.
fn records(repo: &Repo, id: &str, secrets: Secrets) -> Result<Records> {
    let state = repo.state_dir()?;
    prune(&state, Keep::default(), SystemTime::now()).context("cannot tidy the records of earlier runs")?;
    Records::create(&state, id, secrets)
}
