//! How a round, a run and each step of a plan ended. Decisions are taken from these types; their words are output only. Why there is more
//! than one: docs/decisions/run-endings.md.

use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::de::value::Error as Unreadable;
use serde::{Deserialize, Serialize};

use super::{Misfit, NoPatch, Oid, Refused, Rejection};
use crate::error::FaultKind;
use crate::serialized_names;

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

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "runOutcome")]
pub enum RunOutcome {
    Committed,
    Staged,
    NoChange,
    #[default]
    Rejected,
    OverBudget,
}

serialized_names!(RunOutcome, RunEnd, StepOutcome, AttemptOutcome);

impl RunOutcome {
    /// Nothing is left to do: the change was taken, or none is needed.
    pub fn is_accepted(self) -> bool {
        match self {
            RunOutcome::Committed | RunOutcome::Staged | RunOutcome::NoChange => true,
            RunOutcome::Rejected | RunOutcome::OverBudget => false,
        }
    }

    /// As people read it.
    pub fn words(self) -> &'static str {
        match self {
            RunOutcome::Committed => "committed",
            RunOutcome::Staged => "staged",
            RunOutcome::NoChange => "no change needed",
            RunOutcome::Rejected => "rejected",
            RunOutcome::OverBudget => "budget used up",
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "runEnd")]
pub enum RunEnd {
    Result(RunOutcome),
    Failed(FaultKind),
}

impl RunEnd {
    /// None for a word that this version does not write.
    pub fn from_name(word: &str) -> Option<Self> {
        RunEnd::deserialize(IntoDeserializer::<Unreadable>::into_deserializer(word)).ok()
    }

    /// As people read it: what came of the run, or the error that ended it.
    pub fn words(self) -> &'static str {
        match self {
            RunEnd::Result(outcome) => outcome.words(),
            RunEnd::Failed(kind) => match kind {
                FaultKind::Usage => "wrong command line",
                FaultKind::Config => "wrong settings",
                FaultKind::GuardLoad => "guard not loaded",
                FaultKind::GuardRun => "guard failed",
                FaultKind::Provider => "no provider answered",
                FaultKind::Git => "git or machine failed",
                FaultKind::Nothing => "nothing to judge",
                FaultKind::Interrupted => "interrupted",
            },
        }
    }

    /// See [`RunOutcome::is_accepted`]; an error is no acceptance.
    pub fn is_accepted(self) -> bool {
        match self {
            RunEnd::Result(outcome) => outcome.is_accepted(),
            RunEnd::Failed(_) => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "recordedEnd")]
pub enum RecordedEnd {
    Known(RunEnd),
    Unknown(String),
}

impl RecordedEnd {
    pub fn as_str(&self) -> &str {
        match self {
            RecordedEnd::Known(end) => end.as_str(),
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

/// In the terms of observers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "attemptOutcome")]
pub enum AttemptOutcome {
    /// Committed or staged.
    Success,
    /// No round was accepted.
    Fail,
    /// Some steps were committed.
    Partial,
    /// No answer, no budget, or interrupted.
    Aborted,
    Skipped,
}

impl AttemptOutcome {
    pub const ALL: [AttemptOutcome; 5] = [
        AttemptOutcome::Success,
        AttemptOutcome::Fail,
        AttemptOutcome::Partial,
        AttemptOutcome::Aborted,
        AttemptOutcome::Skipped,
    ];
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "stepOutcome")]
pub enum StepOutcome {
    /// By the plan, or an earlier run.
    Done,
    /// By a guard of the plan stage.
    Dropped,
    /// It was there already.
    Skipped,
    /// An earlier step ended the plan.
    #[default]
    NotReached,
    #[serde(untagged)]
    Ran(RunEnd),
}

impl StepOutcome {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back_and_none_stands_for_two_ends() {
        let outcomes = [
            RunOutcome::Committed,
            RunOutcome::Staged,
            RunOutcome::NoChange,
            RunOutcome::Rejected,
            RunOutcome::OverBudget,
        ];
        let ends = outcomes.map(RunEnd::Result).into_iter().chain(FaultKind::ALL.map(RunEnd::Failed));
        for end in ends {
            assert_eq!(RunEnd::from_name(end.as_str()), Some(end));
            assert_eq!(StepOutcome::Ran(end).as_str(), end.as_str());
        }
        assert_eq!(RunEnd::from_name("comitted"), None);
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
