//! The errors of the older pipeline by their names: its callers look for these words.

use guardhost_core::error::{Error, Fault, FaultKind, fault, kind};
use guardhost_report::{NamedError, RefusalKind, RefusalReport};

/// No provider answered. The cause names the providers and their failures.
pub fn named(error: Error) -> Error {
    if kind(&error) != FaultKind::Provider {
        return error;
    }
    let mut failed = Fault::new(FaultKind::Provider, "All providers failed").code("all-providers-failed");
    failed.hint = fault(&error).and_then(|fault| fault.hint.clone());
    error.context(failed)
}

/// The run exceeded its budget.
pub fn over_budget(why: Option<String>) -> NamedError {
    NamedError { code: "over-budget", message: why.unwrap_or_default() }
}

/// A provider answered, and the last answer was not accepted.
pub fn from_refusal(refusal: &RefusalReport) -> NamedError {
    let (code, name) = match (refusal.kind, refusal.code.as_str()) {
        (RefusalKind::NoPatch, "empty") => ("empty-patch", "AI returned empty patch"),
        (RefusalKind::NoPatch, "prose") => ("no-diff", "AI output did not contain a diff"),
        (RefusalKind::NoPatch | RefusalKind::Misfit, _) => ("apply-failed", "Failed to apply patch"),
        (RefusalKind::Refused | RefusalKind::NeedsApproval, _) => ("refused", "Patch refused"),
        (RefusalKind::Rejected, _) => ("rejected", "Patch rejected"),
    };
    NamedError { code, message: format!("{name}: {}", refusal.message) }
}
