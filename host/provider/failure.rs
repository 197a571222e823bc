//! Why a provider gave no answer, and what is tried next.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use guardhost_core::change::Usage;

/// What went wrong, as far as it decides what happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureClass {
    /// The service is busy or broken for now.
    Overloaded,
    /// The service cannot be reached: no network, or no server at the address.
    Unreachable,
    /// Too many requests in too short a time.
    RateLimited,
    /// A plan, a credit or a budget of the account is used up: asking again soon is useless.
    QuotaExhausted,
    /// Not signed in, or the key is not accepted.
    Auth,
    /// The program is missing, or rejects an option, a model or a setting.
    Config,
    ContextTooLong,
    /// The answer was cut off. Never applied.
    TruncatedOutput,
    /// The model, or a filter, declined.
    Refused,
    /// The agent asked for a tool that it is denied, or one of its own hooks stopped it.
    #[serde(rename = "permission-denied-by-cli")]
    PermissionDenied,
    /// The agent used tools, though it was to use none: nobody knows what it read or wrote.
    UsedTools,
    /// The repository changed while a program answered.
    #[serde(rename = "repository-changed")]
    RepositoryChanged,
    Timeout,
    /// More bytes than [`super::Limits::output`].
    TooMuchOutput,
    /// Killed by a signal, or an exit code without a more precise meaning.
    Crashed,
    /// The output is not in a form that this transport knows.
    ProtocolError,
    /// A success without any text.
    Empty,
    /// The run's budget is used up, so the provider was not asked.
    OverBudget,
    /// [`super::Cancel`] was triggered.
    Interrupted,
}

/// What is tried after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The same provider once more, then the next.
    RetryOnce,
    NextProvider,
    /// The next provider; where there is none that was not asked, the same once more.
    NextProviderOrRetry,
    /// No provider: the user has to correct something first.
    Stop,
}

impl FailureClass {
    /// Stable: traces, recordings and messages hold it.
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
            FailureClass::UsedTools => "used-tools",
            FailureClass::RepositoryChanged => "repository-changed",
            FailureClass::Timeout => "timeout",
            FailureClass::TooMuchOutput => "too-much-output",
            FailureClass::Crashed => "crashed",
            FailureClass::ProtocolError => "protocol-error",
            FailureClass::Empty => "empty",
            FailureClass::OverBudget => "over-budget",
            FailureClass::Interrupted => "interrupted",
        }
    }

    pub fn fallback(self) -> Fallback {
        match self {
            // Command-line agents lose an answer now and then; the next call usually succeeds.
            FailureClass::Empty => Fallback::RetryOnce,
            // Asking the next provider would hide a wrong setting for ever.
            FailureClass::Auth
            | FailureClass::Config
            | FailureClass::OverBudget
            | FailureClass::Interrupted
            // The next provider would be shown, and judged by, what is no longer the user's repository.
            | FailureClass::RepositoryChanged => Fallback::Stop,
            FailureClass::Overloaded
            | FailureClass::Unreachable
            | FailureClass::RateLimited
            | FailureClass::QuotaExhausted
            | FailureClass::ContextTooLong
            | FailureClass::TruncatedOutput
            | FailureClass::Refused
            | FailureClass::PermissionDenied
            | FailureClass::UsedTools
            | FailureClass::Timeout
            | FailureClass::TooMuchOutput
            | FailureClass::Crashed => Fallback::NextProvider,
            // An answer that broke off says nothing of the next one.
            FailureClass::ProtocolError => Fallback::NextProviderOrRetry,
        }
    }

    /// What the user can do when no other provider is left.
    pub(super) fn hint(self) -> Option<&'static str> {
        Some(match self {
            FailureClass::Overloaded | FailureClass::RateLimited => {
                "try again later, or name another provider with --provider"
            }
            FailureClass::Unreachable => "check the network and the provider's address",
            FailureClass::QuotaExhausted => "name another provider with --provider, or raise the plan's limit",
            FailureClass::Auth => "sign in to the provider, or set its key variable",
            FailureClass::Config => "check the provider's name, model and arguments",
            FailureClass::ContextTooLong => "name fewer or smaller files with --file-hint",
            FailureClass::TruncatedOutput => "ask for less at once",
            FailureClass::Timeout => "allow more time, or name another provider with --provider",
            FailureClass::UsedTools => {
                "remove arguments of the provider's settings that give it tools, or name another with --provider"
            }
            FailureClass::RepositoryChanged => {
                "look at the changes before you run git here; if they are yours or another program's, run again"
            }
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

const INTERRUPTED: &str = "interrupted";

/// Why a provider did not answer.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ProviderFailure {
    pub class: FailureClass,
    /// What the provider said. From `provide`: one line, bounded, without secrets and control characters.
    pub message: String,
    /// How long the provider asks to wait, where it says so.
    pub retry_after: Option<Duration>,
    /// What to do about it, where that is more precise than the hint of the class.
    pub hint: Option<String>,
    /// What the failed answer cost, where the provider reports it.
    pub usage: Usage,
}

impl ProviderFailure {
    pub(super) fn new(class: FailureClass, message: impl Into<String>) -> Self {
        ProviderFailure { class, message: message.into(), retry_after: None, hint: None, usage: Usage::default() }
    }

    /// [`super::Cancel`] was triggered, and there is no more to say.
    pub(super) fn interrupted() -> Self {
        ProviderFailure::new(FailureClass::Interrupted, INTERRUPTED)
    }

    /// The message says no more than the class.
    pub(super) fn is_plain_interruption(&self) -> bool {
        self.class == FailureClass::Interrupted && self.message == INTERRUPTED
    }

    pub(super) fn timed_out(what: &str, limit: Duration) -> Self {
        ProviderFailure::new(FailureClass::Timeout, format!("{what} {} s", limit.as_secs_f64()))
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
