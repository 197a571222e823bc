//! What a run is asked for, what it works with, and how it ends.

use guardhost_core::change::{Feedback, Observer, RunOutcome, Task};
use guardhost_gate::ReadyGate;
use guardhost_git::{Head, Repo};
use guardhost_provider::{Chain, ProviderRuntime};
use guardhost_report::journal::{Origin, Records, RunCommand};

use crate::receipt::ReceiptKey;
use crate::settle::{AnsweredBy, ClaimCheck, CommitTarget, Settlement};

/// One change that is asked for.
pub struct RunRequest<'a> {
    /// UUIDv7.
    pub id: String,
    /// The command that asks, for the records.
    pub command: RunCommand,
    /// What every round stands on, read once: HEAD, or the index that stands on it.
    pub base: Head,
    pub target: CommitTarget<'a>,
    pub task: Task,
    pub origin: Origin,
    /// What the first round is told already, when the run resumes another.
    pub feedback: Feedback,
}

/// What the request is worked on with. Only the chain changes while it runs: it remembers quotas and reply forms.
pub struct RunContext<'a> {
    pub repo: &'a Repo,
    pub gate: ReadyGate<'a>,
    pub chain: Chain,
    pub runtime: &'a ProviderRuntime,
    /// How often each provider may try; at least 1.
    pub rounds: u32,
    /// Whether the guards' own fixes are tried before the provider is asked again.
    pub autofix: bool,
    pub records: Option<&'a Records>,
    pub observers: &'a [&'a dyn Observer],
    /// Asked right before an accepted change is taken.
    pub claim: Option<&'a dyn ClaimCheck>,
    /// Signs the receipts of accepted changes.
    pub signer: Option<&'a ReceiptKey>,
}

impl<'a> RunRequest<'a> {
    pub fn settlement<'s>(&'s self, repo: &'s Repo, round: u32, answered_by: AnsweredBy) -> Settlement<'s> {
        Settlement {
            repo,
            target: self.target.clone(),
            run: self.id.clone(),
            round,
            task: self.task.text.clone(),
            answered_by: Some(answered_by),
            disclosure: None,
            claim: None,
            signer: None,
        }
    }
}

/// How the rounds ended.
pub struct RoundsEnd {
    pub outcome: RunOutcome,
    /// Guards that may contradict each other, when the run stopped because its rounds repeated themselves.
    pub cycle: Vec<String>,
}

impl From<RunOutcome> for RoundsEnd {
    fn from(outcome: RunOutcome) -> Self {
        RoundsEnd { outcome, cycle: Vec::new() }
    }
}
