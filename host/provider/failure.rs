//! Why a provider gave no answer, and what follows from it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use guardhost_core::change::Usage;

/// What went wrong, in the few words that decide what happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
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

impl Class {
    /// Stable; stands in traces and messages.
    pub fn name(self) -> &'static str {
        match self {
            Class::Overloaded => "overloaded",
            Class::Unreachable => "unreachable",
            Class::RateLimited => "rate-limited",
            Class::QuotaExhausted => "quota-exhausted",
            Class::Auth => "auth",
            Class::Config => "config",
            Class::ContextTooLong => "context-too-long",
            Class::TruncatedOutput => "truncated-output",
            Class::Refused => "refused",
            Class::PermissionDenied => "permission-denied-by-cli",
            Class::Timeout => "timeout",
            Class::TooMuchOutput => "too-much-output",
            Class::Crashed => "crashed",
            Class::ProtocolError => "protocol-error",
            Class::Empty => "empty",
            Class::OverBudget => "over-budget",
            Class::Interrupted => "interrupted",
        }
    }

    pub fn next(self) -> Next {
        match self {
            // Command-line agents are known to lose an answer now and then; the next call is fine.
            Class::Empty => Next::Again,
            // Falling back from a setting that is wrong would hide it for ever.
            Class::Auth | Class::Config | Class::OverBudget | Class::Interrupted => Next::Stop,
            Class::Overloaded
            | Class::Unreachable
            | Class::RateLimited
            | Class::QuotaExhausted
            | Class::ContextTooLong
            | Class::TruncatedOutput
            | Class::Refused
            | Class::PermissionDenied
            | Class::Timeout
            | Class::TooMuchOutput
            | Class::Crashed
            | Class::ProtocolError => Next::Other,
        }
    }

    /// What a person can do when nobody else can be asked.
    pub(super) fn hint(self) -> Option<&'static str> {
        Some(match self {
            Class::Overloaded | Class::RateLimited => "try again later, or name another provider with --provider",
            Class::Unreachable => "look at the network, and at the address of the provider",
            Class::QuotaExhausted => "name another provider with --provider, or raise the plan's limit",
            Class::Auth => "sign in to the provider, or set its key variable",
            Class::Config => "look at the provider's name, model and arguments",
            Class::ContextTooLong => "name fewer or smaller files with --file-hint",
            Class::TruncatedOutput => "ask for less at once",
            Class::Timeout => "allow more time, or name another provider with --provider",
            Class::Refused | Class::PermissionDenied | Class::TooMuchOutput => "name another provider with --provider",
            Class::Crashed | Class::ProtocolError | Class::Empty => {
                "run the provider by hand to see what it says, or name another with --provider"
            }
            Class::OverBudget | Class::Interrupted => return None,
        })
    }
}

/// A provider that did not answer.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub class: Class,
    /// What the provider said. From `provide`: one line, bounded, without secrets and control characters.
    pub message: String,
    /// How long the provider wants to be left alone, where it tells.
    pub retry_after: Option<Duration>,
    /// What to do about it, when that is more than the class can tell.
    pub hint: Option<String>,
    /// What it cost all the same, where the provider tells.
    pub usage: Usage,
}

impl Failure {
    pub(super) fn new(class: Class, message: impl Into<String>) -> Self {
        Failure { class, message: message.into(), retry_after: None, hint: None, usage: Usage::default() }
    }

    pub(super) fn late(what: &str, limit: Duration) -> Self {
        Failure::new(Class::Timeout, format!("{what} {} s", limit.as_secs_f64()))
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
