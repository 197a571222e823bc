//! `host guard run`: one guard on the commits of a repository.

use crate::cli::PastArgs;
use crate::context::CommandContext;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::link_check::LinkChecker;
use guardhost_report::{AuthorReport, RangeReport};

use super::target::{settings, target};

pub fn run(args: &PastArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let repo = ctx.repo()?;
    let net = if ctx.is_offline() { LinkChecker::offline() } else { LinkChecker::online() };
    let guard = target(&args.of, ctx, net)?.component.into_guard()?;
    let settings = settings(args.settings.as_ref(), ctx)?;
    let past = guardhost_authoring::replay(&guard, &repo, &args.range, args.as_one, &settings, ctx.process.threads)?;
    if past.changes.is_empty() {
        return Err(Fault::new(FaultKind::Nothing, format!("there are no commits in {}", args.range)).into());
    }
    Ok(AuthorReport::Range(RangeReport { id: guard.description().id.clone(), past }))
}
