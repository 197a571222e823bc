//! `host guard certify`.

use crate::author::{self, Wish};
use crate::cli::CertifyArgs;
use crate::command::Desk;
use crate::error::Result;
use crate::git::Scratch;
use crate::guard::Limits;
use crate::net::Net;
use crate::observe::AuthorReport;

use super::subject::{settings, subject};

pub fn certify(args: &CertifyArgs, desk: &Desk) -> Result<AuthorReport> {
    let guard = subject(&args.of, desk, Net::offline())?.guard;
    let own = guard.limits();
    let guard = guard.within(Limits {
        fuel: args.fuel.unwrap_or(own.fuel),
        memory: args.memory.map_or(own.memory, |size| size.0),
        ..own
    });
    let wish = Wish {
        seed: args.seed,
        changes: args.changes as usize,
        settings: settings(args.settings.as_ref(), desk)?,
        paths: args.paths.clone(),
        threads: desk.outside.threads,
    };
    let scratch = Scratch::new(&desk.outside.temp)?;
    Ok(AuthorReport::Certificate(author::certify(guard, &scratch, &wish)?))
}
