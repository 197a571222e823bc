//! `host guard certify`.

use crate::author::{self, Wish};
use crate::cli::CertifyArgs;
use crate::command::Desk;
use crate::error::Result;
use crate::git::Scratch;
use crate::net::Net;
use crate::observe::AuthorReport;

use super::subject::{settings, subject};

pub fn certify(args: &CertifyArgs, desk: &Desk) -> Result<AuthorReport> {
    let subject = subject(&args.of, desk, Net::offline())?;
    let wish = Wish {
        seed: args.seed,
        changes: args.changes as usize,
        settings: settings(args.settings.as_ref(), desk)?,
        paths: args.paths.clone(),
        threads: desk.outside.threads,
    };
    let scratch = Scratch::new(&desk.outside.temp)?;
    Ok(AuthorReport::Certificate(author::certify(&subject.guard, &scratch, &wish)?))
}
