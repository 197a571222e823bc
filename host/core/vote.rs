//! Votes on a change, and what they come to.

use serde::{Deserialize, Serialize};

/// Why a score was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The provider, and its model if known; empty without an answer.
    pub by: String,
    /// BLAKE3 of the answer, which was recorded before the next voter was asked; empty without an answer.
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
}

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
    pub fn word(&self) -> &'static str {
        match self {
            Choice::New(_) => "new",
            Choice::Old(_) => "old",
            Choice::Tie(_) => "tie",
            Choice::Unreadable(_) => "unreadable",
        }
    }
}

/// What a judge says of two versions, asked twice with the order swapped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
        }
    }
}
