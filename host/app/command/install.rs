//! `host install`: the host in the hooks of git, agents and hook runners.

use crate::cli::InstallArgs;
use crate::context::CommandContext;
use crate::install;
use guardhost_core::error::Result;
use guardhost_report::Report;

pub fn install(args: &InstallArgs, ctx: &CommandContext) -> Result<Report> {
    install::install(args, &install::site(ctx)?).map(Report::Install)
}
