//! Parts of this program that it starts as processes of their own. They are no commands for people: neither help nor completions nor
//! suggestions name them.

use std::ffi::OsString;

use clap::{Args, Parser};

use guardhost_process::ATTEND;
use guardhost_toolchain::{CONFINE, SUITE, SUPERVISE};

#[derive(Debug, Parser)]
#[command(name = "host", disable_help_subcommand = true)]
pub enum Child {
    /// Compile one component from standard input to standard output, within limits
    #[command(name = "__compile")]
    Compile,
    /// Run a sandbox, and kill every process that it leaves behind
    #[command(name = "__supervise")]
    Supervise(InsideArgs),
    /// Run an agent, and kill every process that it leaves behind
    #[command(name = "__attend")]
    Attend(InsideArgs),
    /// Drop access to everything but the given paths, and execute the given command
    #[command(name = "__confine")]
    Confine(InsideArgs),
    /// Run a test binary of cargo's, and report its output and exit code; started by cargo inside of a sandbox
    #[command(name = "__suite")]
    Suite(InsideArgs),
}

#[derive(Debug, Args)]
pub struct InsideArgs {
    /// The permissions as JSON, or the key of a report, and the command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 2.., required = true)]
    pub words: Vec<OsString>,
}

impl Child {
    /// None for the command line of a person.
    pub fn read(words: &[OsString]) -> Option<Result<Self, clap::Error>> {
        let children = [guardhost_engine::SUBCOMMAND, SUPERVISE, ATTEND, CONFINE, SUITE];
        let is_child = words.get(1).is_some_and(|word| children.iter().any(|name| word == name));
        is_child.then(|| Self::try_parse_from(words))
    }
}
