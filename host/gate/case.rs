//! What a door tells the gate beside the change itself.

use guardhost_core::change::{Candidate, Task};

use crate::door::Door;

/// Who wrote a change. It decides which comments `guardhost: allow RULE reason` count where `[policy] allow_comments` does not say: a person
/// may excuse a line, a model may not excuse its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeAuthor {
    /// What is staged, committed or pushed, unless an agent's shell did it.
    Person,
    /// Replies, patches, the edits of agents, and what an agent's shell commits.
    Model,
}

impl ChangeAuthor {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            ChangeAuthor::Person => "person",
            ChangeAuthor::Model => "model",
        }
    }
}

/// Whether the change may alter the rules that judge it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleChanges {
    /// It must leave them as they are.
    Kept,
    /// Somebody who maintains the rules allows it, for this one change.
    Allowed,
}

/// What follows when a change is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The host commits or stages what a provider wrote: `run`, a step of a plan, `patch`.
    Commit,
    /// The host reports, or places what somebody hands in: `check`, `apply`, hooks, sessions of agents.
    Report,
    /// Nothing: the change was made long ago. A guard that is asked for by name need not be about each of many.
    Past,
}

/// Under which terms a gate is opened.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// Through what the change comes.
    pub door: Door,
    pub author: ChangeAuthor,
    pub rule_changes: RuleChanges,
    /// Only these guards; empty for all of the set.
    pub only: &'a [String],
    /// Not these guards, nor these of the host's own rules.
    pub skip: &'a [String],
}

impl Terms<'static> {
    /// All guards, for a change of whoever writes what comes through this door, who must leave the rules alone.
    pub fn at(door: Door) -> Self {
        Terms { door, author: door.author(), rule_changes: RuleChanges::Kept, only: &[], skip: &[] }
    }
}

impl Terms<'_> {
    /// The same, where somebody allows what `rule_changes` says.
    #[must_use]
    pub fn with_rule_changes(self, rule_changes: RuleChanges) -> Self {
        Terms { rule_changes, ..self }
    }

    /// The same for a change that an agent's shell makes: what a person does there a model does.
    #[must_use]
    pub fn with_author(self, author: ChangeAuthor) -> Self {
        Terms { author, ..self }
    }
}

/// One change to rule on.
pub struct Case<'a> {
    pub candidate: Candidate,
    /// None when the change is judged without a task.
    pub task: Option<&'a Task>,
    pub purpose: Purpose,
    /// Whether the guards' own fixes are tried.
    pub fixes: bool,
    /// Whether the repository remembers the ruling. Not so where it is one question among several about one change.
    pub is_remembered: bool,
    /// Who wrote the change, where the door knows that better than whoever opened the gate: the provider of a run.
    pub agent: Option<&'a str>,
}

impl<'a> Case<'a> {
    /// A change that is reported on as it is.
    pub fn report(candidate: Candidate, task: Option<&'a Task>) -> Self {
        Case { candidate, task, purpose: Purpose::Report, fixes: false, is_remembered: true, agent: None }
    }

    /// The same as a question on the way to another ruling, which alone is remembered.
    #[must_use]
    pub fn in_passing(self) -> Self {
        Case { is_remembered: false, ..self }
    }
}
