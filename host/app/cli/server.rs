//! The commands of the server, which is a program of its own: this one finds and starts it, and passes the words on.

use std::ffi::OsString;

use clap::{Args, Subcommand};

/// What `guardhost-server` does. Its own command line says the same of them; a test compares both.
#[derive(Debug, Clone, Subcommand)]
pub enum ServerCommand {
    /// Put a change into a queue, and wait for the verdict of a worker
    #[command(disable_help_flag = true)]
    Submit(Passed),
    /// Serve the observer: what runs of several people and machines know of one another, over HTTP
    #[command(disable_help_flag = true)]
    Serve(Passed),
    /// Judge the changes of a queue, until the process is asked to end
    // The command of a machine that judges, not of a person: the help of `fleet` names it.
    #[command(disable_help_flag = true, hide = true)]
    Worker(Passed),
    /// Look after a fleet; `host worker` makes a machine judge
    #[command(disable_help_flag = true)]
    Fleet(Passed),
}

/// Whatever follows: the server's program reads it.
#[derive(Debug, Clone, Args)]
pub struct Passed {
    #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub words: Vec<OsString>,
}

impl ServerCommand {
    pub fn name(&self) -> &'static str {
        match self {
            ServerCommand::Submit(_) => "submit",
            ServerCommand::Serve(_) => "serve",
            ServerCommand::Worker(_) => "worker",
            ServerCommand::Fleet(_) => "fleet",
        }
    }
}
