//! `host install`: the host in the hooks of git, agents and hook runners.

use crate::cli::{InstallArgs, InstallScope, InstallTarget};
use crate::context::CommandContext;
use crate::install::{self, CiPackage};
use guardhost_core::error::Result;
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
    // Why a repository cannot be opened is said here; without one there is nothing to write in this scope.
    if args.scope == InstallScope::Repo && !args.status {
        ctx.repo()?;
    }
    let package = CiPackage::from_args(&args.package, ctx)?;
    let mut report = install::install(args, package.as_ref(), &install::site(ctx)?)?;
    remember_refs(args, ctx)?;
    if !args.remove && !args.status {
        report.notices.extend(args.targets.iter().filter_map(|target| install::next_step(*target, args.scope)));
    }
    Ok(Report::Install(report))
}
