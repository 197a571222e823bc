//! `host pr`: pull requests of what runs committed.

mod change;
mod connection;
mod open;
mod record;
mod text;

use guardhost_core::error::Result;
use guardhost_report::Report;

use super::CommandContext;
use crate::cli::PrCommand;

pub fn pr(command: &PrCommand, ctx: &CommandContext) -> Result<Report> {
    match command {
        PrCommand::Open(args) => open::open(args, ctx),
    }
}
