//! `host guard list`: the guards that judge this repository.

use crate::error::Result;
use crate::observe::{GuardRow, Report};

use super::Desk;
use super::rules::ruled;

pub fn list(desk: &Desk) -> Result<Report> {
    let repo = desk.repo()?;
    let head = repo.head()?;
    let ruled = ruled(desk, &repo, head.commit, head.tree, &[], &[])?;
    let pins = ruled.config.rules.guards.iter();
    let rows = pins.zip(ruled.guards.list()?).map(|(pin, guard)| GuardRow {
        id: pin.id.clone(),
        mark: guard.mark,
        version: guard.version,
        source: pin.source.to_string(),
        digest: guard.digest,
        mode: pin.mode,
        size: guard.size,
        imports: guard.imports,
        grants: pin.grants.clone(),
        promise: guard.promise,
    });
    Ok(Report::Guards(rows.collect()))
}
