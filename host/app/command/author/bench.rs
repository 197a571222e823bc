//! `host guard bench`.

use crate::cli::BenchArgs;
use crate::command::CommandContext;
use guardhost_authoring::cases;
use guardhost_core::error::Result;
use guardhost_engine::SingleGuard;
use guardhost_engine::link_check::LinkChecker;
use guardhost_git::Scratch;
use guardhost_report::AuthorReport;

use super::subject::{load, subject, trial};

pub fn bench(args: &BenchArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let subject = subject(&args.of, ctx, LinkChecker::offline())?;
    let against = args.against.as_ref().map(|file| ctx.path(file));
    let against = match against {
        Some(file) => Some(load(&file, ctx, LinkChecker::offline())?),
        None => pinned(&subject.guard.description().id, ctx)?,
    };
    let folder = args.cases.as_ref().map_or(subject.cases, |folder| ctx.path(folder));
    let scratch = Scratch::new(&ctx.process.temp)?;
    Ok(AuthorReport::BenchResult(guardhost_authoring::bench(
        &subject.guard,
        against.as_ref(),
        &cases(&folder)?,
        &scratch,
    )?))
}

/// What the repository around here has pinned under this id: the last release that somebody relies on.
fn pinned(id: &str, ctx: &CommandContext) -> Result<Option<SingleGuard>> {
    let Ok(repo) = ctx.repo() else { return Ok(None) };
    let head = repo.head()?;
    let ruled = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    ruled.guards.component(id).map(|component| trial(component.clone(), id, ctx, LinkChecker::offline())).transpose()
}
