//! `host guard …`: who judges this repository, and what authors do with guards. What writes a set writes the work tree's
//! guards.toml and guards.lock, for review.

mod add;
mod backtest;
mod componentize;
mod differences;
mod files;
mod info;
mod list;
mod lock;
mod obtain;
mod publish;
mod remove;
mod resolve;
mod update;
mod vendor;
mod verify;

use crate::cli::GuardCommand;
use guardhost_core::error::Result;
use guardhost_report::Report;

use super::Desk;

pub use info::{stages, told};

/// None when the command has shown all there is.
pub fn guard(what: &GuardCommand, desk: &Desk) -> Result<Option<Report>> {
    let report = match what {
        GuardCommand::Author(what) => super::author(what, desk),
        GuardCommand::List => list::list(desk),
        GuardCommand::Info { what } => info::info(what, desk),
        GuardCommand::Add(args) => add::add(args, desk),
        GuardCommand::Remove { id } => remove::remove(id, desk),
        GuardCommand::Lock => lock::lock(desk),
        GuardCommand::Update(args) => update::update(args, desk),
        GuardCommand::Verify => verify::verify(desk),
        GuardCommand::Vendor => vendor::vendor(desk),
        GuardCommand::Publish(args) => publish::publish(args, desk),
        GuardCommand::Componentize(args) => return componentize::componentize(args, desk).map(|()| None),
    };
    report.map(Some)
}
