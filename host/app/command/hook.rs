//! `host hook`: answers the hooks of agents and of git.

use std::path::Path;
use std::time::Duration;

use crate::cli::HookArgs;
use crate::context::CommandContext;
use crate::hook;
use guardhost_report::HookReport;

/// Never an error: what fails is denied, in the program's own form.
pub fn hook(args: &HookArgs, ctx: &CommandContext) -> HookReport {
    match args.program.agent() {
        Some(agent) => hook::agent(agent, &args.event, ctx),
        None => hook::git(&args.event, &args.rest, ctx),
    }
}

/// When [`late_hook`] is the answer.
pub fn hook_deadline(args: &HookArgs) -> Duration {
    match args.program.agent() {
        Some(_) => hook::DEADLINE,
        None => hook::GIT_DEADLINE,
    }
}

/// The answer of a hook that has no other in time: a denial, unless the user's settings say otherwise.
pub fn late_hook(args: &HookArgs, settings: Option<&Path>) -> HookReport {
    match args.program.agent() {
        Some(agent) => hook::late(agent, &args.event, settings),
        None => hook::late_git(settings),
    }
}
