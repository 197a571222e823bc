//! What `host init` asks at a terminal, for what its options leave open.

use std::path::Path;

use clap::ValueEnum;
use guardhost_core::error::Result;
use guardhost_provider::Environment;

use super::root;
use crate::cli::{InitArgs, InstallTarget};
use crate::context::CommandContext;
use crate::hook::HookAgent;
use crate::install::{FileKind, site, targets_of};

/// Asks a question that yes or no answers; true is yes. The second argument is the answer of an empty line.
pub type Ask<'a> = dyn Fn(&str, bool) -> Result<bool> + 'a;

/// The options with the answers.
///
/// # Errors
/// Those of [`super::init`] before it writes: nothing is asked in vain.
pub fn ask_init(args: &InitArgs, ctx: &CommandContext, ask: &Ask) -> Result<InitArgs> {
    let mut args = args.clone();
    if args.dry_run || ctx.locked() {
        return Ok(args);
    }
    let repo = ctx.repo()?;
    let root = root(&repo)?;
    if args.hooks.is_empty() {
        let hooks = suggested(root, ctx)?;
        if ask(&format!("Install the hooks of {}, so that every change is judged?", names(&hooks).join(", ")), true)? {
            args.hooks = hooks;
        }
    }
    // A change that plants orders for the next agent is accepted by every guard: no guard knows what a person wants to be done.
    args.protect_agents = args.protect_agents
        || ask("Let no patch touch the files that tell agents what to do (AGENTS.md, CLAUDE.md, …)?", true)?;
    args.commit = args.commit || ask("Commit the files?", true)?;
    Ok(args)
}

/// As they are given on the command line.
pub(super) fn names(targets: &[InstallTarget]) -> Vec<String> {
    targets.iter().filter_map(|target| Some(target.to_possible_value()?.get_name().to_owned())).collect()
}

/// Git, the agents that this machine or this repository has, and the runners of hooks that the repository has.
pub(super) fn suggested(root: &Path, ctx: &CommandContext) -> Result<Vec<InstallTarget>> {
    let environment = Environment::new(ctx.process.env.iter().cloned());
    let has_agent = |agent: HookAgent| {
        environment.find(agent.as_str()).is_some()
            || root.join(format!(".{}", agent.as_str())).symlink_metadata().is_ok()
    };
    let site = site(ctx)?;
    Ok(targets_of(&site)
        .into_iter()
        .filter(|(_, path, kind)| match kind {
            FileKind::GitHook(_) => true,
            FileKind::Agent(agent) => has_agent(*agent),
            FileKind::Lefthook | FileKind::PreCommit => path.exists(),
            FileKind::Exclude(_) | FileKind::Ci(_) | FileKind::Plugin(..) | FileKind::PluginList { .. } => false,
        })
        .map(|(target, ..)| target)
        .collect())
}
