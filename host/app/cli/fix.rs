//! `host fix`.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{ArgGroup, Args};

use super::{AskArgs, ForgeArgs};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("list").required(true))]
pub struct FixArgs {
    #[command(flatten)]
    pub from: IssuesFrom,
    /// Continue a run that stopped; the beginning of its id is enough
    #[arg(long, value_name = "RUN", group = "list")]
    pub resume: Option<String>,
    /// The command that prints the scanner's SARIF; it runs in the sandbox, on the base and on what was committed, and tells which issues are gone
    #[arg(long, value_name = "COMMAND", env = "GUARDHOST_DETECTOR")]
    pub detector: Option<String>,
    /// A provider that reviews the fixes; several do not see one another's answers [default: fix.reviewers of guards.toml]
    #[arg(long = "reviewer", value_name = "NAME", env = "GUARDHOST_REVIEWER", value_delimiter = ',')]
    pub reviewers: Vec<String>,
    /// Let reviewers be of the author's family of models
    #[arg(long, env = "GUARDHOST_ALLOW_SAME_FAMILY", value_parser = FalseyValueParser::new())]
    pub allow_same_family: bool,
    /// The score, from 0 to 100, that approves; of several reviewers the mean [default: fix.threshold of guards.toml, or 95]
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub threshold: Option<u8>,
    /// How often to try the issues, with the reviews [default: fix.iterations of guards.toml, or 3]
    #[arg(long, value_name = "N", env = "GUARDHOST_ITERATIONS", value_parser = clap::value_parser!(u32).range(1..=10))]
    pub iterations: Option<u32>,
    /// Count committed and reviewed issues without a detector as done
    #[arg(long, env = "GUARDHOST_ACCEPT_TOUCHED", value_parser = FalseyValueParser::new())]
    pub accept_touched: bool,
    /// Fix issues again that an earlier run fixed
    #[arg(long)]
    pub again: bool,
    /// Run no builds and no tests to measure: nothing then shows whether issues of the metrics `build` and `test_results` are gone
    #[arg(long, env = "GUARDHOST_NO_BUILDS", value_parser = FalseyValueParser::new())]
    pub no_builds: bool,
    #[command(flatten)]
    pub ask: AskArgs,
    #[command(flatten)]
    pub forge: ForgeArgs,
}

/// Where the issues come from.
#[derive(Debug, Clone, Default, Args)]
pub struct IssuesFrom {
    /// Fix this issue of the repository's forge: its title and its text are the task
    #[arg(long, value_name = "N", group = "list")]
    pub issue: Option<u64>,
    /// Fix the issues of this list, as JSON; `-` is standard input
    #[arg(long, value_name = "FILE", group = "list")]
    pub issues: Option<PathBuf>,
    /// Fix the results of a scanner, as SARIF 2.1.0; `-` is standard input
    #[arg(long, value_name = "FILE", group = "list")]
    pub sarif: Option<PathBuf>,
    /// Fix what `host audit` found, its JSON; `-` is standard input
    #[arg(long, value_name = "FILE", group = "list")]
    pub from_audit: Option<PathBuf>,
}
