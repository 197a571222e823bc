//! What a guard was told beyond the change: by the network, a toolchain, git's log, earlier runs, a model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::renamed_guards::former_id;
use crate::serialized_names;

/// Who answered. The word is that of the capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Service {
    Net,
    Registry,
    Toolchain,
    History,
    Commits,
    Model,
}

serialized_names!(Service);

/// One question of a guard, and what it was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub service: Service,
    pub question: Value,
    pub answer: Value,
}

/// What a guard was told in one call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// In the order of the questions.
    pub answers: Vec<Answer>,
    /// How many were not kept: that one, and all behind it, are more than [`Answers::MOST`] bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Answers {
    /// Bytes of one call's questions and answers, as JSON. A test suite of 50,000 tests has 6 MB.
    pub const MOST: usize = 8 << 20;

    pub fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.left_out == 0
    }
}

/// What a verdict rests on, beside the guard itself and the two trees. Questions about trees are not in it: the trees answer them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Basis {
    /// It asked for the task.
    pub task: bool,
    /// It asked for the commits of the change, or for the message of the one that would be made.
    pub commits: bool,
    /// The language components that it asked what texts say, by their names, with their digests.
    pub languages: BTreeMap<String, String>,
    pub answers: Answers,
    /// In a replay: the question that no answer is recorded of, and why that ended the call.
    pub not_recorded: Option<String>,
}

/// The recorded answers of one judgement, by the guards' ids: what guards are told in a replay.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedAnswers {
    pub guards: BTreeMap<String, Answers>,
}

impl RecordedAnswers {
    /// Those of a judgement's guards that asked something.
    pub fn from_evidence<'e>(evidence: impl IntoIterator<Item = &'e super::Evidence>) -> Self {
        let asked = evidence.into_iter().filter(|evidence| !evidence.basis.answers.is_empty());
        RecordedAnswers {
            guards: asked.map(|evidence| (evidence.id.clone(), evidence.basis.answers.clone())).collect(),
        }
    }

    /// Those of a guard, whose id may have been another when they were recorded.
    pub fn guard(&self, id: &str) -> Option<&Answers> {
        self.guards.get(id).or_else(|| self.guards.get(former_id(id)?))
    }

    pub fn is_empty(&self) -> bool {
        self.guards.is_empty()
    }
}
