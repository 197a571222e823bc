//! `host guard list`: the guards that judge this repository; outside of one, the default set.

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::{GuardSet, default_set};
use guardhost_policy::config::Pin;
use guardhost_policy::embedded;
use guardhost_report::{GuardList, GuardRow, Report};

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
            GuardList { guards: rows(&policy.config.rules.guards, &policy.guards)?, notices: policy.notices }
        }
        None => {
            let guards = GuardSet::new(default_set(ctx.embedded, &[])?, &ctx.policies().machine())?;
            let notice = "this folder is in no git repository: these are the built-in defaults".to_owned();
            GuardList { guards: rows(&embedded(ctx.embedded, &[])?, &guards)?, notices: vec![notice] }
        }
    };
    list.notices.extend(ctx.embedded.missing_readers.iter().map(ToString::to_string));
    Ok(Report::Guards(list))
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
