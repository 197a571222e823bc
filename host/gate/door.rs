//! The doors: every way by which a change comes to the gate.
//!
//! `tests/integration/doors` holds a table of cases against all of them; a door that is added here does not compile there until it is in.

use crate::case::ChangeAuthor;

/// Through what a change comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// `host check` of what is staged, of the work tree or of a range.
    Check,
    /// `host check --patch`.
    CheckPatch,
    /// `host apply`.
    Apply,
    /// `host run`, the steps of plans and fixes.
    Run,
    /// `host patch`.
    Patch,
    /// `host accept`, of what a run committed.
    Accept,
    /// `host review`.
    Review,
    /// `host pr open`.
    PullRequest,
    /// `host pr queue`.
    MergeQueue,
    /// A job of a fleet: `host submit`, workers, webhooks.
    Job,
    /// What an agent writes or checks over MCP.
    Session,
    /// An agent's hook before an edit. Guards that build and test wait for the end of the turn.
    AgentEdit,
    /// An agent's hook at the end of its turn, or after a tool.
    AgentStop,
    /// Git's hook `pre-commit`.
    PreCommit,
    /// Git's hook `pre-push`.
    PrePush,
    /// Git's hook `reference-transaction`.
    BranchMove,
    /// The past changes that `host backtest` and `host init` judge. Guards that build and test are left out.
    Past,
    /// Patches that a program judges in its own process.
    Library,
}

impl Door {
    pub const ALL: [Door; 18] = [
        Door::Check,
        Door::CheckPatch,
        Door::Apply,
        Door::Run,
        Door::Patch,
        Door::Accept,
        Door::Review,
        Door::PullRequest,
        Door::MergeQueue,
        Door::Job,
        Door::Session,
        Door::AgentEdit,
        Door::AgentStop,
        Door::PreCommit,
        Door::PrePush,
        Door::BranchMove,
        Door::Past,
        Door::Library,
    ];

    /// Who writes what comes through it. What is staged or committed is a person's, unless an agent's shell does it.
    pub fn author(self) -> ChangeAuthor {
        match self {
            Door::Check
            | Door::Review
            | Door::PullRequest
            | Door::MergeQueue
            | Door::Job
            | Door::PreCommit
            | Door::PrePush
            | Door::BranchMove
            | Door::Past => ChangeAuthor::Person,
            Door::CheckPatch
            | Door::Apply
            | Door::Run
            | Door::Patch
            | Door::Accept
            | Door::Session
            | Door::AgentEdit
            | Door::AgentStop
            | Door::Library => ChangeAuthor::Model,
        }
    }
}
