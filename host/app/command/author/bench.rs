//! `host guard bench`.

use crate::cli::BenchArgs;
use crate::command::Desk;
use guardhost_authoring::cases;
use guardhost_core::error::Result;
use guardhost_engine::Trial;
use guardhost_engine::link_check::Net;
use guardhost_git::Scratch;
use guardhost_report::AuthorReport;

use super::subject::{load, subject, trial};

pub fn bench(args: &BenchArgs, desk: &Desk) -> Result<AuthorReport> {
    let subject = subject(&args.of, desk, Net::offline())?;
    let against = args.against.as_ref().map(|file| desk.path(file));
    let against = match against {
        Some(file) => Some(load(&file, desk, Net::offline())?),
        None => pinned(&subject.guard.description().id, desk)?,
    };
    let folder = args.cases.as_ref().map_or(subject.cases, |folder| desk.path(folder));
    let scratch = Scratch::new(&desk.outside.temp)?;
    Ok(AuthorReport::Benched(guardhost_authoring::bench(&subject.guard, against.as_ref(), &cases(&folder)?, &scratch)?))
}

/// What the repository around here has pinned under this id: the last release that somebody relies on.
fn pinned(id: &str, desk: &Desk) -> Result<Option<Trial>> {
    let Ok(repo) = desk.repo() else { return Ok(None) };
    let head = repo.head()?;
    let ruled = desk.policies().resolve(&repo, head.commit, head.tree, &[], &[])?;
    ruled.guards.component(id).map(|component| trial(component.clone(), id, desk, Net::offline())).transpose()
}
