//! Why a provider gave no answer, and what follows from it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use guardhost_core::change::Usage;

/// What went wrong, in the few words that decide what happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureClass {
    /// The service is busy or broken for now.
    Overloaded,
    /// There is no way to the service: no network, no server at the address.
    Unreachable,
    /// Too many requests in too short a time.
    RateLimited,
    /// A plan, a credit or a budget is used up: asking again soon is useless.
    QuotaExhausted,
    /// Not signed in, or the key is not accepted.
    Auth,
    /// The program is missing, or rejects how it was called: an option, a model, a setting.
    Config,
    ContextTooLong,
    /// The answer was cut off. Never applied.
    TruncatedOutput,
    /// The model, or a filter, declined.
    Refused,
    /// The agent wanted a tool that it may not have, or one of its own hooks stopped it.
    #[serde(rename = "permission-denied-by-cli")]
    PermissionDenied,
    Timeout,
    /// More bytes than [`super::Limits::output`].
    TooMuchOutput,
    /// Ended by a signal or with an exit code that says nothing else.
    Crashed,
    /// It spoke, but nothing that this speaker knows as an answer.
    ProtocolError,
    /// Everything looks well and there is no text.
    Empty,
    /// The run's [`super::Budget`] is used up: nobody was asked.
    OverBudget,
    /// [`super::Cancel`] was used.
    Interrupted,
}

/// Whom to ask after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The same provider once more, then another.
    Again,
    Other,
    /// Nobody: a person has to mend something first.
    Stop,
}

impl FailureClass {
    /// Stable; stands in traces and messages.
    pub fn name(self) -> &'static str {
        match self {
            FailureClass::Overloaded => "overloaded",
            FailureClass::Unreachable => "unreachable",
            FailureClass::RateLimited => "rate-limited",
            FailureClass::QuotaExhausted => "quota-exhausted",
            FailureClass::Auth => "auth",
            FailureClass::Config => "config",
            FailureClass::ContextTooLong => "context-too-long",
            FailureClass::TruncatedOutput => "truncated-output",
            FailureClass::Refused => "refused",
            FailureClass::PermissionDenied => "permission-denied-by-cli",
            FailureClass::Timeout => "timeout",
            FailureClass::TooMuchOutput => "too-much-output",
            FailureClass::Crashed => "crashed",
            FailureClass::ProtocolError => "protocol-error",
            FailureClass::Empty => "empty",
            FailureClass::OverBudget => "over-budget",
            FailureClass::Interrupted => "interrupted",
        }
    }

    pub fn next(self) -> Next {
        match self {
            // Command-line agents are known to lose an answer now and then; the next call is fine.
            FailureClass::Empty => Next::Again,
            // Falling back from a setting that is wrong would hide it for ever.
            FailureClass::Auth | FailureClass::Config | FailureClass::OverBudget | FailureClass::Interrupted => {
                Next::Stop
            }
            FailureClass::Overloaded
            | FailureClass::Unreachable
            | FailureClass::RateLimited
            | FailureClass::QuotaExhausted
            | FailureClass::ContextTooLong
            | FailureClass::TruncatedOutput
            | FailureClass::Refused
            | FailureClass::PermissionDenied
            | FailureClass::Timeout
            | FailureClass::TooMuchOutput
            | FailureClass::Crashed
            | FailureClass::ProtocolError => Next::Other,
        }
    }

    /// What a person can do when nobody else can be asked.
    pub(super) fn hint(self) -> Option<&'static str> {
        Some(match self {
            FailureClass::Overloaded | FailureClass::RateLimited => {
                "try again later, or name another provider with --provider"
            }
            FailureClass::Unreachable => "look at the network, and at the address of the provider",
            FailureClass::QuotaExhausted => "name another provider with --provider, or raise the plan's limit",
            FailureClass::Auth => "sign in to the provider, or set its key variable",
            FailureClass::Config => "look at the provider's name, model and arguments",
            FailureClass::ContextTooLong => "name fewer or smaller files with --file-hint",
            FailureClass::TruncatedOutput => "ask for less at once",
            FailureClass::Timeout => "allow more time, or name another provider with --provider",
            FailureClass::Refused | FailureClass::PermissionDenied | FailureClass::TooMuchOutput => {
                "name another provider with --provider"
            }
            FailureClass::Crashed | FailureClass::ProtocolError | FailureClass::Empty => {
                "run the provider by hand to see what it says, or name another with --provider"
            }
            FailureClass::OverBudget | FailureClass::Interrupted => return None,
        })
    }
}

/// A provider that did not answer.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ProviderFailure {
    pub class: FailureClass,
    /// What the provider said. From `provide`: one line, bounded, without secrets and control characters.
    pub message: String,
    /// How long the provider wants to be left alone, where it tells.
    pub retry_after: Option<Duration>,
    /// What to do about it, when that is more than the class can tell.
    pub hint: Option<String>,
    /// What it cost all the same, where the provider tells.
    pub usage: Usage,
}

impl ProviderFailure {
    pub(super) fn new(class: FailureClass, message: impl Into<String>) -> Self {
        ProviderFailure { class, message: message.into(), retry_after: None, hint: None, usage: Usage::default() }
    }

    pub(super) fn late(what: &str, limit: Duration) -> Self {
        ProviderFailure::new(FailureClass::Timeout, format!("{what} {} s", limit.as_secs_f64()))
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
