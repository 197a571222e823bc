//! What came of the fixes that guards give with their findings.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Candidate, Judgement};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "appliedFix")]
pub struct AppliedFix {
    pub guard: String,
    pub rule: String,
    pub path: Option<String>,
    /// Before the fix.
    pub line: Option<u32>,
    pub title: String,
}

/// `path: title (guard/rule)`.
impl fmt::Display for AppliedFix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{path}: ")?;
        }
        write!(f, "{} ({}/{})", self.title, self.guard, self.rule)
    }
}

/// A change with fixes in it, and what the whole set says of it then.
#[derive(Clone)]
pub struct FixedCandidate {
    /// In the order in which they were applied; never empty.
    pub fixes: Vec<AppliedFix>,
    /// Its notes name the fixes.
    pub candidate: Candidate,
    pub judgement: Judgement,
}

/// What the fixes of a judgement came to.
#[derive(Clone)]
pub enum Autofix {
    Accepted(FixedCandidate),
    /// Turned down with the fixes as well, so the change stays as it came.
    Rejected(FixedCandidate),
    /// There are fixes, and none was applied. Says why.
    Declined(String),
}

impl Autofix {
    /// The change that was judged with fixes, whatever came of it.
    pub fn change(&self) -> Option<&FixedCandidate> {
        match self {
            Autofix::Accepted(change) | Autofix::Rejected(change) => Some(change),
            Autofix::Declined(_) => None,
        }
    }

    /// Why the change stays as it came.
    pub fn why_not(&self) -> Option<String> {
        match self {
            Autofix::Accepted(_) => None,
            Autofix::Rejected(change) => {
                Some(format!("with them it would still be turned down by {}", change.judgement.against().join(", ")))
            }
            Autofix::Declined(why) => Some(why.clone()),
        }
    }
}
