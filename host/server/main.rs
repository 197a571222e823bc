//! `guardhost-server`: what `host serve`, `host submit`, `host worker` and `host fleet` start.

use std::ffi::OsString;
use std::process::ExitCode;

use guardhost_core::error::Result;
use guardhost_server::cli::{ServerCli, ServerSubcommand};
use guardhost_server::fleet::{Shown, machines};
use guardhost_server::serve::serve;
use host::cli::Global;
use host::interrupt::Interrupts;
use host::program::{self, CommandEnd};

fn main() -> ExitCode {
    program::start("guardhost-server", |words| {
        let work = |cli: &ServerCli, interrupts: &Interrupts| work(cli, words, interrupts);
        program::run(words, ServerCli::read, |cli| (&cli.global, cli.log()), work)
    })
}

fn work(cli: &ServerCli, words: &[OsString], interrupts: &Interrupts) -> Result<CommandEnd> {
    program::with_context(
        &cli.global,
        || ServerCli::name_of(words),
        |ctx, process, _| {
            let shown = match &cli.command {
                ServerSubcommand::Serve(args) => {
                    serve(args, ctx, &interrupts.ask(&process.stop))?.map_or(Shown::Nothing, Shown::Text)
                }
                ServerSubcommand::Machines(what) => machines(what, ctx, interrupts)?,
            };
            show(shown, &cli.global)
        },
    )
}

fn show(shown: Shown, global: &Global) -> Result<CommandEnd> {
    match shown {
        Shown::Report(report) => Ok(CommandEnd::Report(report)),
        Shown::Text(text) => program::print(&text, global).map(|()| CommandEnd::Shown),
        Shown::Nothing => Ok(CommandEnd::Shown),
    }
}
