//! `host guard certify`.

use crate::cli::CertifyArgs;
use crate::command::Desk;
use guardhost_authoring::Wish;
use guardhost_core::error::Result;
use guardhost_engine::Limits;
use guardhost_engine::link_check::Net;
use guardhost_git::Scratch;
use guardhost_report::AuthorReport;

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
    Ok(AuthorReport::Certificate(guardhost_authoring::certify(guard, &scratch, &wish)?))
}
