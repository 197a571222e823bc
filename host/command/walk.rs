//! What `run` and `patch` have in common: everything around the way.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::change::{Observer, Task};
use crate::error::{Context, Fault, Kind, Result};
use crate::git::{Head, Repo};
use crate::observe::{DebugFolder, Keep, Records, RunReport, Secrets, Trace, prune};
use crate::provide::{Cancel, Chain, Environment, Provider, Recorder, Surroundings};
use crate::run::{Way, run};
use crate::settle::Onto;

use super::Desk;
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
    pub provider: Provider,
    /// None: what the policy says.
    pub rounds: Option<u32>,
    /// A recording to write.
    pub record: Option<&'a Path>,
    pub debug: Option<DebugFolder>,
}

pub fn walk(plan: Plan, desk: &Desk, cancel: Cancel) -> Result<RunReport> {
    let environment = Environment::new(desk.outside.env.iter().cloned());
    let secrets = Secrets::new(environment.key_values(&plan.provider));
    let surroundings = Surroundings {
        environment,
        scratch: desk.outside.temp.clone(),
        cancel,
        recorder: plan.record.map(|file| Recorder::create(&desk.path(file))).transpose()?,
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
        chain: Chain::new(vec![plan.provider]),
        surroundings: &surroundings,
        rules: &plan.ruled.rules,
        guards: &plan.ruled.guards,
        rounds: plan.rounds.unwrap_or(plan.ruled.config.rules.policy.rounds),
        records: Some(&records),
        observers: &observers,
    })?;
    trace.finish()?;
    report.notices.extend(plan.ruled.notice.clone());
    Ok(report)
}

/// Whom to ask; `timeout` in seconds.
pub fn provider(spec: Option<&str>, model: Option<&str>, timeout: u64, desk: &Desk) -> Result<Provider> {
    let spec = spec.ok_or_else(|| {
        Fault::new(Kind::Usage, "no provider is named")
            .hint("name one with --provider or GUARDHOST_PROVIDER: claude, codex, gemini, command:PROGRAM ARGUMENT…, replay:FILE")
    })?;
    let mut provider = Provider::parse(spec, &desk.outside.cwd)?;
    if let Some(model) = model {
        provider.model = Some(model.to_owned());
    }
    provider.limits.wall = Duration::from_secs(timeout);
    Ok(provider)
}

/// This run's folder; older ones make room.
fn records(repo: &Repo, id: &str, secrets: Secrets) -> Result<Records> {
    let state = repo.state_dir()?;
    prune(&state, Keep::default(), SystemTime::now()).context("cannot tidy the records of earlier runs")?;
    Records::create(&state, id, secrets)
}
