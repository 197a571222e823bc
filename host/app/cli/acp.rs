//! `host acp`.

use std::ffi::OsString;

use clap::Args;

#[derive(Debug, Args)]
pub struct AcpArgs {
    /// The agent's command line, with what makes it speak the protocol
    #[arg(value_name = "AGENT", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub agent: Vec<OsString>,
}
