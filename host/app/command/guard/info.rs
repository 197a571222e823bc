//! `host guard info`: everything that is known about one guard, or one language.

use std::path::Path;

use crate::context::CommandContext;
use guardhost_authoring::producers;
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::renamed_guards::{current_id, means};
use guardhost_engine::embedded::{ClaimText, LanguageClaim};
use guardhost_engine::{Description, Identity, Inspection, LanguageInspection, Stage};
use guardhost_policy::GuardFiles;
use guardhost_policy::Policy;
use guardhost_policy::config::did_you_mean;
use guardhost_policy::config::{ComponentSource, Pin, PinKind};
use guardhost_report::{ClaimedLanguage, GuardInfo, GuardRight, GuardRow, LanguageInfo, LanguageRow, Report};

use super::add::{name_at_source, pin_kind};
use super::fetch_component::{Want, fetch_component};
use super::introduction::Introduction;
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
    if let Some(language) = guards.languages().iter().find(|language| language.id == what) {
        let pin = config.rules.languages.iter().find(|pin| pin.id == what);
        let source = pin.map_or(ComponentSource::Builtin, |pin| pin.source.clone());
        let component = language.component();
        let introduction = resolver.introduce(PinKind::Language, what, &source, component)?;
        let embedded = || ctx.embedded.readers.iter().find(|reader| reader.name == what).map(|reader| reader.skeleton);
        let toolchain = component.map(Component::bytes).or_else(embedded).map(producers).unwrap_or_default();
        return Ok(report(introduction, what.to_owned(), &source, pin, toolchain));
    }
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
    let introduction = resolver.introduce(pin_kind(component.as_ref()), guard, &source, component.as_ref())?;
    let embedded = || ctx.embedded.get(guard).map(|guard| guard.skeleton);
    let toolchain = component.as_ref().map(Component::bytes).or_else(embedded).map(producers).unwrap_or_default();
    Ok(report(introduction, name_at_source(&source), &source, pin, toolchain))
}

/// Inspects the file of a component; no repository is needed.
fn from_file(file: &Path, ctx: &CommandContext) -> Result<Report> {
    let shown = file.display();
    let bytes =
        std::fs::read(file).with_context(|| Fault::new(FaultKind::GuardLoad, format!("cannot read {shown}")))?;
    let component = Component::from(bytes);
    let introduction = Introduction::new(&component, &ctx.policies().machine());
    let introduction = introduction.map_err(|failure| failure.into_fault(&shown))?;
    let toolchain = producers(component.bytes());
    let source = ComponentSource::Path(shown.to_string());
    Ok(report(introduction, name_at_source(&source), &source, None, toolchain))
}

/// `id` is that of a language, which does not say one itself.
fn report(
    introduction: Introduction,
    id: String,
    source: &ComponentSource,
    pin: Option<&Pin>,
    toolchain: Vec<String>,
) -> Report {
    match introduction {
        Introduction::Guard(guard) => {
            Report::GuardInfo { guard: Box::new(guard_info(*guard, source.to_string(), pin, toolchain)) }
        }
        Introduction::Language(language) => {
            Report::LanguageInfo { language: Box::new(language_info(language, id, source.to_string(), pin, toolchain)) }
        }
    }
}

fn language_info(
    LanguageInspection { version, identity, claims }: LanguageInspection,
    id: String,
    source: String,
    pin: Option<&Pin>,
    toolchain: Vec<String>,
) -> LanguageInfo {
    let Identity { digest, size, surface } = identity;
    let reads = claims.iter().map(|claim| claim.language.to_string()).collect();
    LanguageInfo {
        row: LanguageRow { id, version, source, digest, size: size as u64, reads },
        pinned: pin.is_some(),
        imports: surface.imports,
        exports: surface.exports,
        toolchain,
        claims: claims.iter().map(claimed_language).collect(),
    }
}

fn claimed_language(claim: &LanguageClaim) -> ClaimedLanguage {
    let texts = |texts: &[ClaimText]| texts.iter().map(ToString::to_string).collect();
    let block = |(open, close): &(ClaimText, ClaimText)| (open.to_string(), close.to_string());
    ClaimedLanguage {
        language: claim.language.to_string(),
        endings: texts(&claim.endings),
        names: texts(&claim.names),
        interpreters: texts(&claim.interpreters),
        line_comments: texts(&claim.syntax.line_comments),
        block_comments: claim.syntax.block_comments.iter().map(block).collect(),
        sleep_marks: texts(&claim.sleep_marks),
        error_marks: texts(&claim.error_marks),
        answers: claim.answers.words().map(str::to_owned).collect(),
    }
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
