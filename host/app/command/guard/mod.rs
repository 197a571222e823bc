//! `host guard …`: manages the guards of a repository, and helps authors of guards. Commands that change the set write guards.toml
//! and guards.lock of the work tree, for review.

mod add;
mod backtest;
mod componentize;
mod differences;
mod extend;
mod fetch_component;
mod files;
mod info;
mod introduction;
mod list;
mod lock;
mod plain_names;
mod publish;
mod remove;
mod resolve;
mod suggest;
mod update;
mod vendor;
mod verify;

use crate::cli::GuardCommand;
use guardhost_core::error::Result;
use guardhost_report::Report;

use crate::context::CommandContext;

pub use info::{guard_info, stages};
pub use lock::write_first;

/// None when the command has no report.
pub fn guard(what: &GuardCommand, ctx: &CommandContext) -> Result<Option<Report>> {
    let report = match what {
        GuardCommand::Author(what) => super::author(what, ctx),
        GuardCommand::Suggest(args) => suggest::suggest(args, ctx),
        GuardCommand::List => list::list(ctx),
        GuardCommand::Info { what } => info::info(what, ctx),
        GuardCommand::Add(args) => add::add(args, ctx),
        GuardCommand::Remove { id } => remove::remove(id, ctx),
        GuardCommand::Extend(args) => extend::extend(args, ctx),
        GuardCommand::Lock => lock::lock(ctx),
        GuardCommand::Update(args) => update::update(args, ctx),
        GuardCommand::Verify => verify::verify(ctx),
        GuardCommand::Vendor => vendor::vendor(ctx),
        GuardCommand::Publish(args) => publish::publish(args, ctx),
        GuardCommand::Componentize(args) => return componentize::componentize(args, ctx).map(|()| None),
    };
    report.map(Some)
}
