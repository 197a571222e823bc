//! `host pr`: pull requests of what runs committed.

mod change;
mod connection;
mod failure;
mod fix;
mod open;
mod queue;
mod record;
mod status;
mod target;
mod text;
mod watch;

use guardhost_core::error::Result;
use guardhost_provider::Cancel;
use guardhost_report::Report;

use super::CommandContext;
use crate::cli::PrCommand;

pub fn pr(command: &PrCommand, ctx: &CommandContext, cancel: impl FnOnce() -> Result<Cancel>) -> Result<Report> {
    match command {
        PrCommand::Open(args) => {
            cancel()?;
            open::open(args, ctx)
        }
        PrCommand::Status(args) => status::status(args, ctx),
        PrCommand::Queue(args) => {
            cancel()?;
            queue::queue(args, ctx)
        }
        PrCommand::Watch(args) => watch::watch(args, ctx, cancel()?),
    }
}
