//! `host guard bench`.

use crate::cli::BenchArgs;
use crate::context::CommandContext;
use guardhost_authoring::cases;
use guardhost_core::error::Result;
use guardhost_engine::SingleGuard;
use guardhost_engine::link_check::LinkChecker;
use guardhost_git::ScratchRepository;
use guardhost_report::AuthorReport;

use super::target::{AuthorTarget, load_guard, single_guard, target};

pub fn bench(args: &BenchArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let AuthorTarget { component, cases: own } = target(&args.of, ctx, LinkChecker::offline())?;
    let guard = component.into_guard()?;
    let against = args.against.as_ref().map(|file| ctx.path(file));
    let against = match against {
        Some(file) => Some(load_guard(&file, ctx, LinkChecker::offline())?),
        None => pinned(&guard.description().id, ctx)?,
    };
    let folder = args.cases.as_ref().map_or(own, |folder| ctx.path(folder));
    let scratch = ScratchRepository::new(&ctx.process.temp)?;
    Ok(AuthorReport::BenchResult(guardhost_authoring::bench(&guard, against.as_ref(), &cases(&folder)?, &scratch)?))
}

/// The component that the current repository pins under this id: the release that is in use.
fn pinned(id: &str, ctx: &CommandContext) -> Result<Option<SingleGuard>> {
    let Ok(repo) = ctx.repo() else { return Ok(None) };
    let head = repo.head()?;
    let policy = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    policy.guards.component(id).map(|component| single_guard(component?, id, ctx, LinkChecker::offline())).transpose()
}
