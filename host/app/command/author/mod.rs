//! `host guard …` for authors of guards: from a template to a certificate.

mod bench;
mod certify;
mod create;
mod run;
mod target;
mod test;

pub use test::watch;

use crate::cli::AuthorCommand;
use guardhost_core::error::Result;
use guardhost_report::Report;

use crate::context::CommandContext;

pub fn author(what: &AuthorCommand, ctx: &CommandContext) -> Result<Report> {
    let report = match what {
        AuthorCommand::New(args) => create::new(args, ctx),
        AuthorCommand::Build(args) => create::build(args, ctx),
        AuthorCommand::Test(args) => test::test(args, ctx),
        AuthorCommand::Run(args) => run::run(args, ctx),
        AuthorCommand::Bench(args) => bench::bench(args, ctx),
        AuthorCommand::Certify(args) => certify::certify(args, ctx),
    };
    Ok(Report::Author(Box::new(report?)))
}
