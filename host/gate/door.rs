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
    /// What stands in an editor, saved or not: `host lsp`. Guards that build and test are left out.
    Editor,
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
    pub const ALL: [Door; 19] = [
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
        Door::Editor,
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
            | Door::Editor
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

    /// Whether the repository remembers what is ruled here. Not so where nobody proposed the change, and where another repository would have to
    /// remember it: a job of a fleet is judged in a mirror.
    pub fn is_remembered(self) -> bool {
        match self {
            Door::Check
            | Door::CheckPatch
            | Door::Apply
            | Door::Run
            | Door::Patch
            | Door::Accept
            | Door::Review
            | Door::PullRequest
            | Door::Session
            | Door::AgentEdit
            | Door::AgentStop
            | Door::PreCommit
            | Door::PrePush
            | Door::BranchMove => true,
            // Combinations of pull requests; a fleet's jobs; what is being typed; the past; patches of a program that keeps its own books.
            Door::MergeQueue | Door::Job | Door::Editor | Door::Past | Door::Library => false,
        }
    }

    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Door::Check => "check",
            Door::CheckPatch => "check-patch",
            Door::Apply => "apply",
            Door::Run => "run",
            Door::Patch => "patch",
            Door::Accept => "accept",
            Door::Review => "review",
            Door::PullRequest => "pull-request",
            Door::MergeQueue => "merge-queue",
            Door::Job => "job",
            Door::Session => "mcp",
            Door::AgentEdit => "agent-edit",
            Door::AgentStop => "agent-stop",
            Door::Editor => "editor",
            Door::PreCommit => "pre-commit",
            Door::PrePush => "pre-push",
            Door::BranchMove => "branch-move",
            Door::Past => "past",
            Door::Library => "library",
        }
    }
}
