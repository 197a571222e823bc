//! `host backtest`.

use std::path::PathBuf;

use clap::Args;

use super::{ForgeName, ForgeSite};

#[derive(Debug, Args)]
pub struct BacktestArgs {
    /// Judge pull and merge requests instead of commits: those whose heads are here, as in a mirror, or that --fetch brings
    #[arg(long)]
    pub pulls: bool,
    /// Fetch the heads of the newest pull requests from this remote first [default without a name: origin]
    #[arg(long, value_name = "REMOTE", num_args = 0..=1, require_equals = true, default_missing_value = "origin", requires = "pulls")]
    pub fetch: Option<String>,
    /// Ask the forge of the remote what became of the pull requests; its word counts before the history's [the API by default: recognised]
    #[arg(long, value_enum, value_name = "FORGE", num_args = 0..=1, require_equals = true, requires = "pulls")]
    pub forge: Option<Option<ForgeName>>,
    /// The most changes to judge, the newest
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    /// None older than this day, such as 2026-01-31
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Of these, only those that agents made
    #[arg(long)]
    pub agents: bool,
    /// Say too which of the changes are proved to be harmless, by class
    #[arg(long)]
    pub triage: bool,
    /// Ask only this guard; repeatable
    #[arg(long = "guard", value_name = "ID", env = "GUARDHOST_GUARD", value_delimiter = ',')]
    pub only: Vec<String>,
    /// The most seconds to take; what was judged by then is shown
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_MAX_TIME", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_time: Option<u64>,
    /// Write the result as a page into this file too, for any browser
    #[arg(long, value_name = "FILE.html")]
    pub page: Option<PathBuf>,
    #[command(flatten)]
    pub site: ForgeSite,
}
