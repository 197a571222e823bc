//! A guard's verdict without its findings.

use serde::{Deserialize, Serialize};

use guardhost_core::change::GuardVerdict;

/// Serialized as in every JSON report and record: `pass`, `reject`, `not-applicable`, `error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    Pass,
    Reject,
    NotApplicable,
    /// The guard failed.
    Error,
}

impl VerdictKind {
    pub fn word(self) -> &'static str {
        match self {
            VerdictKind::Pass => "pass",
            VerdictKind::Reject => "reject",
            VerdictKind::NotApplicable => "not-applicable",
            VerdictKind::Error => "error",
        }
    }

    /// An enforced guard with this verdict blocks the change.
    pub fn is_blocking(self) -> bool {
        match self {
            VerdictKind::Reject | VerdictKind::Error => true,
            VerdictKind::Pass | VerdictKind::NotApplicable => false,
        }
    }
}

impl From<&GuardVerdict> for VerdictKind {
    fn from(verdict: &GuardVerdict) -> Self {
        match verdict {
            GuardVerdict::Pass(_) => VerdictKind::Pass,
            GuardVerdict::Reject(_) => VerdictKind::Reject,
            GuardVerdict::NotApplicable(_) => VerdictKind::NotApplicable,
            GuardVerdict::Error { .. } => VerdictKind::Error,
        }
    }
}
