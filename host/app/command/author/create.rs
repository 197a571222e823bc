//! `host guard new` and `host guard build`.

use std::path::Path;

use crate::cli::{BuildArgs, NewArgs};
use crate::context::CommandContext;
use guardhost_authoring::{GuardKind, Recipe, scaffold};
use guardhost_core::error::Result;
use guardhost_engine::link_check::LinkChecker;
use guardhost_report::{AuthorReport, BuiltReport};

use super::target::{build_env, load};

pub fn new(args: &NewArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let kind = if args.critic { GuardKind::Critic } else { GuardKind::Plain };
    let folder = args.dir.as_deref().unwrap_or(Path::new(&args.name));
    Ok(AuthorReport::NewGuard(scaffold(&args.name, &args.lang, kind, &ctx.path(folder))?))
}

pub fn build(args: &BuildArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let folder = ctx.path(&args.folder);
    let built = guardhost_authoring::build(&folder, &Recipe::read(&folder)?, args.install, &build_env(ctx))?;
    // The tool may succeed and still build something that the engine cannot load.
    let guard = load(&built.component, ctx, LinkChecker::offline())?;
    Ok(AuthorReport::Built(BuiltReport {
        id: guard.description().id.clone(),
        version: guard.description().version.clone(),
        component: built.component,
        digest: guard.digest().to_owned(),
        size: guard.size() as u64,
        imports: guard.imports().to_vec(),
        micros: built.micros,
    }))
}
