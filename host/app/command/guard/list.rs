//! `host guard list`: the guards that judge this repository, and what reads texts for them; outside of one, the default set.

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::{GuardFailure, GuardSet, LanguageSpec, default_set};
use guardhost_policy::config::{ComponentSource, Pin};
use guardhost_policy::embedded;
use guardhost_report::{GuardList, GuardRow, LanguageRow, Report};

use crate::context::CommandContext;

pub fn list(ctx: &CommandContext) -> Result<Report> {
    let global = ctx.global;
    let repo = match ctx.repo() {
        Err(error) if global.repo.is_some() || global.config.is_some() => return Err(error),
        repo => repo.ok(),
    };
    let mut list = match repo {
        Some(repo) => {
            let head = repo.head()?;
            let policy = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
            GuardList {
                guards: rows(&policy.config.rules.guards, &policy.guards)?,
                languages: languages(&policy.config.rules.languages, &policy.guards)?,
                notices: policy.notices,
            }
        }
        None => {
            let guards = GuardSet::new(default_set(ctx.embedded, &[])?, &ctx.policies().machine())?;
            let notice = "this folder is in no git repository: these are the built-in defaults".to_owned();
            let rows = rows(&embedded(ctx.embedded, &[])?, &guards)?;
            GuardList { guards: rows, languages: languages(&[], &guards)?, notices: vec![notice] }
        }
    };
    list.notices.extend(ctx.embedded.missing_readers.iter().map(ToString::to_string));
    Ok(Report::Guards(list))
}

/// All that read texts: those without a pin are embedded.
fn languages(pins: &[Pin], guards: &GuardSet) -> Result<Vec<LanguageRow>> {
    let row = |language: &LanguageSpec| {
        let failed = |failure: GuardFailure| failure.into_fault(format_args!("language `{}`", language.id));
        let pin = pins.iter().find(|pin| pin.id == language.id);
        let claims = guards.claims_of(&language.id)?.unwrap_or_default();
        let mut reads: Vec<String> = claims.iter().map(|claim| claim.language.to_string()).collect();
        reads.dedup();
        Ok(LanguageRow {
            id: language.id.clone(),
            version: language.version().map_err(failed)?,
            source: pin.map_or(ComponentSource::Builtin, |pin| pin.source.clone()).to_string(),
            digest: language.digest().to_owned(),
            size: language.identity().map_err(failed)?.size as u64,
            reads,
        })
    };
    guards.languages().iter().map(row).collect()
}

fn rows(pins: &[Pin], guards: &GuardSet) -> Result<Vec<GuardRow>> {
    let mut rows = Vec::new();
    for pin in pins {
        let about = match guards.about(&pin.id) {
            Some(Ok(about)) => about,
            Some(Err(failure)) => {
                return Err(Fault::new(FaultKind::GuardLoad, format!("guard `{}`: {failure}", pin.id)).into());
            }
            None => continue,
        };
        rows.push(GuardRow {
            id: pin.id.clone(),
            guard: pin.guard.clone(),
            folder: pin.folder.as_ref().map(ToString::to_string),
            mark: about.description.mark.clone(),
            version: about.description.version.clone(),
            source: pin.source.to_string(),
            digest: about.digest,
            mode: pin.mode,
            size: about.size as u64,
            imports: about.imports,
            grants: pin.grants.clone(),
            promise: about.description.promise.clone(),
        });
    }
    Ok(rows)
}
