//! Why a change was not accepted, in one shape for all four causes.

use serde::Serialize;

use guardhost_core::change::{Misfit, MisfitAt, NoPatch, Refused, RepoPath, RoundFailure};

use super::CheckReport;

/// A patch that could not be judged, or that the guards rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub kind: RefusalKind,
    /// The cause within its kind, kebab-case: `prose`, `git-internals`, `ambiguous`, …
    pub code: String,
    /// The file concerned; None when the cause is not about one file.
    pub path: Option<RepoPath>,
    pub message: String,
    /// Every hunk that does not fit; empty unless the kind is [`RefusalKind::Misfit`].
    pub at: Vec<MisfitAt>,
}

/// The stage at which a change was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalKind {
    /// `extract` found no patch.
    NoPatch,
    /// `sanitize` refused the patch.
    Refused,
    /// `apply` could not place the patch.
    Misfit,
    /// The guards rejected the change.
    Rejected,
}

impl RefusalKind {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            RefusalKind::NoPatch => "no-patch",
            RefusalKind::Refused => "refused",
            RefusalKind::Misfit => "misfit",
            RefusalKind::Rejected => "rejected",
        }
    }
}

impl From<&NoPatch> for Refusal {
    fn from(none: &NoPatch) -> Self {
        let (code, message) = (word(none.kind), none.message.clone());
        Refusal { kind: RefusalKind::NoPatch, code, path: None, message, at: Vec::new() }
    }
}

impl From<&Refused> for Refusal {
    fn from(refused: &Refused) -> Self {
        let (code, message) = (word(refused.kind), refused.message.clone());
        Refusal { kind: RefusalKind::Refused, code, path: refused.path.clone(), message, at: Vec::new() }
    }
}

impl From<&Misfit> for Refusal {
    fn from(misfit: &Misfit) -> Self {
        let first = misfit.at.first();
        Refusal {
            kind: RefusalKind::Misfit,
            code: first.map_or("not-found", |at| at.code).to_owned(),
            path: first.map(|at| at.path.clone()),
            message: misfit.to_string(),
            at: misfit.at.clone(),
        }
    }
}

impl From<&RoundFailure> for Refusal {
    fn from(failure: &RoundFailure) -> Self {
        match failure {
            RoundFailure::NoPatch(none) => none.into(),
            RoundFailure::Refused(refused) => refused.into(),
            RoundFailure::Misfit(misfit) => misfit.into(),
            RoundFailure::Rejected(rejection) => {
                let check = CheckReport { judgement: rejection.judgement.clone(), ..CheckReport::default() };
                Refusal {
                    kind: RefusalKind::Rejected,
                    code: word(check.verdict()),
                    path: None,
                    message: format!("turned down by {}", check.judgement.against().join(", ")),
                    at: Vec::new(),
                }
            }
        }
    }
}

/// The string that serde writes for a variant without fields.
fn word(variant: impl Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(serde_json::Value::String(word)) => word,
        // Every type that is passed here has only variants without fields.
        other => unreachable!("not a variant without fields: {other:?}"),
    }
}
