//! `host hook`: answers the hooks of agents and of git.

use std::time::Duration;

use super::CommandContext;
use crate::cli::HookArgs;
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

/// The denial of a hook that has no answer in time.
pub fn late_hook(args: &HookArgs) -> HookReport {
    match args.program.agent() {
        Some(agent) => hook::late(agent, &args.event),
        None => hook::late_git(),
    }
}
