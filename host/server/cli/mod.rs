//! The command line of the server. Its options are those that `host serve`, `host submit`, `host worker` and `host fleet` pass on.

mod examples;
mod fleet;
mod serve;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use host::cli::{Global, as_option, shaped};
use host::program::LogSettings;

pub use fleet::{
    FleetCommand, FleetKeyArgs, FleetRetryArgs, FleetStatusArgs, MachinesCommand, QueueArgs, ServiceLogArgs,
    SubmitArgs, WorkerArgs,
};
pub use serve::{ServeArgs, ServedFleetArgs};

// By the name that people type: the program is started by `host serve`.
#[derive(Debug, Parser)]
#[command(name = "host", version, about = "What a server does for many: the observer that runs share, and judging on many machines.", arg_required_else_help = true, after_help = examples::SERVER)]
pub struct ServerCli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: ServerSubcommand,
}

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a process has one command")]
pub enum ServerSubcommand {
    /// Serve the observer: what runs of several people and machines know of one another, over HTTP
    #[command(after_help = examples::SERVE)]
    Serve(ServeArgs),
    #[command(flatten)]
    Machines(MachinesCommand),
}

impl ServerCli {
    /// What is logged: a program that runs for long says what it warns of, whether or not somebody asked for more.
    pub fn log(&self) -> LogSettings {
        let of = |args: &ServiceLogArgs| LogSettings { warnings: true, json: args.log_json };
        match &self.command {
            ServerSubcommand::Serve(args) => of(&args.log),
            ServerSubcommand::Machines(MachinesCommand::Worker(args)) => of(&args.log),
            ServerSubcommand::Machines(MachinesCommand::Submit(_) | MachinesCommand::Fleet(_)) => {
                LogSettings::default()
            }
        }
    }

    /// As help, completions and the parser see it.
    pub fn described() -> clap::Command {
        // `host submit --help` and `host worker --help` explain them; a server has enough options of its own.
        let explained = ["queue_credentials", "queue_ca", "fleet", "log_json"];
        shaped(Self::command()).mut_subcommand("serve", |serve| {
            explained.iter().fold(serve, |serve, id| serve.mut_arg(id, |arg| arg.hide(true)))
        })
    }

    /// Reads the words of the command line, the program's name first.
    ///
    /// # Errors
    /// They are no command line, or ask for help.
    pub fn read(words: &[OsString]) -> Result<Self, clap::Error> {
        let mut described = Self::described();
        let words = as_option(words).unwrap_or_else(|| words.to_vec());
        let matches = described.try_get_matches_from_mut(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut described))
    }

    /// `host serve`: the program and its command, of words that could be read.
    pub fn name_of(words: &[OsString]) -> String {
        let matches = Self::described().try_get_matches_from(words).ok();
        let name = matches.as_ref().and_then(clap::ArgMatches::subcommand_name);
        name.map_or_else(|| "host".to_owned(), |name| format!("host {name}"))
    }
}
