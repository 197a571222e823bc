//! `host guard new` and `host guard build`.

use std::path::Path;

use crate::cli::{BuildArgs, NewArgs, NewKind};
use crate::context::CommandContext;
use guardhost_authoring::{GuardKind, Recipe, scaffold};
use guardhost_core::error::Result;
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{Description, Identity, LanguageInspection};
use guardhost_report::{AuthorReport, BuiltReport};

use super::target::{AuthorComponent, build_env, load};

pub fn new(args: &NewArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let kind = match (args.kind, args.critic) {
        (Some(NewKind::Language), _) => GuardKind::Language,
        (Some(NewKind::Critic), _) | (None, true) => GuardKind::Critic,
        (Some(NewKind::Guard), _) | (None, false) => GuardKind::Plain,
    };
    // The only one that has a template of every kind but the critic.
    let lang = args.lang.as_deref().unwrap_or("rust");
    let folder = args.dir.as_deref().unwrap_or(Path::new(&args.name));
    Ok(AuthorReport::NewGuard(scaffold(&args.name, lang, kind, &ctx.path(folder))?))
}

pub fn build(args: &BuildArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let folder = ctx.path(&args.folder);
    let built = guardhost_authoring::build(&folder, &Recipe::read(&folder)?, args.install, &build_env(ctx))?;
    // The tool may succeed and still build something that the engine cannot load.
    let component = load(&built.component, ctx, LinkChecker::offline())?;
    let (id, version, identity) = match component {
        AuthorComponent::Guard(guard) => {
            let Description { id, version, .. } = guard.description().clone();
            let (digest, size) = (guard.digest().to_owned(), guard.size());
            (id, version, Identity { digest, size, surface: guard.surface().clone() })
        }
        AuthorComponent::Language(language, id) => {
            let LanguageInspection { version, identity, .. } = language.inspection().clone();
            (id, version, identity)
        }
    };
    Ok(AuthorReport::Built(BuiltReport {
        id,
        version,
        component: built.component,
        digest: identity.digest,
        size: identity.size as u64,
        imports: identity.surface.imports,
        micros: built.micros,
    }))
}
