//! `host hook`: what the program reads that started the hook.

use serde_json::Value;

use super::CheckReport;

#[derive(Debug, Clone, Default)]
pub struct HookReport {
    /// For standard output: one object in the protocol of an agent. None when there is nothing to say.
    pub answer: Option<Value>,
    /// For standard error: why something is denied.
    pub reason: Option<String>,
    pub outcome: HookOutcome,
    /// What `reason` says, for a person at a terminal: parts with a line above each.
    pub shown: Vec<(String, CheckReport)>,
}

/// What follows for the program that started the hook.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HookOutcome {
    /// It goes on, as `answer` says if there is one.
    #[default]
    Passed,
    /// An agent does not do what it was about to do. Agents take exit code 2 for that, and any other for a hook that is broken.
    DeniedToAgent,
    /// Git, or a program that runs hooks of git, stops.
    DeniedToGit,
}

impl HookOutcome {
    pub fn exit_code(self) -> u8 {
        match self {
            HookOutcome::Passed => 0,
            HookOutcome::DeniedToGit => 1,
            HookOutcome::DeniedToAgent => 2,
        }
    }
}
