//! `host pr`: pull requests of what runs committed.

mod advice;
mod change;
mod connection;
mod counts;
mod failure;
mod fetched;
mod fix;
mod improve;
mod listen;
mod open;
mod post;
mod queue;
mod record;
mod status;
mod target;
mod text;
mod text_review;
mod text_triage;
mod watch;

use guardhost_core::error::Result;
use guardhost_provider::Cancel;
use guardhost_report::Report;

pub use self::connection::{ForgeConnection, connect, remote_url};
pub use self::improve::{Improved, open_and_watch};
pub use self::post::review_pull;
use crate::cli::PrCommand;
use crate::context::CommandContext;

pub fn pr(command: &PrCommand, ctx: &CommandContext, cancel: impl FnOnce() -> Result<Cancel>) -> Result<Report> {
    match command {
        PrCommand::Open(args) => open::open(args, ctx, cancel()?),
        PrCommand::Status(args) => status::status(args, ctx),
        PrCommand::Queue(args) => {
            cancel()?;
            queue::queue(args, ctx)
        }
        PrCommand::Watch(args) => watch::watch(args, ctx, cancel()?),
    }
}
