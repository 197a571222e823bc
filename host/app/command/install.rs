//! `host install`: the host in the hooks of git, agents and hook runners.

use crate::cli::{InstallArgs, InstallScope};
use crate::context::CommandContext;
use crate::install;
use guardhost_core::error::Result;
use guardhost_report::Report;

pub fn install(args: &InstallArgs, ctx: &CommandContext) -> Result<Report> {
    // Why a repository cannot be opened is said here; without one there is nothing to write in this scope.
    if args.scope == InstallScope::Repo && !args.status {
        ctx.repo()?;
    }
    let mut report = install::install(args, &install::site(ctx)?)?;
    if !args.remove && !args.status {
        report.notices.extend(args.targets.iter().filter_map(|target| install::next_step(*target, args.scope)));
    }
    Ok(Report::Install(report))
}
