//! Failures that come before a guard's verdict.

use guardhost_core::change::{Failed, GuardVerdict};
use guardhost_core::error::{Fault, FaultKind};
use guardhost_core::machine::{HINT, MACHINE};
use guardhost_os::is_system_error;

/// Why a guard could not be loaded or described. Kept in its set, which judges many changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardFailure {
    /// Stable, kebab-case.
    pub code: &'static str,
    /// What, why, and what to do next.
    pub message: String,
    pub(crate) failed: Failed,
}

impl std::fmt::Display for GuardFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl GuardFailure {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        GuardFailure { code, message: message.into(), failed: Failed::Load }
    }

    /// Not the guard's: this machine lacks something.
    pub fn machine(why: impl std::fmt::Display) -> Self {
        GuardFailure { code: MACHINE, message: machine_message(why), failed: Failed::Machine }
    }

    /// Of an engine, or of loading code into one.
    pub fn engine(error: &wasmtime::Error) -> Self {
        match machine_lack(error) {
            Some(why) => GuardFailure::machine(why),
            None => GuardFailure::new("load", format!("the guard's compiled code cannot be loaded: {error:#}")),
        }
    }

    /// The guard failed while it described itself.
    pub fn from_describe(verdict: GuardVerdict) -> Self {
        match verdict {
            GuardVerdict::Error { code, message, failed: failed @ (Failed::Machine | Failed::PartialClone) } => {
                GuardFailure { code, message, failed }
            }
            GuardVerdict::Error { code, message, failed: Failed::Load | Failed::Run } => {
                GuardFailure::new(code, format!("the guard cannot describe itself: {message}"))
            }
            GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => {
                GuardFailure::new("bad-export", "the guard judges instead of describing itself")
            }
        }
    }

    /// As evidence: the guard did not run.
    pub fn verdict(&self) -> GuardVerdict {
        GuardVerdict::Error { code: self.code, message: self.message.clone(), failed: self.failed }
    }

    /// As the error of a command about this guard; `what` names the guard.
    pub fn into_fault(self, what: impl std::fmt::Display) -> Fault {
        let kind = match self.failed {
            Failed::Load | Failed::Run => FaultKind::GuardLoad,
            Failed::Machine | Failed::PartialClone => FaultKind::Git,
        };
        Fault::new(kind, format!("{what}: {}", self.message)).code(self.code)
    }
}

pub fn machine_message(why: impl std::fmt::Display) -> String {
    format!("this machine does not give what every guard needs ({why}); {HINT}")
}

/// What the system refused, if that is why wasmtime failed: guards get nothing from the system, so none of them can cause it.
pub fn machine_lack(error: &wasmtime::Error) -> Option<String> {
    let is_system =
        |cause: &(dyn std::error::Error + 'static)| is_system_error(cause) || cause.is::<wasmtime::OutOfMemory>();
    error.chain().any(is_system).then(|| format!("{error:#}"))
}
