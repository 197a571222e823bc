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

use super::CommandContext;

pub use info::{stages, told};

/// None when the command has shown all there is.
pub fn guard(what: &GuardCommand, ctx: &CommandContext) -> Result<Option<Report>> {
    let report = match what {
        GuardCommand::Author(what) => super::author(what, ctx),
        GuardCommand::List => list::list(ctx),
        GuardCommand::Info { what } => info::info(what, ctx),
        GuardCommand::Add(args) => add::add(args, ctx),
        GuardCommand::Remove { id } => remove::remove(id, ctx),
        GuardCommand::Lock => lock::lock(ctx),
        GuardCommand::Update(args) => update::update(args, ctx),
        GuardCommand::Verify => verify::verify(ctx),
        GuardCommand::Vendor => vendor::vendor(ctx),
        GuardCommand::Publish(args) => publish::publish(args, ctx),
        GuardCommand::Componentize(args) => return componentize::componentize(args, ctx).map(|()| None),
    };
    report.map(Some)
}
