//! One question to one provider.

use std::time::{Duration, Instant};

use guardhost_core::change::{Event, Observer, Reply};

use super::budget::BudgetTracker;
use super::progress::ProgressReporter;
use super::prompt::Prompt;
use super::transports::{self, Request};
use super::watched::WatchedAnswer;
use super::{FailureClass, Provider, ProviderFailure, ProviderRuntime};

/// How much of a provider's message an event or an error holds, in characters.
const MAX_MESSAGE: usize = 600;
/// Characters of the names of a server and of a model.
const MAX_NAME: usize = 200;

pub(super) struct ProviderAttempt<'a> {
    pub(super) provider: &'a Provider,
    pub(super) budget: &'a BudgetTracker,
    pub(super) prompt: &'a Prompt,
    pub(super) round: u32,
    pub(super) runtime: &'a ProviderRuntime,
    pub(super) observer: &'a dyn Observer,
}

impl ProviderAttempt<'_> {
    /// Asks after `delay`, unless the run is cancelled or over its budget by then.
    pub(super) async fn run(&self, delay: Duration) -> Result<Reply, ProviderFailure> {
        self.wait(delay).await?;
        if self.runtime.cancel.is_cancelled() {
            return Err(ProviderFailure::interrupted());
        }
        if let Some(over) = self.budget.exceeded() {
            return Err(over);
        }
        let mut provider = self.provider.clone();
        if let Some(left) = self.budget.time_left() {
            provider.limits.wall = provider.limits.wall.min(left);
        }
        self.ask(&provider).await
    }

    /// Waits until a busy service may be asked again.
    async fn wait(&self, delay: Duration) -> Result<(), ProviderFailure> {
        if delay.is_zero() {
            return Ok(());
        }
        let delay = self.budget.time_left().map_or(delay, |left| left.min(delay));
        let text = format!("waiting {:.1} s before {} is asked again", delay.as_secs_f64(), self.provider.name);
        self.observer.see(&Event::Notice { text });
        tokio::select! {
            () = self.runtime.cancel.cancelled() => Err(ProviderFailure::interrupted()),
            () = tokio::time::sleep(delay) => Ok(()),
        }
    }

    async fn ask(&self, provider: &Provider) -> Result<Reply, ProviderFailure> {
        let recorded = provider.is_recording();
        self.observer.see(&Event::Asking {
            provider: provider.name.clone(),
            recorded,
            prompt: self.prompt.version,
            prompt_bytes: self.prompt.bytes.len() as u64,
        });
        let started = Instant::now();
        let secrets = self.runtime.environment.secrets(provider.key_names());
        let progress = ProgressReporter::new(&secrets, self.observer);
        let watched = WatchedAnswer::begin(provider, self.runtime)?;
        let response = transports::send(&Request {
            provider,
            prompt: &self.prompt.bytes,
            round: self.round,
            runtime: self.runtime,
            on_progress: &|text| progress.report(text),
            observer: self.observer,
        })
        .await;
        let untouched = watched.map_or(Ok(()), |watched| watched.end(provider, self.observer));
        let response = match (untouched, response) {
            (Ok(()), response) => response,
            (Err(changed), Ok(response)) => Err(ProviderFailure { usage: response.usage, ..changed }),
            (Err(changed), Err(failure)) if failure.class == FailureClass::Interrupted => {
                Err(ProviderFailure { message: format!("{}; {}", failure.message, changed.message), ..failure })
            }
            (Err(changed), Err(failure)) => Err(ProviderFailure { usage: failure.usage, ..changed }),
        };
        let response = response.map_err(|failure| {
            // The provider's time was cut to what the run had left, so the budget is the true reason.
            let over = self.budget.exceeded().filter(|_| failure.class == FailureClass::Timeout);
            over.unwrap_or_else(|| ProviderFailure {
                message: secrets.redact_line(&failure.message, MAX_MESSAGE),
                ..failure
            })
        })?;
        let reply = Reply {
            bytes: secrets.redact(&response.bytes).into_owned(),
            // A server may put what it was sent into any of its answer's fields.
            provider: response
                .provider
                .map_or_else(|| provider.name.clone(), |name| secrets.redact_line(&name, MAX_NAME)),
            model: response.model.map(|model| secrets.redact_line(&model, MAX_NAME)).or_else(|| provider.model.clone()),
            usage: response.usage,
            prompt: self.prompt.version,
            asked: self.prompt.bytes.clone(),
            recorded,
        };
        self.observer.see(&Event::Replied {
            provider: reply.provider.clone(),
            model: reply.model.clone(),
            bytes: reply.bytes.len() as u64,
            micros: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
            usage: reply.usage,
            recorded,
        });
        Ok(reply)
    }
}
