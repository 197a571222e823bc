//! `host guard run`: one guard on a real repository.

use crate::cli::PastArgs;
use crate::command::Desk;
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_engine::link_check::Net;
use guardhost_report::{AuthorReport, PastReport};

use super::subject::{settings, subject};

pub fn past(args: &PastArgs, desk: &Desk) -> Result<AuthorReport> {
    let repo = desk.repo()?;
    let net = if desk.is_offline() { Net::offline() } else { Net::online() };
    let subject = subject(&args.of, desk, net)?;
    let settings = settings(args.settings.as_ref(), desk)?;
    let past =
        guardhost_authoring::past(&subject.guard, &repo, &args.range, args.as_one, &settings, desk.outside.threads)?;
    if past.changes.is_empty() {
        return Err(Fault::new(Kind::Nothing, format!("there are no commits in {}", args.range)).into());
    }
    Ok(AuthorReport::Past(PastReport { id: subject.guard.description().id.clone(), past }))
}
