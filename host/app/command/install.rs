//! `host install`: the host in the hooks of git, agents and hook runners.

use crate::cli::{InstallArgs, InstallScope, InstallTarget};
use crate::context::CommandContext;
use crate::install::{self, CiPackage, Site};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_gate::ChangeAuthor;
use guardhost_gate::branch::Ledger;
use guardhost_report::Report;

/// What every ref has when the hooks of git come is old: nobody is asked to judge a history.
///
/// # Errors
/// The refs cannot be read, or what is remembered cannot be written.
pub fn remember_refs(args: &InstallArgs, ctx: &CommandContext) -> Result<()> {
    if !args.targets.contains(&InstallTarget::Git) || args.dry_run || args.status {
        return Ok(());
    }
    let repo = ctx.repo()?;
    let mut ledger = Ledger::open(&repo, ctx.process.cache.as_deref());
    if args.remove { ledger.forget() } else { ledger.installed(&repo) }
}

pub fn install(args: &InstallArgs, ctx: &CommandContext) -> Result<Report> {
    // What is committed while they are gone would be old once they are back.
    if args.remove && !args.dry_run && ctx.author() == ChangeAuthor::Model {
        return Err(Fault::new(FaultKind::Usage, "only people take the hooks out: this is an agent's shell")
            .hint("leave them, and fix what they name")
            .into());
    }
    // Why a repository cannot be opened is said here; without one there is nothing to write in this scope.
    let is_of_repo = |target: &InstallTarget| {
        *target != InstallTarget::Plugin && !args.scopes(*target).contains(&InstallScope::User)
    };
    if !args.status && args.targets.iter().any(is_of_repo) {
        ctx.repo()?;
    }
    let plugin = args.dir.as_ref().map(|dir| ctx.process.cwd.join(dir));
    let site = Site { plugin, ..install::site(ctx)? };
    let package = CiPackage::from_args(&args.package, ctx)?;
    let mut report = install::install(args, package.as_ref(), &site)?;
    remember_refs(args, ctx)?;
    if !args.remove && !args.status {
        report.notices.extend(args.targets.iter().filter_map(|target| install::next_step(*target, args)));
    }
    Ok(Report::Install(report))
}
