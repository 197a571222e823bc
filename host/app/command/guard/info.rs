//! `host guard info`: everything that is known about one guard.

use std::path::Path;

use crate::context::CommandContext;
use guardhost_authoring::producers;
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::renamed_guards::{current_id, means};
use guardhost_engine::{Description, Inspection, Stage, inspect};
use guardhost_policy::GuardFiles;
use guardhost_policy::Policy;
use guardhost_policy::config::did_you_mean;
use guardhost_policy::config::{ComponentSource, Pin};
use guardhost_report::{GuardInfo, GuardRight, GuardRow, Report};

use super::fetch_component::{Want, fetch_component};
use super::resolve::Resolver;

pub fn info(what: &str, ctx: &CommandContext) -> Result<Report> {
    let file = ctx.path(Path::new(what));
    if file.is_file() {
        return from_file(&file, ctx);
    }
    let repo = ctx.repo()?;
    let head = repo.head()?;
    let Policy { config, guards, notices, .. } = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    let place = GuardFiles::WorkTree(repo.workdir().map(Into::into).unwrap_or_default());
    let resolver = Resolver::new(ctx, place, &config.rules);
    let pinned = config.rules.guards.iter().find(|pin| means(what, &pin.id));
    let written = what;
    let what = pinned.map_or_else(|| current_id(written), |pin| pin.id.as_str());
    ctx.note_former_id(written, what);
    let (source, component, pin) = match (pinned, what.parse::<ComponentSource>()) {
        (Some(pin), _) => (pin.source.clone(), guards.component(what).transpose()?, Some(pin)),
        (None, Ok(source)) if source != ComponentSource::Builtin => {
            let found = fetch_component(&resolver.sources(), &Pin::new(what, source), None, Want::NEWEST)?;
            (found.source, found.component, None)
        }
        _ if ctx.embedded.get(what).is_some() => (ComponentSource::Builtin, None, None),
        _ if guards.languages().iter().any(|language| language.id == what) => {
            return Err(Fault::new(FaultKind::Usage, format!("`{what}` is a language, and no guard"))
                .hint("host guard list says what it reads and where it comes from")
                .into());
        }
        _ => {
            let ids: Vec<&str> = config.rules.guards.iter().map(|pin| pin.id.as_str()).collect();
            let near = did_you_mean(what, &[&ids[..], &ctx.embedded.ids()].concat());
            let all = ids.join(", ");
            let has = if config.is_default() { "have" } else { "has" };
            let hint = format!("{near}{} {has}: {all}; a source begins with path:, https:// or oci://", config.origin);
            let hint = notices.into_iter().chain([hint]).collect::<Vec<_>>().join("; ");
            return Err(Fault::new(FaultKind::Usage, format!("no guard `{what}`")).hint(hint).into());
        }
    };
    let guard = pin.map_or(what, Pin::component_id);
    let introduction = resolver.inspect(guard, &source, component.as_ref())?;
    let embedded = || ctx.embedded.get(guard).map(|guard| guard.skeleton);
    let toolchain = component.as_ref().map(Component::bytes).or_else(embedded).map(producers).unwrap_or_default();
    Ok(Report::GuardInfo { guard: Box::new(guard_info(introduction, source.to_string(), pin, toolchain)) })
}

/// Inspects the file of a component; no repository is needed.
fn from_file(file: &Path, ctx: &CommandContext) -> Result<Report> {
    let shown = file.display();
    let bytes =
        std::fs::read(file).with_context(|| Fault::new(FaultKind::GuardLoad, format!("cannot read {shown}")))?;
    let component = Component::from(bytes);
    let introduction = inspect(&component, &ctx.policies().machine()).map_err(|failure| failure.into_fault(&shown))?;
    let toolchain = producers(component.bytes());
    Ok(Report::GuardInfo { guard: Box::new(guard_info(introduction, format!("path:{shown}"), None, toolchain)) })
}

pub fn guard_info(introduction: Inspection, source: String, pin: Option<&Pin>, toolchain: Vec<String>) -> GuardInfo {
    let rights = introduction.rights();
    // A built-in guard is part of the host, which grants it what it imports.
    let is_builtin = source == ComponentSource::Builtin.to_string();
    let granted = |name: &str| is_builtin || pin.is_some_and(|pin| pin.grants.iter().any(|grant| grant == name));
    let right =
        |(name, why): (&str, &str)| GuardRight { name: name.to_owned(), why: why.to_owned(), granted: granted(name) };
    let rights = rights.into_iter().map(right).collect();
    let Inspection { description, identity } = introduction;
    GuardInfo {
        pinned: pin.is_some(),
        rights,
        toolchain,
        exports: identity.surface.exports,
        stages: stages(&description),
        globs: description.globs,
        settings_schema: description.settings_schema,
        row: GuardRow {
            id: pin.map_or(description.id, |pin| pin.id.clone()),
            guard: pin.and_then(|pin| pin.guard.clone()),
            folder: pin.and_then(|pin| pin.folder.as_ref().map(ToString::to_string)),
            mark: description.mark,
            version: description.version,
            source,
            digest: identity.digest,
            mode: pin.map(|pin| pin.mode).unwrap_or_default(),
            size: identity.size as u64,
            imports: identity.surface.imports,
            grants: pin.map(|pin| pin.grants.clone()).unwrap_or_default(),
            promise: description.promise,
        },
    }
}

/// The stages, as the contract names them.
pub fn stages(description: &Description) -> Vec<String> {
    let name = |stage: &Stage| match stage {
        Stage::Patch => "patch",
        Stage::Content => "content",
        Stage::Command => "command",
        Stage::Plan => "plan",
        Stage::Score => "score",
        Stage::Analysis => "analysis",
    };
    description.stages.iter().map(|stage| name(stage).to_owned()).collect()
}
