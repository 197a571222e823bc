//! Failures that come before a guard's verdict.

use guardhost_core::change::GuardVerdict;

/// Why a guard could not be loaded or described. Kept in its set, which judges many changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Stable, kebab-case.
    pub code: &'static str,
    /// What, why, and what to do next.
    pub message: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl Failure {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Failure { code, message: message.into() }
    }

    /// As evidence: the guard did not run.
    pub fn verdict(&self) -> GuardVerdict {
        GuardVerdict::Error { code: self.code, message: self.message.clone(), load: true }
    }
}
