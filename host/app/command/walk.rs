//! What `run` and `patch` have in common: everything around the way.

use std::sync::Arc;
use std::time::SystemTime;

use jiff::Timestamp;

use crate::cli::AskArgs;
use guardhost_core::change::{Feedback, Observer, Task};
use guardhost_core::error::{Context, Result};
use guardhost_git::{Head, Repo};
use guardhost_pipeline::run::{Way, run};
use guardhost_pipeline::settle::CommitTarget;
use guardhost_provider::{Cancel, Environment, ProviderRuntime, Recorder};
use guardhost_report::RunReport;
use guardhost_report::journal::Origin;
use guardhost_report::journal::{DebugFolder, Keep, Records, Secrets, Trace, prune};

use super::CommandContext;
use super::provider::chain;
use guardhost_policy::Policy;

/// What a command decides for itself.
pub struct Errand<'a> {
    pub id: String,
    pub command: &'static str,
    pub repo: &'a Repo,
    pub head: Head,
    pub onto: CommitTarget<'a>,
    pub task: Task,
    pub origin: Origin,
    /// What the first round is told already.
    pub told: Feedback,
    pub ruled: &'a Policy,
    pub ask: &'a AskArgs,
    pub debug: Option<DebugFolder>,
}

pub fn walk(errand: Errand, ctx: &CommandContext, cancel: Cancel) -> Result<RunReport> {
    let (chain, notice) = chain(errand.ask, &errand.ruled.config.rules.providers, ctx)?;
    // A recording tells as many rounds as there were.
    let rounds = errand.ask.rounds.or_else(|| chain.recorded_rounds());
    let rounds = rounds.unwrap_or(errand.ruled.config.rules.policy.rounds);
    let environment = Environment::new(ctx.process.env.iter().cloned());
    let secrets = Secrets::new(chain.providers().flat_map(|provider| environment.key_values(provider)));
    let surroundings = ProviderRuntime {
        environment,
        scratch: ctx.process.temp.clone(),
        cancel,
        recorder: errand.ask.record.as_ref().map(|file| Recorder::create(&ctx.path(file))).transpose()?,
    };
    let records = records(errand.repo, &errand.id, secrets.clone())?.with_debug(errand.debug);
    let (_, trace) = records.trace()?;
    let trace = Trace::new(trace, errand.id.clone(), secrets, Arc::new(Timestamp::now));
    let mut observers = ctx.watchers.to_vec();
    observers.push(&trace as &dyn Observer);
    let mut report = run(Way {
        id: errand.id,
        command: errand.command,
        repo: errand.repo,
        head: errand.head,
        onto: errand.onto,
        task: errand.task,
        origin: errand.origin,
        told: errand.told,
        chain,
        surroundings: &surroundings,
        rules: &errand.ruled.rules,
        guards: &errand.ruled.guards,
        fix: errand.ask.fixes(),
        rounds,
        records: Some(&records),
        observers: &observers,
    })?;
    trace.finish()?;
    report.notices.extend(errand.ruled.notice.clone().into_iter().chain(notice));
    Ok(report)
}

/// This run's folder; older ones make room.
pub fn records(repo: &Repo, id: &str, secrets: Secrets) -> Result<Records> {
    let state = repo.state_dir()?;
    prune(&state, Keep::default(), SystemTime::now()).context("cannot tidy the records of earlier runs")?;
    Records::create(&state, id, secrets)
}
