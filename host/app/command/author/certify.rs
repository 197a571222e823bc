//! `host guard certify`.

use crate::cli::CertifyArgs;
use crate::context::CommandContext;
use guardhost_authoring::{CertifyOptions, certify_language, language_cases};
use guardhost_core::error::Result;
use guardhost_engine::Limits;
use guardhost_engine::link_check::LinkChecker;
use guardhost_git::ScratchRepository;
use guardhost_report::AuthorReport;

use super::target::{AuthorComponent, AuthorTarget, settings, target};

pub fn certify(args: &CertifyArgs, ctx: &CommandContext) -> Result<AuthorReport> {
    let AuthorTarget { component, cases } = target(&args.of, ctx, LinkChecker::offline())?;
    let options = CertifyOptions {
        seed: args.seed,
        changes: args.changes as usize,
        settings: settings(args.settings.as_ref(), ctx)?,
        paths: args.paths.clone(),
        threads: ctx.process.threads,
    };
    let guard = match component {
        AuthorComponent::Guard(guard) => *guard,
        AuthorComponent::Language(language, id) => {
            let (machine, cases) = (ctx.policies().machine(), language_cases(&cases)?);
            let certificate = certify_language(&language, &id, &cases, &machine, &options)?;
            return Ok(AuthorReport::Certificate(certificate));
        }
    };
    let defaults = guard.limits();
    let guard = guard.within(Limits {
        fuel: args.fuel.unwrap_or(defaults.fuel),
        memory: args.memory.map_or(defaults.memory, |size| size.0),
        ..defaults
    });
    let scratch = ScratchRepository::new(&ctx.process.temp)?;
    Ok(AuthorReport::Certificate(guardhost_authoring::certify(guard, &scratch, &options)?))
}
