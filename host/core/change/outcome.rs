//! How a round, a run and each step of a plan ended. Decisions are taken from these types; their words are output only.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Misfit, NoPatch, Oid, Refused, Rejection};
use crate::error::Kind;

/// Why a round was not accepted: each of the four becomes feedback for the provider.
#[derive(Debug, Clone)]
pub enum RoundFailure {
    NoPatch(NoPatch),
    Refused(Refused),
    Misfit(Misfit),
    Rejected(Rejection),
}

/// What `settle` did with a candidate.
#[derive(Debug, Clone)]
pub enum Settled {
    /// `branch` now points at `commit`.
    Committed { branch: String, commit: Oid },
    /// The index and the work tree now hold the candidate.
    Staged { tree: Oid },
    /// Not accepted. `kept` is the ref under which the attempt stays reachable.
    Rejected { kept: Option<String> },
}

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunOutcome {
    Committed,
    Staged,
    /// The provider, or its patch, says that nothing needs to change.
    NoChange,
    /// The default: a run that has not ended well has not been accepted.
    #[default]
    Rejected,
    /// The run exceeded its budget of time, tokens or cost.
    OverBudget,
}

impl RunOutcome {
    pub const ALL: [RunOutcome; 5] =
        [RunOutcome::Committed, RunOutcome::Staged, RunOutcome::NoChange, RunOutcome::Rejected, RunOutcome::OverBudget];

    /// The word in JSON, traces and records.
    pub fn word(self) -> &'static str {
        match self {
            RunOutcome::Committed => "committed",
            RunOutcome::Staged => "staged",
            RunOutcome::NoChange => "no-change",
            RunOutcome::Rejected => "rejected",
            RunOutcome::OverBudget => "over-budget",
        }
    }

    /// Nothing is left to do: the change was taken, or none is needed.
    pub fn is_accepted(self) -> bool {
        match self {
            RunOutcome::Committed | RunOutcome::Staged | RunOutcome::NoChange => true,
            RunOutcome::Rejected | RunOutcome::OverBudget => false,
        }
    }

    /// A branch, or the index, now holds the change.
    pub fn is_taken(self) -> bool {
        match self {
            RunOutcome::Committed | RunOutcome::Staged => true,
            RunOutcome::NoChange | RunOutcome::Rejected | RunOutcome::OverBudget => false,
        }
    }
}

/// How a run ended: with a result, or by an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    Result(RunOutcome),
    Failed(Kind),
}

impl RunEnd {
    /// The word in JSON, traces and records: the outcome's, or the kind of the error.
    pub fn word(self) -> &'static str {
        match self {
            RunEnd::Result(outcome) => outcome.word(),
            RunEnd::Failed(kind) => kind.name(),
        }
    }

    /// None for a word that this version does not write.
    pub fn from_word(word: &str) -> Option<Self> {
        let outcome = RunOutcome::ALL.into_iter().find(|outcome| outcome.word() == word).map(RunEnd::Result);
        outcome.or_else(|| Kind::ALL.into_iter().find(|kind| kind.name() == word).map(RunEnd::Failed))
    }

    /// See [`RunOutcome::is_accepted`]; an error is no acceptance.
    pub fn is_accepted(self) -> bool {
        match self {
            RunEnd::Result(outcome) => outcome.is_accepted(),
            RunEnd::Failed(_) => false,
        }
    }
}

/// How a run ended, as its records say. Another version may have written a word that this one does not know; it counts as nothing
/// but itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedEnd {
    Known(RunEnd),
    Unknown(String),
}

impl RecordedEnd {
    pub fn word(&self) -> &str {
        match self {
            RecordedEnd::Known(end) => end.word(),
            RecordedEnd::Unknown(word) => word,
        }
    }

    /// What is unknown is not accepted.
    pub fn is_accepted(&self) -> bool {
        match self {
            RecordedEnd::Known(end) => end.is_accepted(),
            RecordedEnd::Unknown(_) => false,
        }
    }
}

impl<'de> Deserialize<'de> for RecordedEnd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Ok(RunEnd::from_word(&word).map_or(RecordedEnd::Unknown(word), RecordedEnd::Known))
    }
}

/// What became of one step of a plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StepOutcome {
    /// The plan says that it is done, or an earlier run did it.
    Done,
    /// A guard of the plan stage removed it.
    Dropped,
    /// What it was for was there already when its turn came, as a run of what tells it says. Nothing was asked.
    Skipped,
    /// An earlier step ended the plan. The default: a step that was not run has no result.
    #[default]
    NotReached,
    Ran(RunEnd),
}

impl StepOutcome {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            StepOutcome::Done => "done",
            StepOutcome::Dropped => "dropped",
            StepOutcome::Skipped => "skipped",
            StepOutcome::NotReached => "not-reached",
            StepOutcome::Ran(end) => end.word(),
        }
    }

    /// The step did not run, or was not accepted: resuming the plan takes it up.
    pub fn is_left_to_do(self) -> bool {
        match self {
            StepOutcome::Ran(end) => !end.is_accepted(),
            StepOutcome::NotReached => true,
            StepOutcome::Done | StepOutcome::Dropped | StepOutcome::Skipped => false,
        }
    }

    /// The end of a step that ran and was not accepted.
    pub fn failure(self) -> Option<RunEnd> {
        match self {
            StepOutcome::Ran(end) if !end.is_accepted() => Some(end),
            StepOutcome::Ran(_)
            | StepOutcome::Done
            | StepOutcome::Dropped
            | StepOutcome::Skipped
            | StepOutcome::NotReached => None,
        }
    }
}

macro_rules! serialize_as_word {
    ($($name:ident),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    )*};
}
serialize_as_word!(RunOutcome, RunEnd, RecordedEnd, StepOutcome);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back_and_none_stands_for_two_ends() {
        let outcomes = RunOutcome::ALL.map(RunEnd::Result);
        let ends: Vec<RunEnd> = outcomes.into_iter().chain(Kind::ALL.map(RunEnd::Failed)).collect();
        for end in &ends {
            assert_eq!(RunEnd::from_word(end.word()), Some(*end));
        }
    }

    #[test]
    fn an_unknown_end_is_never_success() {
        let end: RecordedEnd = serde_json::from_str(r#""comitted""#).unwrap();
        assert_eq!(end, RecordedEnd::Unknown("comitted".to_owned()));
        assert!(!end.is_accepted());
        assert_eq!(serde_json::to_string(&end).unwrap(), r#""comitted""#);
        assert!(!RunOutcome::default().is_accepted());
        assert_eq!(StepOutcome::default(), StepOutcome::NotReached);
    }
}
