//! What the gate says of a change.

use guardhost_core::change::{Candidate, Evidence, Finding, HostRule, Refused, Severity};

use crate::judged::Judged;

/// The answer to one [`Case`](crate::Case).
pub enum Ruling {
    /// The change has no files, so there is nothing to judge.
    Empty(Candidate),
    /// The host refuses it before any guard is asked.
    Refused(Box<RefusedChange>),
    /// The guards were asked.
    Judged(Box<Judged>),
}

/// A change of the rules that nobody allowed.
pub struct RefusedChange {
    pub candidate: Candidate,
    pub refused: Refused,
    /// What does not fit among `guards.toml`, `guards.lock` and the components that the change would leave.
    pub misfits: Vec<Finding>,
}

impl RefusedChange {
    /// The refusal among verdicts of guards, where a change is one of many.
    pub fn as_evidence(&self) -> Evidence {
        let path = self.refused.path.as_ref().map(ToString::to_string);
        HostRule::RulesKept.rejection(vec![Finding {
            path,
            ..Finding::new("rules-changed", Severity::Error, self.refused.to_string())
        }])
    }
}

impl Ruling {
    /// The change as it would be taken: with the guards' fixes where these made it acceptable.
    pub fn candidate(&self) -> &Candidate {
        match self {
            Ruling::Empty(candidate) => candidate,
            Ruling::Refused(refused) => &refused.candidate,
            Ruling::Judged(judged) => judged.candidate(),
        }
    }

    /// The verdicts of the guards; None if the change was refused before any guard ran.
    pub fn judged(&self) -> Option<&Judged> {
        match self {
            Ruling::Judged(judged) => Some(judged),
            Ruling::Empty(_) | Ruling::Refused(_) => None,
        }
    }

    /// Whether nothing stands against the change. An empty change is accepted.
    pub fn is_accepted(&self) -> bool {
        match self {
            Ruling::Empty(_) => true,
            Ruling::Refused(_) => false,
            Ruling::Judged(judged) => judged.is_accepted(),
        }
    }
}
