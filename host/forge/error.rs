//! Why a forge did not do what it was asked to.

use std::time::Duration;

use guardhost_core::error::{Error, Fault, FaultKind};
use guardhost_core::stop::Stopped;

pub type Result<T, E = ForgeError> = std::result::Result<T, E>;

/// What went wrong, as far as it decides what happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForgeFailure {
    /// No connection was made, so nothing was sent.
    Unreachable,
    /// The request was sent and no answer came: whether it was carried out is unknown.
    Lost,
    /// Too many requests. None of them was carried out.
    RateLimited,
    /// The token is missing, wrong or expired.
    Unauthorized,
    /// The token may not do this.
    Forbidden,
    /// No such repository, pull request or run, or the token may not see it.
    NotFound,
    /// The state of the forge does not allow it.
    Conflict,
    /// The forge does not accept the values.
    Rejected,
    /// The forge failed.
    Server,
    /// An answer that does not have the form of one.
    Protocol,
    /// An address that the token is not sent to.
    Address,
    /// The command was interrupted, or its time is over.
    Stopped(Stopped),
}

impl ForgeFailure {
    /// Stable, kebab-case: the code of an error.
    pub fn code(self) -> &'static str {
        match self {
            ForgeFailure::Unreachable => "forge-unreachable",
            ForgeFailure::Lost => "forge-lost",
            ForgeFailure::RateLimited => "forge-rate-limited",
            ForgeFailure::Unauthorized => "forge-unauthorized",
            ForgeFailure::Forbidden => "forge-forbidden",
            ForgeFailure::NotFound => "forge-not-found",
            ForgeFailure::Conflict => "forge-conflict",
            ForgeFailure::Rejected => "forge-rejected",
            ForgeFailure::Server => "forge-failed",
            ForgeFailure::Protocol => "forge-protocol",
            ForgeFailure::Address => "forge-address",
            ForgeFailure::Stopped(stopped) => stopped.code(),
        }
    }

    fn hint(self) -> Option<&'static str> {
        Some(match self {
            ForgeFailure::Unreachable => "check the network and the address of the API; then run the command again",
            ForgeFailure::Lost | ForgeFailure::Server => {
                "run the command again: it looks for what is already there before it makes anything"
            }
            ForgeFailure::RateLimited => "run the command again later: it continues where it stopped",
            ForgeFailure::Unauthorized => "make a new token, or name the variable that holds one with --token-env",
            ForgeFailure::Forbidden => {
                "give the token the permissions that docs/pull-requests.md lists: contents, pull requests and statuses, to write"
            }
            ForgeFailure::NotFound => {
                "check the remote's address, and that the token may see the repository: forges say `not found` for both"
            }
            ForgeFailure::Conflict | ForgeFailure::Rejected => {
                "look at the pull request, correct what the forge names, and run the command again"
            }
            ForgeFailure::Protocol => "check that the address is that of the API, not of the pages",
            ForgeFailure::Address => "use an https address, without a user name and a password",
            ForgeFailure::Stopped(_) => return None,
        })
    }
}

/// One failure of a request.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{what}")]
pub struct ForgeError {
    pub class: ForgeFailure,
    /// What was asked and what the forge said: one line, bounded, without the token.
    pub what: String,
    /// How long the forge asks to wait.
    pub wait: Option<Duration>,
}

impl ForgeError {
    pub(crate) fn new(class: ForgeFailure, what: impl Into<String>) -> Self {
        ForgeError { class, what: what.into(), wait: None }
    }

    pub(crate) fn protocol(what: impl std::fmt::Display) -> Self {
        ForgeError::new(ForgeFailure::Protocol, format!("the forge's answer has another form than expected: {what}"))
    }

    /// The error of a command.
    pub fn into_error(self) -> Error {
        if let ForgeFailure::Stopped(stopped) = self.class {
            return stopped.into_error("talking to the forge");
        }
        let fault = Fault::new(FaultKind::Git, &self.what).code(self.class.code());
        match self.class.hint() {
            Some(hint) => fault.hint(hint).into(),
            None => fault.into(),
        }
    }
}

impl From<Stopped> for ForgeError {
    fn from(stopped: Stopped) -> Self {
        ForgeError::new(ForgeFailure::Stopped(stopped), stopped.to_string())
    }
}
