//! `host report`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The runs: the beginnings of their ids, or their branches [default: the newest]
    #[arg(value_name = "RUN")]
    pub runs: Vec<String>,
    /// A bundle of runs of this or another machine (`--format bundle`), to be shown with the others; repeatable
    #[arg(long = "bundle", value_name = "FILE")]
    pub bundles: Vec<PathBuf>,
    /// How many of the newest runs to show when none is named
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20, conflicts_with = "runs")]
    pub limit: usize,
    /// Leave out prompts, replies, changes, messages and paths
    #[arg(long, env = "GUARDHOST_REDACT", value_parser = clap::builder::FalseyValueParser::new())]
    pub redact: bool,
}
