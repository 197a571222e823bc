//! An issue of a repository, the facts that are recorded about it, and the status that follows from them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::serialized_names;

/// Backend issues are fixed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "side")]
pub enum Side {
    Backend,
    Frontend,
}

impl Side {
    /// In the order in which they are fixed.
    pub const ORDER: [Side; 2] = [Side::Backend, Side::Frontend];
}

/// See [the status](fix.md#status).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "issueStatus")]
pub enum IssueStatus {
    Open,
    InProgress,
    Resolved,
    Touched,
    Failed,
    Merged,
    Ignored,
    Duplicate,
}

serialized_names!(Side, IssueStatus);

impl IssueStatus {
    /// Nothing of it is left to do. What was only touched may still be there.
    pub fn is_done(self) -> bool {
        match self {
            IssueStatus::Resolved | IssueStatus::Merged | IssueStatus::Ignored | IssueStatus::Duplicate => true,
            IssueStatus::Open | IssueStatus::InProgress | IssueStatus::Touched | IssueStatus::Failed => false,
        }
    }
}

/// How an issue that was tried ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IssueEnd {
    /// It was not reached, or whoever was asked says that nothing has to change, and nothing else tells.
    Open,
    Resolved,
    Touched,
    Failed,
}

impl From<IssueEnd> for IssueStatus {
    fn from(end: IssueEnd) -> Self {
        match end {
            IssueEnd::Open => IssueStatus::Open,
            IssueEnd::Resolved => IssueStatus::Resolved,
            IssueEnd::Touched => IssueStatus::Touched,
            IssueEnd::Failed => IssueStatus::Failed,
        }
    }
}

/// One thing that happened to an issue. Facts are only added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum IssueFact {
    /// A run took it up.
    Listed {
        title: String,
        path: Option<String>,
    },
    /// A person decided that it stays.
    Ignored {
        why: Option<String>,
    },
    /// It says what the issue of this id says.
    Duplicate {
        of: String,
    },
    /// The run may work on it. A later claim of the same issue has a greater fence.
    Claimed {
        fence: u64,
    },
    /// A batch with it was begun. `attempt` counts from 1 over the whole flow.
    Tried {
        attempt: u32,
        batch: String,
    },
    Ended {
        end: IssueEnd,
        commit: Option<String>,
        why: Option<String>,
    },
}

/// The status that follows from the facts of one issue, oldest first. `is_alive`: the run that wrote the last of them is still at work.
pub fn status<'f>(facts: impl IntoIterator<Item = &'f IssueFact>, is_alive: bool) -> IssueStatus {
    facts.into_iter().fold(IssueStatus::Open, |status, fact| match fact {
        IssueFact::Listed { .. } => IssueStatus::Open,
        IssueFact::Ignored { .. } => IssueStatus::Ignored,
        IssueFact::Duplicate { .. } => IssueStatus::Duplicate,
        // A claim ends with its process.
        IssueFact::Claimed { .. } | IssueFact::Tried { .. } if is_alive => IssueStatus::InProgress,
        IssueFact::Claimed { .. } => status,
        IssueFact::Tried { .. } => IssueStatus::Open,
        IssueFact::Ended { end, .. } => IssueStatus::from(*end),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_follows_from_the_facts() {
        let listed = || IssueFact::Listed { title: "x".into(), path: None };
        let tried = |attempt| IssueFact::Tried { attempt, batch: "1.1".into() };
        let ended = |end| IssueFact::Ended { end, commit: None, why: None };
        let claimed = || IssueFact::Claimed { fence: 1 };
        for (facts, alive, expected) in [
            (vec![], false, IssueStatus::Open),
            (vec![listed()], true, IssueStatus::Open),
            (vec![listed(), claimed()], true, IssueStatus::InProgress),
            (vec![listed(), claimed()], false, IssueStatus::Open),
            (vec![listed(), claimed(), tried(1)], true, IssueStatus::InProgress),
            (vec![listed(), claimed(), tried(1)], false, IssueStatus::Open),
            (vec![listed(), tried(1), ended(IssueEnd::Failed)], true, IssueStatus::Failed),
            (vec![listed(), tried(1), ended(IssueEnd::Failed), tried(2)], true, IssueStatus::InProgress),
            (vec![listed(), tried(1), tried(2), ended(IssueEnd::Resolved)], false, IssueStatus::Resolved),
            (vec![listed(), tried(1), ended(IssueEnd::Touched)], false, IssueStatus::Touched),
            (vec![listed(), IssueFact::Ignored { why: None }], true, IssueStatus::Ignored),
            (vec![listed(), IssueFact::Duplicate { of: "a".into() }], true, IssueStatus::Duplicate),
        ] {
            assert_eq!(status(&facts, alive), expected, "{facts:?}");
        }
    }

    #[test]
    fn what_was_only_touched_is_not_done() {
        assert!(IssueStatus::Resolved.is_done() && IssueStatus::Merged.is_done());
        assert!(!IssueStatus::Touched.is_done() && !IssueStatus::Failed.is_done() && !IssueStatus::Open.is_done());
    }
}
