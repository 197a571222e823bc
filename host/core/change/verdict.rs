//! What one guard says of a candidate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Finding, Inapplicable};
use crate::serialized_names;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "mode")]
pub enum Mode {
    /// Rejection and failure block.
    #[default]
    Enforce,
    /// Never blocks.
    Monitor,
}

/// The code of the error of a guard that could not look: a tool is missing or does not start, there is no sandbox, no model answered.
pub const COULD_NOT_LOOK: &str = "could-not-look";

#[derive(Debug, Clone, PartialEq)]
pub enum GuardVerdict {
    /// The findings are advice.
    Pass(Vec<Finding>),
    Reject(Vec<Finding>),
    NotApplicable(Inapplicable),
    /// The guard failed. `code` is stable, kebab-case: `out-of-fuel`, `out-of-memory`, `stack-overflow`, `trap`, `bad-output`,
    /// `load`, `ungranted-import`, `contract-version`, `guard-error`, `could-not-look`, `machine`, ….
    Error {
        code: &'static str,
        message: String,
        failed: Failed,
    },
}

/// What failed where a guard gave no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The guard could not be loaded: exit code 4.
    Load,
    /// The guard, while it ran: exit code 5.
    Run,
    /// Not the guard, but this machine: it has too little memory, address space, disk or threads, or cannot read the repository. Exit
    /// code 7.
    Machine,
    /// Not the guard either: a file that it read is not in this partial clone. Exit code 7.
    PartialClone,
}

impl GuardVerdict {
    pub fn kind(&self) -> VerdictKind {
        match self {
            GuardVerdict::Pass(_) => VerdictKind::Pass,
            GuardVerdict::Reject(_) => VerdictKind::Reject,
            GuardVerdict::NotApplicable(_) => VerdictKind::NotApplicable,
            GuardVerdict::Error { .. } => VerdictKind::Error,
        }
    }

    /// The word in JSON.
    pub fn as_str(&self) -> &'static str {
        self.kind().as_str()
    }

    /// Why the guard was not applicable, or how it failed.
    pub fn reason(&self) -> Option<&str> {
        match self {
            GuardVerdict::NotApplicable(why) => Some(why.reason()),
            GuardVerdict::Error { message, .. } => Some(message),
            GuardVerdict::Pass(_) | GuardVerdict::Reject(_) => None,
        }
    }

    /// Of an error.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            GuardVerdict::Error { code, .. } => Some(code),
            GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => None,
        }
    }

    pub fn findings(&self) -> &[Finding] {
        match self {
            GuardVerdict::Pass(findings) | GuardVerdict::Reject(findings) => findings,
            GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => &[],
        }
    }

    pub(super) fn findings_mut(&mut self) -> &mut [Finding] {
        match self {
            GuardVerdict::Pass(findings) | GuardVerdict::Reject(findings) => findings,
            GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => &mut [],
        }
    }
}

/// A guard's verdict without its findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "guardVerdict")]
pub enum VerdictKind {
    /// Findings are advice.
    Pass,
    Reject,
    NotApplicable,
    Error,
}

serialized_names!(VerdictKind);

impl VerdictKind {
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
        verdict.kind()
    }
}
