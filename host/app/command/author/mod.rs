//! `host guard …` for those who write guards: from a template to a certificate.

mod bench;
mod certify;
mod make;
mod past;
mod subject;
mod test;

pub use test::watch;

use crate::cli::AuthorCommand;
use guardhost_core::error::Result;
use guardhost_report::Report;

use super::Desk;

pub fn author(what: &AuthorCommand, desk: &Desk) -> Result<Report> {
    let report = match what {
        AuthorCommand::New(args) => make::new(args, desk),
        AuthorCommand::Build(args) => make::build(args, desk),
        AuthorCommand::Test(args) => test::test(args, desk),
        AuthorCommand::Run(args) => past::past(args, desk),
        AuthorCommand::Bench(args) => bench::bench(args, desk),
        AuthorCommand::Certify(args) => certify::certify(args, desk),
    };
    Ok(Report::Author(Box::new(report?)))
}
