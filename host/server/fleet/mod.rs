//! `host submit`, `host worker` and `host fleet`: one change judged by many machines, and many changes by one.

pub(crate) mod connection;
mod many;
pub(crate) mod state;
mod submit;
mod worker;

use guardhost_core::error::Result;
use guardhost_report::Report;

use crate::cli::MachinesCommand;
use host::command::CommandContext;
use host::interrupt::Interrupts;

/// What a command came to.
pub enum Shown {
    Report(Box<Report>),
    Text(Vec<u8>),
    Nothing,
}

/// # Errors
/// The command line is wrong, the change cannot be read, or the queue cannot be reached or refuses (`queue`).
pub fn machines(command: &MachinesCommand, ctx: &CommandContext, interrupts: &Interrupts) -> Result<Shown> {
    match command {
        MachinesCommand::Submit(args) => {
            interrupts.ask(&ctx.process.stop);
            submit::submit(args, ctx)
        }
        MachinesCommand::Worker(args) => worker::worker(args, ctx, &interrupts.drain()).map(|()| Shown::Nothing),
        MachinesCommand::Fleet(command) => state::fleet(command, ctx),
    }
}
