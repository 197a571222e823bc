//! What a door tells the gate beside the change itself.

use guardhost_core::change::{Candidate, Task};

/// Who wrote a change. It decides which comments `guardhost: allow RULE reason` count where `[policy] allow_comments` does not say: a person
/// may excuse a line, a model may not excuse its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// What is staged, committed or pushed, unless an agent's shell did it.
    Person,
    /// Replies, patches, the edits of agents, and what an agent's shell commits.
    Model,
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
}

/// Under which terms a gate is opened.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    pub author: Author,
    pub rule_changes: RuleChanges,
    /// Only these guards; empty for all of the set.
    pub only: &'a [String],
    /// Not these guards, nor these of the host's own rules.
    pub skip: &'a [String],
}

impl Terms<'static> {
    /// All guards, for a change of a person, who allows what `rule_changes` says.
    pub fn of_person(rule_changes: RuleChanges) -> Self {
        Terms { author: Author::Person, rule_changes, only: &[], skip: &[] }
    }

    /// All guards, for a change of a model, which may not touch the rules.
    pub fn of_model() -> Self {
        Terms { author: Author::Model, rule_changes: RuleChanges::Kept, only: &[], skip: &[] }
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
}

impl<'a> Case<'a> {
    /// A change that is reported on as it is.
    pub fn report(candidate: Candidate, task: Option<&'a Task>) -> Self {
        Case { candidate, task, purpose: Purpose::Report, fixes: false }
    }
}
