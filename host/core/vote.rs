//! Votes on a change, and what they come to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::written_from;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "reason")]
pub struct Reason {
    pub path: String,
    /// From 1, in the candidate.
    pub line: u32,
    pub says: String,
}

/// What a voter said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    pub voter: String,
    /// Provider and model; empty without an answer.
    pub by: String,
    /// BLAKE3 of run, voter and answer, recorded before the next voter answered.
    pub seal: String,
    pub ballot: Ballot,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ballot {
    Cast {
        score: u8,
        /// Those whose lines are there.
        reasons: Vec<Reason>,
        /// How many cite no line of the change.
        uncited: usize,
    },
    /// No vote that can be read, and why.
    Void(String),
}

/// What the votes come to.
#[derive(Debug, Clone, PartialEq)]
pub enum Approval {
    Approved {
        mean: f64,
    },
    Refused {
        why: Refusal,
    },
    /// No vote was asked for, and why.
    NotAsked(String),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    Below {
        mean: f64,
        threshold: u8,
    },
    Apart {
        highest: u8,
        lowest: u8,
    },
    /// This voter gave no vote that can be read.
    Void {
        voter: String,
        why: String,
    },
    /// This voter cites no line of the change.
    NoEvidence {
        voter: String,
    },
    /// No voter was shown what these files became.
    NotShown {
        paths: Vec<String>,
    },
}

/// Files that a refusal names.
const NAMED: usize = 5;

/// Which of two versions of a change a judge would rather merge, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    New(String),
    Old(String),
    Tie(String),
    /// No answer that can be read.
    Unreadable(String),
}

impl Choice {
    /// As reports spell it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Choice::New(_) => "new",
            Choice::Old(_) => "old",
            Choice::Tie(_) => "tie",
            Choice::Unreadable(_) => "unreadable",
        }
    }
}

/// What a judge says of two versions, asked twice with the order swapped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Comparison {
    pub choices: Vec<Choice>,
}

impl Comparison {
    /// The new version is better in either order. Whatever else is said keeps the old one.
    pub fn keeps_new(&self) -> bool {
        self.choices.len() == 2 && self.choices.iter().all(|choice| matches!(choice, Choice::New(_)))
    }
}

impl Refusal {
    /// For people.
    pub fn text(&self) -> String {
        match self {
            Refusal::Below { mean, threshold } => format!("the mean is {mean:.1}; an approval needs {threshold}"),
            Refusal::Apart { highest, lowest } => format!("the scores {highest} and {lowest} are too far apart"),
            Refusal::Void { voter, why } => format!("{voter} gave no vote that can be read: {why}"),
            Refusal::NoEvidence { voter } => format!("{voter} cites no line of the change"),
            Refusal::NotShown { paths } => {
                let more =
                    if paths.len() > NAMED { format!(" and {} more", paths.len() - NAMED) } else { String::new() };
                let named = paths.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
                format!("no voter was shown {named}{more}: no text, or too much of it")
            }
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "vote")]
struct VoteKeys<'a> {
    voter: &'a str,
    /// Provider and model.
    by: &'a str,
    /// BLAKE3 of run, voter and answer.
    seal: &'a str,
    score: Option<u8>,
    reasons: &'a [Reason],
    uncited: usize,
    /// Why it is unreadable.
    void: Option<&'a str>,
}

impl<'a> From<&'a Vote> for VoteKeys<'a> {
    fn from(vote: &'a Vote) -> Self {
        let (score, reasons, uncited, void) = match &vote.ballot {
            Ballot::Cast { score, reasons, uncited } => (Some(*score), reasons.as_slice(), *uncited, None),
            Ballot::Void(why) => (None, &[][..], 0, Some(why.as_str())),
        };
        VoteKeys { voter: &vote.voter, by: &vote.by, seal: &vote.seal, score, reasons, uncited, void }
    }
}

written_from!(Vote, VoteKeys<'_>);

/// What the votes come to.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "approval")]
struct ApprovalKeys {
    approval: ApprovalKind,
    /// Unless the votes refuse.
    mean: Option<f64>,
    /// Why not approved.
    why: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "approvalKind")]
enum ApprovalKind {
    Approved,
    Refused,
    NotAsked,
}

impl From<&Approval> for ApprovalKeys {
    fn from(approval: &Approval) -> Self {
        let (approval, mean, why) = match approval {
            Approval::Approved { mean } => (ApprovalKind::Approved, Some(*mean), None),
            Approval::Refused { why } => (ApprovalKind::Refused, None, Some(why.text())),
            Approval::NotAsked(why) => (ApprovalKind::NotAsked, None, Some(why.clone())),
        };
        ApprovalKeys { approval, mean, why }
    }
}

written_from!(Approval, ApprovalKeys);

/// What a judge said: `new`, `old`, `tie` or `unreadable`.
impl Serialize for Choice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

crate::schema_of!(Choice, String);
