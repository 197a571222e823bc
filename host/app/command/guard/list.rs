//! `host guard list`: the guards that judge this repository.

use guardhost_core::error::{Fault, Kind, Result};
use guardhost_report::{GuardRow, Report};

use crate::context::CommandContext;

pub fn list(ctx: &CommandContext) -> Result<Report> {
    let repo = ctx.repo()?;
    let head = repo.head()?;
    let ruled = ctx.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    let mut rows = Vec::new();
    for pin in &ruled.config.rules.guards {
        let about = match ruled.guards.about(&pin.id) {
            Some(Ok(about)) => about,
            Some(Err(failure)) => {
                return Err(Fault::new(Kind::GuardLoad, format!("guard `{}`: {failure}", pin.id)).into());
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
    Ok(Report::Guards(rows))
}
