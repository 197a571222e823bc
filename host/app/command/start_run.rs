//! What every run of a command shares: provider chain, records, trace.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use guardhost_core::change::{Event, Observer, RunEnd, RunOutcome};
use guardhost_core::error::{Context, Fault, FaultKind, Result, kind};
use guardhost_core::process_env::ProcessEnv;
use guardhost_gate::{ReadyGate, judges_digest};
use guardhost_git::{Repo, RepoWatch};
use guardhost_pipeline::receipt::ReceiptKey;
use guardhost_pipeline::request::{RunContext, RunRequest};
use guardhost_pipeline::run::run;
use guardhost_pipeline::settle::ClaimCheck;
use guardhost_policy::config::ProviderChains;
use guardhost_provider::{
    Cancel, Chain, Environment, ModelFamily, Provider, ProviderRuntime, ProviderSettings, Recorder, RepositoryChanges,
    WatchRepository,
};
use guardhost_report::RunReport;
use guardhost_report::journal::{DebugFolder, Keep, Records, Secrets, Trace, first_run};
use jiff::Timestamp;

use super::old_runs;
use super::own_results::OwnResults;
use super::provider::{chain, runtime as provider_runtime};
use crate::cli::{AskArgs, ProviderArgs};
use crate::context::CommandContext;
use crate::observing::Observing;

/// What the runs of one command have in common.
pub struct RunStarter<'a> {
    pub repo: &'a Repo,
    pub gate: ReadyGate<'a>,
    pub ask: &'a AskArgs,
    pub ctx: &'a CommandContext<'a>,
    pub cancel: Cancel,
    /// Artifacts are copied here too.
    pub debug: Option<DebugFolder>,
}

impl RunStarter<'_> {
    /// # Errors
    /// Of the settings, the records, or the run.
    pub fn start(&self, request: &RunRequest) -> Result<RunReport> {
        let chains = &self.gate.policy().config.rules.providers;
        let step = request.origin.step.as_deref();
        let Asking { chain, notice, secrets, runtime } =
            asking_in(step, self.repo, &self.ask.provider, chains, self.ctx, self.cancel.clone())?;
        // Before the first token is spent.
        let key = self.ask.sign_receipts.as_ref();
        let signer = key.map(|file| ReceiptKey::read(&self.ctx.path(file))).transpose()?;
        let began = request.origin.plan.as_ref().or(request.origin.resumes.as_ref());
        let holder = began.map_or_else(|| Ok(request.id.clone()), |run| first_run(&self.repo.state_path(), run))?;
        let observing = Observing::begin(self.ctx, self.repo, request, &holder)?;
        // A recording has as many rounds as were recorded.
        let rounds = self.ask.rounds.or_else(|| chain.recorded_rounds(step));
        let rounds = rounds.unwrap_or(self.gate.policy().config.rules.policy.rounds);
        let records =
            create_records(self.repo, &request.id, secrets.clone(), self.ctx.process)?.with_debug(self.debug.clone());
        let (_, file) = records.trace()?;
        let trace = match &observing {
            Some(observing) => Trace::new(observing.trace(file), request.id.clone(), secrets, Arc::new(Timestamp::now)),
            None => Trace::new(file, request.id.clone(), secrets, Arc::new(Timestamp::now)),
        };
        let mut observers = self.ctx.watchers.to_vec();
        observers.push(&trace as &dyn Observer);
        let context = RunContext {
            repo: self.repo,
            gate: self.gate,
            chain,
            runtime: &runtime,
            rounds,
            autofix: self.ask.fixes(),
            records: Some(&records),
            observers: &observers,
            claim: observing.as_ref().map(|observing| observing as &dyn ClaimCheck),
            signer: signer.as_ref(),
        };
        let ran = run(request, context);
        if let (Some(plan), Some(step), Some((outcome, error))) = (&request.origin.plan, step, setback(&ran)) {
            trace.see(&Event::StepFailed { plan: plan.clone(), step: step.to_owned(), outcome, error });
        }
        let absences = observing.map(|observing| observing.end(request, &ran, &trace)).unwrap_or_default();
        if ran.is_err() {
            absences.iter().for_each(|text| self.ctx.see(&Event::Notice { text: text.clone() }));
        }
        let mut report = RunReport { repo: self.ctx.global.repo.clone(), ..ran? };
        if let (RunOutcome::Committed, Some(commit)) = (report.outcome, report.commit) {
            OwnResults::open(self.repo, self.ctx).add(commit, &judges_digest(self.gate.policy()));
        }
        trace.finish()?;
        report.notices.extend(absences);
        report.notices.extend(self.gate.notices().iter().cloned().chain(notice));
        Ok(report)
    }
}

/// How a run ended that brought nothing though something was wanted, and why.
fn setback(ran: &Result<RunReport>) -> Option<(RunEnd, String)> {
    match ran {
        Err(error) => Some((RunEnd::Failed(kind(error)), format!("{error:#}"))),
        Ok(report) => match report.outcome {
            RunOutcome::Committed | RunOutcome::Staged | RunOutcome::NoChange => None,
            RunOutcome::Rejected | RunOutcome::OverBudget => {
                let end = RunEnd::Result(report.outcome);
                Some((end, why_not(report).unwrap_or_else(|| end.as_str().to_owned())))
            }
        },
    }
}

/// Why a run brought no change: what it says itself, or what its last round failed with.
pub fn why_not(report: &RunReport) -> Option<String> {
    let refused = || report.rounds.last()?.failure.as_ref().map(|failure| failure.message.clone());
    report.why.clone().or_else(refused)
}

/// Work of a run that begins before its first round, such as loading guards, within the time that the run may take.
pub fn within_time<T>(args: &ProviderArgs, ctx: &CommandContext, work: impl FnOnce() -> Result<T>) -> Result<T> {
    ctx.process.stop.limited(args.max_time.map(Duration::from_secs), work)
}

/// A chain of providers, and what it needs to be asked.
pub struct Asking {
    pub chain: Chain,
    pub notice: Option<String>,
    /// The keys of the chain's providers, to be masked in records.
    pub secrets: Secrets,
    pub runtime: ProviderRuntime,
}

impl Asking {
    /// The families of the models that may answer. `spec` is how the provider was named, which tells more than the program behind it.
    pub fn families(&self, spec: Option<&str>) -> Vec<ModelFamily> {
        let of = |by: &Provider| ModelFamily::from_names(spec.unwrap_or(&by.name), by.model.as_deref());
        self.chain.providers().map(of).collect()
    }
}

impl Asking {
    /// For whoever works for a while before the first question.
    ///
    /// # Errors
    /// [`FaultKind::Provider`]: nobody of the chain could be asked, as far as that is known without asking: a program or a key is missing, or nothing listens at an
    /// address of this machine.
    pub fn check_ready(&self) -> Result<()> {
        let of = |provider: &Provider| match provider.ready(&self.runtime.environment) {
            Ok(_) => Ok(()),
            Err(why) => Err(format!("{}: {why}", provider.name)),
        };
        let missing: Vec<String> = self.chain.providers().map_while(|provider| of(provider).err()).collect();
        if missing.len() < self.chain.providers().count() {
            return Ok(());
        }
        let fault = Fault::new(FaultKind::Provider, format!("no provider can be asked: {}", missing.join("; ")));
        Err(fault.hint("`host provider list` shows who can; nothing was done, and no provider was asked").into())
    }
}

/// Empties the file that `--record` names. Each part of the command adds its answers to it.
///
/// # Errors
/// When it cannot be written.
pub fn begin_recording(args: &ProviderArgs, ctx: &CommandContext) -> Result<()> {
    args.record.as_ref().map_or(Ok(()), |file| Recorder::create(&ctx.path(file)).map(drop))
}

/// For a command that asks in one part.
///
/// # Errors
/// Of the settings, and of a recording that cannot be written.
pub fn asking(
    repo: &Repo,
    args: &ProviderArgs,
    chains: &ProviderChains,
    ctx: &CommandContext,
    cancel: Cancel,
) -> Result<Asking> {
    asking_in(None, repo, args, chains, ctx, cancel)
}

/// For one part of a command that has called [`begin_recording`], or, without a `step`, for the whole of one.
///
/// # Errors
/// Those of [`asking`].
pub fn asking_in(
    step: Option<&str>,
    repo: &Repo,
    args: &ProviderArgs,
    chains: &ProviderChains,
    ctx: &CommandContext,
    cancel: Cancel,
) -> Result<Asking> {
    let (chain, notice) = chain(args, chains, ctx)?;
    let environment = Environment::new(ctx.process.env.iter().cloned());
    let secrets = Secrets::new(chain.providers().flat_map(|provider| environment.key_values(provider)));
    let open = if step.is_some() { Recorder::append } else { Recorder::create };
    let recorder = args.record.as_ref().map(|file| open(&ctx.path(file))).transpose()?;
    let (step, repository) = (step.map(str::to_owned), Some(watch(repo)));
    let runtime = ProviderRuntime { environment, recorder, step, repository, ..provider_runtime(ctx, cancel) };
    Ok(Asking { chain, notice, secrets, runtime })
}

/// A handle of its own: another thread asks.
fn watch(repo: &Repo) -> WatchRepository {
    let dir = repo.workdir().unwrap_or_else(|| repo.git_dir()).to_owned();
    Box::new(move || {
        let watch = RepoWatch::begin(&Repo::open(&dir)?)?;
        let changes: RepositoryChanges = Box::new(move || watch.changes());
        Ok(changes)
    })
}

/// The folder of a new run; the oldest runs are removed to make room.
pub fn create_records(repo: &Repo, id: &str, secrets: Secrets, process: &ProcessEnv) -> Result<Records> {
    let state = repo.state_dir()?;
    // Settings that cannot be read are said where they are asked for.
    let settings = process.settings.as_deref().and_then(|file| ProviderSettings::read(file).ok()).unwrap_or_default();
    let (max_runs, max_age) = settings.kept_runs();
    let keep = Keep { max_runs, max_age };
    old_runs::remove(repo, &state, keep, SystemTime::now()).context("cannot tidy the records of earlier runs")?;
    Records::create(&state, id, secrets)
}
