//! What a run says to the observer that `--observer` names, and asks of it. Nothing here ends a run but a claim that another run holds: an
//! observer that is away is recorded, shown, and done without.

mod claim;
mod events;
mod facts;
mod history;
mod identity;
mod machine;
mod records;
mod shared;
mod source;

use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use guardhost_core::change::{AttemptOutcome, Event, Observer, RunEnding, RunHistory, RunOutcome, step_digest};
use guardhost_core::error::{FaultKind, Result, kind};
use guardhost_git::Repo;
use guardhost_observer::client::{Absence, Client, ObserverSettings};
use guardhost_observer::outbox::{Letter, Outbox};
use guardhost_observer::wire::{ClaimFence, EventSource, NewObservation};
use guardhost_pipeline::request::RunRequest;
use guardhost_pipeline::settle::ClaimCheck;
use guardhost_report::RunReport;
use guardhost_report::journal::{RecordedRuns, Trace};
use uuid::Uuid;

use crate::context::CommandContext;
use claim::RunClaim;
use events::{EventSender, Tee};

pub use facts::fingerprint;
pub use history::{PlanHistory, history_for_plan, runs_elsewhere};
pub use identity::identity;
pub use records::tell_records;
pub use shared::{FoundShared, page, shared_log, shared_run};

/// Who observes, in the words of the observer.
const AGENT: &str = "guardhost";

/// Characters of a task's first line that an observation has.
const TITLE: usize = 200;

/// The settings of the observer; None if none is configured.
fn settings(ctx: &CommandContext) -> Option<ObserverSettings> {
    let text = |name: &str| ctx.process.var(name).map(|value| value.to_string_lossy().into_owned());
    let url = ctx.global.observer.clone().filter(|url| !url.is_empty()).or_else(|| text("OCCAM_URL"))?;
    Some(ObserverSettings { url, token: text("GUARDHOST_OBSERVER_TOKEN") })
}

/// All of a command share its time for the observer. `OCCAM_URL` may name an observer of another kind, which is told nothing: it has
/// neither keys nor fences nor events, so that what is sent again would be kept twice.
fn client_of(settings: &ObserverSettings, ctx: &CommandContext) -> Result<Client, Absence> {
    let client = Client::new(settings, ctx.observer.clone())?;
    if ctx.global.observer.as_ref().is_none_or(String::is_empty) {
        client.refuse_others()?;
    }
    Ok(client)
}

/// The observer of a command, and the repository's id there.
pub struct ObserverConnection {
    pub settings: ObserverSettings,
    pub client: Client,
    pub repo_id: String,
}

/// Connects to the configured observer. None if there is none, or if the connection fails, which is reported to the
/// user.
pub fn connect(ctx: &CommandContext, repo: &Repo) -> Option<ObserverConnection> {
    let settings = settings(ctx)?;
    let prepared = identity::identity(repo).and_then(|repo_id| {
        let client = client_of(&settings, ctx).map_err(|absence| absence.to_string())?;
        Ok((repo_id, client))
    });
    match prepared {
        Ok((repo_id, client)) => Some(ObserverConnection { settings, client, repo_id }),
        Err(why) => {
            ctx.see(&Event::Notice { text: notice(&why) });
            None
        }
    }
}

/// One run under the eyes of an observer.
pub struct Observing {
    repo_id: String,
    client: Client,
    outbox: Outbox,
    claim: Option<RunClaim>,
    events: EventSender,
    tree: String,
    from: EventSource,
    absences: Mutex<Vec<Absence>>,
    records: RecordedRuns,
}

impl Observing {
    /// None without an observer, or when it cannot be asked at all; that is said. `holder` claims the step: the same for runs that resume
    /// one another.
    ///
    /// # Errors
    /// [`FaultKind::Git`], with the code `claimed`: another run works on the same step.
    pub fn begin(ctx: &CommandContext, repo: &Repo, request: &RunRequest, holder: &str) -> Result<Option<Self>> {
        let Some(ObserverConnection { settings, client, repo_id }) = connect(ctx, repo) else { return Ok(None) };
        let outbox = Outbox::new(repo.state_dir()?.join("outbox"));
        let from = source::event_source(ctx, repo);
        let mut observing = Observing {
            events: EventSender::start(
                Client::new(&settings, ctx.observer.clone()),
                outbox.clone(),
                repo_id.clone(),
                request.id.clone(),
                from.clone(),
            ),
            from,
            repo_id,
            client,
            outbox,
            claim: None,
            tree: request.base.tree.to_string(),
            absences: Mutex::default(),
            records: RecordedRuns { state_dir: repo.state_path() },
        };
        observing.claim = observing.take_claim(&settings, request, holder)?;
        observing.send_facts(repo, request);
        Ok(Some(observing))
    }

    fn miss(&self, absence: Absence) {
        self.absences.lock().unwrap_or_else(PoisonError::into_inner).push(absence);
    }

    fn take_claim(&self, settings: &ObserverSettings, request: &RunRequest, holder: &str) -> Result<Option<RunClaim>> {
        let key = format!("step:{}", digest(request));
        match claim::take(&self.client, settings, &self.repo_id, &key, holder) {
            Ok(held) => Ok(Some(held)),
            Err(claim::NotHeld::Absent(absence)) => {
                self.miss(absence);
                Ok(None)
            }
            Err(claim::NotHeld::Taken(error)) => Err(error),
        }
    }

    /// The observer computes facts of trees on its own disk alone; of this one it gets them.
    fn send_facts(&self, repo: &Repo, request: &RunRequest) {
        match self.client.fingerprint(&self.repo_id, &self.tree) {
            Ok(Some(_)) => {}
            Ok(None) => {
                if let Ok(facts) = facts::fingerprint(repo, &self.repo_id, &request.base) {
                    self.put(&Letter::Fingerprint(Box::new(facts)));
                }
            }
            Err(absence) => self.miss(absence),
        }
    }

    fn put(&self, letter: &Letter) {
        if let Err(absence) = self.outbox.put(letter) {
            self.miss(absence);
        }
    }

    /// A trace whose lines go to the observer as well.
    pub fn trace(&self, file: File) -> impl Write + Send + use<> {
        Tee::new(file, &self.events)
    }

    /// Says what became of the run, sends what waits, and ends the claim. The texts say what the observer was absent for; they are in the
    /// trace too.
    pub fn end(mut self, request: &RunRequest, ran: &Result<RunReport>, trace: &Trace) -> Vec<String> {
        self.put(&Letter::Observation(Box::new(self.observation(request, ran))));
        let lost = self.events.finish();
        lost.into_iter().for_each(|absence| self.miss(absence));
        records::letters(&self.records.state_dir, &self.repo_id, &request.id, &self.from)
            .iter()
            .for_each(|letter| self.put(letter));
        let drained = self.outbox.drain(&self.client);
        if let Some(held) = self.claim.take()
            && let Err(absence) = held.release(&self.client)
        {
            self.miss(absence);
        }
        let missed = std::mem::take(&mut *self.absences.lock().unwrap_or_else(PoisonError::into_inner));
        let mut texts: Vec<String> = missed.iter().map(ToString::to_string).collect();
        texts.extend(
            drained.refused.iter().map(|refused| format!("{refused}; it is stored in guardhost/outbox/refused")),
        );
        texts.extend(drained.absence.iter().map(ToString::to_string));
        if drained.waiting > 0 {
            texts.push(format!("{} messages wait in guardhost/outbox for the next run", drained.waiting));
        }
        texts.dedup();
        let texts: Vec<String> = texts.iter().map(|text| notice(text)).collect();
        texts.iter().for_each(|text| trace.see(&Event::Notice { text: text.clone() }));
        texts
    }

    fn observation(&self, request: &RunRequest, ran: &Result<RunReport>) -> NewObservation {
        // As the layers of plans see it on this machine.
        let past = self.records.outcomes(u32::MAX, 3).unwrap_or_default();
        let past = past.into_iter().find(|past| past.run == request.id);
        let report = ran.as_ref().ok();
        let round = report.and_then(|report| report.rounds.last());
        let (touched, mut modes) = past.as_ref().map_or_else(Default::default, |past| {
            (past.touched.iter().map(ToString::to_string).collect(), past.rejected_by.clone())
        });
        let outcome = outcome(ran, past.as_ref().map(|past| past.kind));
        if let (true, Err(error)) = (modes.is_empty(), ran) {
            modes.push(kind(error).name().to_owned());
        }
        NewObservation {
            id: Some(Uuid::now_v7()),
            repo: self.repo_id.clone(),
            run_id: request.id.clone(),
            agent: AGENT.to_owned(),
            outcome,
            subtask_id: request.origin.step.clone(),
            model: round.map(|round| round.model.clone().unwrap_or_else(|| round.provider.clone())),
            branch: report.and_then(|report| report.branch.clone()),
            machine: Some(self.from.machine.clone()).filter(|machine| !machine.is_empty()),
            title: request.task.text.lines().next().map(|line| line.chars().take(TITLE).collect()),
            commit_sha: report.and_then(|report| report.commit).map(|oid| oid.to_string()),
            tree: Some(self.tree.clone()),
            touched_files: touched,
            failure_modes: modes,
            confidence: None,
            plan: request.origin.plan.clone(),
            step_digest: Some(digest(request)),
            began_at: None,
            claim: self.claim.as_ref().map(|held| ClaimFence { key: held.claim.key.clone(), fence: held.claim.fence }),
        }
    }
}

/// A run that could not begin leaves its step to others.
impl Drop for Observing {
    fn drop(&mut self) {
        if let Some(held) = self.claim.take() {
            // It lapses by itself otherwise.
            let _ = held.release(&self.client);
        }
    }
}

/// A change is not taken when another run has taken over its step. An observer that does not answer stops nothing.
impl ClaimCheck for Observing {
    fn check(&self) -> Result<()> {
        let Some(held) = &self.claim else { return Ok(()) };
        match held.check(&self.client) {
            Ok(checked) => checked,
            Err(absence) => {
                self.miss(absence);
                Ok(())
            }
        }
    }
}

/// What tells the task from others: as in the records.
fn digest(request: &RunRequest) -> String {
    step_digest(request.task.text.lines().next().unwrap_or_default(), &request.task.hints)
}

fn outcome(ran: &Result<RunReport>, past: Option<RunEnding>) -> AttemptOutcome {
    match (ran, past) {
        (Ok(report), _) => match report.outcome {
            RunOutcome::Committed | RunOutcome::Staged => AttemptOutcome::Success,
            RunOutcome::Rejected => AttemptOutcome::Fail,
            RunOutcome::NoChange => AttemptOutcome::Skipped,
            RunOutcome::OverBudget => AttemptOutcome::Aborted,
        },
        (Err(_), Some(RunEnding::Rejected)) => AttemptOutcome::Fail,
        (Err(_), _) => AttemptOutcome::Aborted,
    }
}

/// What is said of an observer.
pub fn notice(text: &str) -> String {
    format!("the observer: {text}")
}

/// An error of the kind for what this machine, or its surroundings, lack.
const CLAIMED: (FaultKind, &str) = (FaultKind::Git, "claimed");
