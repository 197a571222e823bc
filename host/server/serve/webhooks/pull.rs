//! One pull request, from the news of it to its verdict at the observer and at the forge.

use std::sync::Arc;
use std::time::Duration;

use guardhost_core::error::{Error, FaultKind, Result, kind};
use guardhost_fleet::failure::{FailureOwner, JobFailure};
use guardhost_fleet::job::{Class, Job, ObjectSource};
use guardhost_fleet::objects::{self, Pull, PullMirrors, without_password};
use guardhost_fleet::queue::QueueError;
use guardhost_fleet::submit::{SubmitAnswer, Submitter};
use guardhost_forge::CommitStatus;
use guardhost_service::storage::{Storage, StorageError};
use jiff::Timestamp;
use tokio::sync::Semaphore;

use super::change::{PullRules, WebhookChange, change_of};
use super::inbox::{Inbox, InboxEntry};
use super::outcome::{PullOutcome, pending};
use super::status::Statuses;

/// How long what fails for a passing reason is tried again.
const PATIENCE: Duration = Duration::from_secs(60 * 60);
/// How long a verdict is waited for.
const VERDICT: Duration = Duration::from_secs(24 * 60 * 60);
/// How soon it is seen that something newer came of a pull request.
const SLICE: Duration = Duration::from_secs(20);
/// The longest pause between two attempts.
const PAUSE: u64 = 60;

/// What all pull requests have in common.
pub struct WebhookState {
    pub inbox: Arc<Inbox>,
    pub mirrors: PullMirrors,
    pub rules: PullRules,
    pub submitter: Submitter,
    pub storage: Arc<dyn Storage>,
    pub statuses: Option<Statuses>,
    /// Fetches and merges at a time.
    pub slots: Semaphore,
}

impl WebhookState {
    /// What to tell people; None where something newer took its place.
    pub async fn judge(self: Arc<Self>, entry: InboxEntry) -> Option<String> {
        let mut entry = entry;
        let (outcome, change) = match self.prepared(&entry).await {
            Ok((head, made)) => {
                // The fetch may bring a newer commit than the delivery named. Everything below uses the fetched one.
                entry.pull.sha = head;
                match made {
                    Some((job, change)) => (self.answer(&entry, &job, &change).await?, Some(change)),
                    None => (PullOutcome::Empty, None),
                }
            }
            Err(failure) => (PullOutcome::Unknown { reason: failure.reason }, None),
        };
        if !self.inbox.holds(&entry) {
            return None;
        }
        let kept = self.patiently(&entry, || self.observe(&outcome, &entry, change.as_ref())).await;
        let posted = self.patiently(&entry, || self.set(&entry, outcome.status(&entry.pull.base))).await;
        let pull = &entry.pull;
        let mut words = format!("{} #{}: {}", pull.repository, pull.number, outcome.summary());
        for failure in [&kept, &posted].into_iter().filter_map(|done| done.as_ref().err()) {
            words = format!("{words} ({})", failure.reason);
        }
        // What could not be written down in an hour is tried again when the server starts.
        if kept.is_ok() && posted.is_ok() {
            self.inbox.remove(&entry);
        }
        Some(words)
    }

    /// The commit of the pull request, and its job, in the queue; no job where it changes nothing.
    async fn prepared(&self, entry: &InboxEntry) -> Result<(String, Option<(Job, WebhookChange)>), JobFailure> {
        self.patiently(entry, || async {
            let _slot = self.slots.acquire().await.map_err(|error| passing(error.to_string()))?;
            let news = &entry.pull;
            let pull = Pull { remote: &news.clone_url, number: news.number, head: &news.sha, base: &news.base };
            let fetched = self.mirrors.fetch(pull).await?;
            let (rules, folder, head) = (self.rules.clone(), fetched.folder.clone(), fetched.head.clone());
            let base = fetched.base.clone();
            let made = tokio::task::spawn_blocking(move || change_of(&folder, &base, &head, &rules)).await;
            let made = made.map_err(|error| passing(error.to_string()))?.map_err(|error| failure(&error))?;
            let Some(change) = made else { return Ok((fetched.head, None)) };
            let env = &self.rules.process.env;
            let pack = objects::pack(&fetched.folder, &change.change, env).await;
            let pack = pack.map_err(|error| passing(error.to_string()))?;
            let queue = &self.submitter.queue;
            let transport = ObjectSource {
                pack: Some(queue.put_object(&pack).await.map_err(unreachable)?),
                remote: Some(without_password(&news.clone_url)),
            };
            let job = Job::new(Class::Fast, change.change.clone(), transport);
            let job = job.map_err(|error| JobFailure::new(FailureOwner::Job, error.to_string()))?;
            self.submitter.submit(&job, Duration::ZERO).await.map_err(unreachable)?;
            Ok((fetched.head, Some((job, change))))
        })
        .await
    }

    /// None where something newer took its place.
    async fn answer(&self, entry: &InboxEntry, job: &Job, change: &WebhookChange) -> Option<PullOutcome> {
        // Whoever looks sees that something happens; the verdict does not depend on it.
        let _ = self.set(entry, pending(&entry.pull.base)).await;
        let id = job.id();
        let answer = loop {
            match self.patiently(entry, || async { self.submitter.wait(&id, SLICE).await.map_err(unreachable) }).await {
                Ok(SubmitAnswer::Waiting) if age(entry) < VERDICT => {}
                Ok(answer) => break answer,
                Err(failure) => return Some(PullOutcome::Unknown { reason: failure.reason }),
            }
            if !self.inbox.holds(entry) {
                return None;
            }
        };
        Some(PullOutcome::new(&answer, &change.judged))
    }

    async fn observe(
        &self,
        outcome: &PullOutcome,
        entry: &InboxEntry,
        change: Option<&WebhookChange>,
    ) -> Result<(), JobFailure> {
        match self.storage.observe(outcome.observation(entry, change)).await {
            Ok(_) => Ok(()),
            // This server wrote it before it ended, perhaps with other words.
            Err(StorageError::IdReused(_)) => Ok(()),
            Err(error) => Err(passing(format!("the verdict cannot be stored: {error}"))),
        }
    }

    async fn set(&self, entry: &InboxEntry, status: CommitStatus) -> Result<(), JobFailure> {
        let Some(statuses) = self.statuses.clone() else { return Ok(()) };
        let pull = entry.pull.clone();
        let set = tokio::task::spawn_blocking(move || statuses.set(&pull, &status)).await;
        let set = set.map_err(|error| passing(error.to_string()))?;
        set.map_err(|error| {
            let JobFailure { reason, owner } = failure(&error);
            JobFailure::new(owner, format!("the forge does not take the status: {reason}"))
        })
    }

    /// Tries again while the reason of a failure may pass, with longer and longer pauses, and while nothing newer came.
    async fn patiently<T, F>(&self, entry: &InboxEntry, work: impl Fn() -> F) -> Result<T, JobFailure>
    where
        F: Future<Output = Result<T, JobFailure>>,
    {
        let begun = std::time::Instant::now();
        let mut pause = 1;
        loop {
            match work().await {
                Err(failure) if failure.is_passing() && begun.elapsed() < PATIENCE && self.inbox.holds(entry) => {
                    tracing::info!("{} #{}: {}", entry.pull.repository, entry.pull.number, failure.reason);
                    tokio::time::sleep(Duration::from_secs(pause)).await;
                    pause = (pause * 2).min(PAUSE);
                }
                done => return done,
            }
        }
    }
}

fn age(entry: &InboxEntry) -> Duration {
    let arrived = entry.arrived.parse::<Timestamp>().ok();
    // A clock that was set back waits for longer.
    arrived.and_then(|arrived| Timestamp::now().duration_since(arrived).try_into().ok()).unwrap_or_default()
}

fn passing(reason: String) -> JobFailure {
    JobFailure::new(FailureOwner::Remote, reason)
}

fn unreachable(error: QueueError) -> JobFailure {
    passing(error.to_string())
}

/// What is wrong with the rules or the command line stays wrong.
fn failure(error: &Error) -> JobFailure {
    let owner = match kind(error) {
        FaultKind::Usage | FaultKind::Config | FaultKind::Nothing => FailureOwner::Job,
        FaultKind::GuardLoad | FaultKind::GuardRun | FaultKind::Provider | FaultKind::Git | FaultKind::Interrupted => {
            FailureOwner::Worker
        }
    };
    JobFailure::new(owner, format!("{error:#}"))
}
