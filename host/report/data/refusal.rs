//! Why a change was not accepted, in one shape for all four causes.

use schemars::JsonSchema;
use serde::Serialize;

use guardhost_core::change::{Misfit, MisfitAt, NoPatch, Refused, RepoPath, RoundFailure};
use guardhost_core::serialized_names;
use guardhost_core::written::serialized_name;

use super::CheckReport;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "refusal")]
pub struct RefusalReport {
    pub kind: RefusalKind,
    /// [What exactly](#codes-of-refusals), within its kind.
    pub code: String,
    pub path: Option<RepoPath>,
    pub message: String,
    /// Hunks or files that do not fit.
    pub at: Vec<MisfitAt>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "refusalKind")]
pub enum RefusalKind {
    /// The reply holds no usable patch.
    NoPatch,
    /// Never allowed.
    Refused,
    /// The patch does not fit the files.
    Misfit,
    Rejected,
    /// It alters the rules; an owner can approve it.
    NeedsApproval,
}

serialized_names!(RefusalKind);

impl From<&NoPatch> for RefusalReport {
    fn from(none: &NoPatch) -> Self {
        let (code, message) = (serialized_name(&none.kind).to_owned(), none.message.clone());
        RefusalReport { kind: RefusalKind::NoPatch, code, path: None, message, at: Vec::new() }
    }
}

impl From<&Refused> for RefusalReport {
    fn from(refused: &Refused) -> Self {
        let (code, message) = (serialized_name(&refused.kind).to_owned(), refused.message.clone());
        RefusalReport { kind: RefusalKind::Refused, code, path: refused.path.clone(), message, at: Vec::new() }
    }
}

impl RefusalReport {
    /// Of a change of the rules, at a door where people stand.
    pub fn needs_approval(refused: &Refused) -> Self {
        let message = match &refused.path {
            Some(_) => format!("{}, so the change needs an approval", refused.message),
            None => "this change alters the rules that judge it, so it needs an approval".to_owned(),
        };
        let (kind, code) = (RefusalKind::NeedsApproval, "rules-changed".to_owned());
        RefusalReport { kind, code, path: refused.path.clone(), message, at: Vec::new() }
    }
}

impl From<&Misfit> for RefusalReport {
    fn from(misfit: &Misfit) -> Self {
        let first = misfit.at.first();
        RefusalReport {
            kind: RefusalKind::Misfit,
            code: first.map_or("not-found", |at| at.code).to_owned(),
            path: first.map(|at| at.path.clone()),
            message: misfit.to_string(),
            at: misfit.at.clone(),
        }
    }
}

impl From<&RoundFailure> for RefusalReport {
    fn from(failure: &RoundFailure) -> Self {
        match failure {
            RoundFailure::NoPatch(none) => none.into(),
            RoundFailure::Refused(refused) => refused.into(),
            RoundFailure::Misfit(misfit) => misfit.into(),
            RoundFailure::Rejected(rejection) => {
                let check = CheckReport { judgement: rejection.judgement.clone(), ..CheckReport::default() };
                RefusalReport {
                    kind: RefusalKind::Rejected,
                    code: serialized_name(&check.verdict()).to_owned(),
                    path: None,
                    message: format!("turned down by {}", check.judgement.against().join(", ")),
                    at: Vec::new(),
                }
            }
        }
    }
}
