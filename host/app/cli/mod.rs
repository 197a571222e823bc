//! The command line. A flag takes precedence over a `GUARDHOST_*` variable, and a variable over a file.

mod acp;
mod audit;
mod author;
mod backtest;
mod check;
mod child;
mod examples;
mod fix;
mod help;
mod hooks;
#[cfg(feature = "mcp")]
mod mcp;
mod pages;
mod pins;
mod pr;
mod replay;
mod report;
mod review;
mod runs;
mod server;
mod values;
pub mod variables;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use guardhost_display::OutputFormat;

pub use acp::AcpArgs;
pub use audit::AuditArgs;
pub use author::{AuthorCommand, BenchArgs, BuildArgs, CertifyArgs, GuardArg, NewArgs, NewKind, PastArgs, TestArgs};
pub use backtest::BacktestArgs;
pub use check::{CheckArgs, TriageChoice};
pub use child::Child;
pub use fix::{FixArgs, IssuesFrom};
pub use help::{GROUPS, Topic, as_option, shaped};
pub use hooks::{HookArgs, HookProgram, InstallArgs, InstallScope, InstallTarget, PackageArgs};
#[cfg(feature = "mcp")]
pub use mcp::McpArgs;
pub use pages::{completions, manual, manuals};
pub use pins::{AddArgs, ComponentizeArgs, ExtendArgs, GuardCommand, PublishArgs, SuggestArgs, UpdateArgs};
pub use pr::{
    AdviceArgs, ForgeArgs, ForgeName, ForgeSite, MergeQueueArgs, OpenArgs, PrCommand, PullArgs, StatusArgs, WaitArgs,
    WatchArgs,
};
pub use replay::ReplayArgs;
pub use report::ReportArgs;
pub use review::ReviewArgs;
pub use runs::{
    AcceptArgs, AskArgs, DemoArgs, ImproveArgs, LogArgs, MigrationTarget, PatchArgs, PlanArgs, PlanFrom, ProviderArgs,
    RunArgs, RunName, ShowArgs, StatsArgs,
};
pub use server::{Passed, ServerCommand};

#[derive(Debug, Parser)]
#[command(
    name = "host",
    version,
    about,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = examples::HOST
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads the words of the command line, the program's name first.
    ///
    /// `host check` and `host hook` run at every commit and edit, and to describe all commands takes longer than all else that it does before it
    /// reads the repository. So it is described alone first; what does not fit that is read, and explained, by the whole.
    pub fn read(words: &[OsString]) -> Result<Self, clap::Error> {
        let alone = match words.get(1).and_then(|word| word.to_str()) {
            Some("check") => Self::read_alone::<CheckArgs>("check", words),
            Some("hook") => Self::read_alone::<HookArgs>("hook", words),
            _ => None,
        };
        if let Some(cli) = alone {
            return Ok(cli);
        }
        if let Some(shown) = help::topic(words, Self::described) {
            return Err(shown);
        }
        let words = help::as_option(words).unwrap_or_else(|| words.to_vec());
        let mut described = Self::described();
        let matches = described.try_get_matches_from_mut(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut described))
    }

    /// `host run`: the program and its command, of words that could be read.
    pub fn name_of(words: &[OsString]) -> String {
        let matches = Self::described().try_get_matches_from(words).ok();
        let name = matches.as_ref().and_then(clap::ArgMatches::subcommand_name);
        name.map_or_else(|| "host".to_owned(), |name| format!("host {name}"))
    }

    /// As help, completions, manual pages and the parser see it.
    pub fn described() -> clap::Command {
        shaped(<Self as clap::CommandFactory>::command())
    }

    fn read_alone<A: Args>(name: &'static str, words: &[OsString]) -> Option<Self> {
        let command = A::augment_args(clap::Command::new(name)).disable_help_flag(true);
        let host = Global::augment_args(clap::Command::new("host")).disable_help_flag(true).subcommand(command);
        Self::from_arg_matches(&host.try_get_matches_from(words).ok()?).ok()
    }
}

const EXIT_CODES: &str = "\
Exit codes:
    0  accepted
    1  rejected by a guard
    2  wrong command line
    3  guards.toml or guards.lock is wrong, or they do not match
    4  a guard could not be loaded or verified
    5  a guard failed while it ran
    6  no provider gave an answer, or the budget is used up
    7  git or this machine failed, or the patch was refused or does not fit
    8  nothing to check (0 with --allow-empty)
  130  interrupted";

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The repository, or any folder inside it [default: the current folder]
    #[arg(long, global = true, value_name = "DIR", env = "GUARDHOST_REPO")]
    pub repo: Option<PathBuf>,
    /// Read the guard set from this file instead of guards.toml of the base commit
    #[arg(long, global = true, value_name = "FILE", env = "GUARDHOST_CONFIG")]
    pub config: Option<PathBuf>,
    /// Require a guards.lock that fits, and write neither file. If CI is set, they are not written unless --locked=false
    #[arg(long, global = true, value_name = "BOOL", env = "GUARDHOST_LOCKED", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub locked: Option<bool>,
    /// Do not use the network. Link checks by guards return `unknown`; guards that are neither cached nor vendored fail to load
    #[arg(long, global = true, env = "GUARDHOST_OFFLINE", value_parser = FalseyValueParser::new())]
    pub offline: bool,
    /// The same as --locked --offline
    #[arg(long, global = true, env = "GUARDHOST_FROZEN", value_parser = FalseyValueParser::new())]
    pub frozen: bool,
    /// Call every guard. Without it, the verdict of a guard that sees exactly what it saw in an earlier run is that of the earlier run
    #[arg(long, global = true, env = "GUARDHOST_FRESH", value_parser = FalseyValueParser::new())]
    pub fresh: bool,
    /// The observer that shares runs: http://HOST:PORT. GUARDHOST_OBSERVER_TOKEN holds its token. A run goes on without it
    #[arg(long, global = true, value_name = "URL", env = "GUARDHOST_OBSERVER")]
    pub observer: Option<String>,
    /// The format of the result
    #[arg(long, global = true, value_enum, default_value_t, env = "GUARDHOST_FORMAT")]
    pub format: OutputFormat,
    /// Write the result to a file instead of standard output
    #[arg(long, global = true, value_name = "FILE", env = "GUARDHOST_OUTPUT")]
    pub output: Option<PathBuf>,
    /// When to use colours (NO_COLOR is respected)
    #[arg(long, global = true, value_enum, default_value_t, env = "GUARDHOST_COLOR")]
    pub color: ColorWhen,
    /// Show no progress on standard error
    #[arg(long, short, global = true, env = "GUARDHOST_QUIET", value_parser = FalseyValueParser::new())]
    pub quiet: bool,
    /// Show a row for each guard, whatever it said, and log to standard error; repeat for more detail
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a first guards.toml and its lock, and show what the guards would have said of the last commits
    #[command(after_help = examples::INIT)]
    Init(InitArgs),
    /// Ask a provider for a change, judge it, and commit it on a branch of its own
    #[command(after_help = examples::RUN)]
    Run(RunArgs),
    /// Judge an existing change: staged, not committed, a range of commits, or a patch
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Ask models what they think of a change that the guards accept: critics that advise, and independent votes
    #[command(after_help = examples::REVIEW)]
    Review(ReviewArgs),
    /// Fix issues that a scanner, an audit or people report: in batches, under all guards, reviewed by another provider
    #[command(after_help = examples::FIX)]
    Fix(FixArgs),
    /// Judge a patch in any format, and apply it to the index and the work tree
    #[command(after_help = examples::APPLY)]
    Apply(ApplyArgs),
    /// Update one file to match the staged change of another, and stage the result
    #[command(after_help = examples::PATCH)]
    Patch(PatchArgs),
    /// Measure a commit: 11 metrics, each point of a score with its reason and what would earn it
    #[command(after_help = examples::AUDIT)]
    Audit(AuditArgs),
    /// Ask a provider for a plan of small steps, and keep what is grounded in the repository; `host run --plan` runs it
    #[command(after_help = examples::PLAN)]
    Plan(PlanArgs),
    /// Measure HEAD, plan what would improve it, run the plan under all guards, and measure again
    #[command(after_help = examples::IMPROVE)]
    Improve(ImproveArgs),
    /// List earlier runs, or show one: its rounds, verdicts and decisions
    #[command(after_help = examples::LOG)]
    Log(LogArgs),
    /// Show by week what the gate stopped, which alarms were heeded or overridden, and which guard to quiet
    #[command(after_help = examples::STATS)]
    Stats(StatsArgs),
    /// Show the newest run in full, or the one named
    #[command(after_help = examples::SHOW)]
    Show(ShowArgs),
    /// Judge every change of a run again, from the recorded answers: the same bytes, or what differs by name
    #[command(after_help = examples::REPLAY)]
    Replay(ReplayArgs),
    /// Write runs as pages into one file that any browser opens: rounds, stages, changes, findings and figures
    #[command(after_help = examples::REPORT)]
    Report(ReportArgs),
    /// Judge the past by the guards of today, and show what became of what they would have stopped
    #[command(after_help = examples::BACKTEST)]
    Backtest(BacktestArgs),
    /// Bring what a run committed to the current branch and the work tree; the guards judge what HEAD has gained since
    #[command(after_help = examples::ACCEPT)]
    Accept(AcceptArgs),
    /// Delete the branch of a run and the refs of its rejected attempts
    #[command(after_help = examples::DISCARD)]
    Discard(RunName),
    /// Pull requests of what runs committed
    #[command(subcommand)]
    Pr(PrCommand),
    /// Show a whole run in a small repository made for it, with recorded replies
    #[command(after_help = examples::DEMO)]
    Demo(DemoArgs),
    /// Explain a guard: a change that it rejects, one that it accepts, its rules, settings, imports and limits
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// Install the hooks of git, of agents and of hook runners, so that every change is judged
    #[command(after_help = examples::INSTALL)]
    Install(InstallArgs),
    /// Answer a hook of git or of an agent; started by the hooks that `host install` writes
    #[command(hide = true, after_help = examples::HOOK)]
    Hook(HookArgs),
    /// Show what this machine has, and what is missing
    #[command(after_help = examples::DOCTOR)]
    Doctor {
        /// Start each installed agent once, with a server on this machine instead of its service, and show which tools it offers its model
        #[arg(long)]
        probe_agents: bool,
        /// Send a planted bad change through every hook that is installed, as git or the agent would, and demand a denial
        #[arg(long)]
        canary: bool,
    },
    /// List and test the providers that can be asked for a change
    #[command(subcommand)]
    Provider(ProviderCommand),
    /// Manage the guards of this repository, or write one
    #[command(subcommand)]
    Guard(GuardCommand),
    /// Stand between an editor and an agent that speak the Agent Client Protocol on standard input and output, and judge what the agent does
    #[command(hide = true, after_help = examples::ACP)]
    Acp(AcpArgs),
    /// Serve agents over MCP on standard input and output: tools that read and edit this repository, with every edit judged
    #[cfg(feature = "mcp")]
    #[command(hide = true, after_help = examples::MCP)]
    Mcp(McpArgs),
    /// Serve editors over the Language Server Protocol on standard input and output: what the guards say of open files, and their fixes
    #[cfg(feature = "lsp")]
    #[command(hide = true, after_help = examples::LSP)]
    Lsp,
    #[command(flatten)]
    Server(ServerCommand),
    /// Print the script that completes this program's commands and options in a shell
    #[command(hide = true, after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell
        #[arg(value_enum, value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page of this program, or of one of its commands
    #[command(hide = true, after_help = examples::MAN)]
    Man {
        /// The command, such as `check` or `guard add` [default: the page of the whole program]
        #[arg(value_name = "COMMAND")]
        command: Vec<String>,
        /// Write all pages into this folder instead
        #[arg(long, value_name = "DIR", conflicts_with = "command")]
        dir: Option<PathBuf>,
    },
}

#[derive(Debug, Clone, Args)]
pub struct InitArgs {
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How many past commits the guards judge
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub commits: u32,
    /// How long the tests of HEAD may take for the guards that run them to be turned on; 0 runs none
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=3_600))]
    pub test_seconds: u32,
    /// Install these hooks too: the targets of `host install`, separated by commas
    #[arg(long, value_enum, value_name = "TARGET", value_delimiter = ',')]
    pub hooks: Vec<InstallTarget>,
    /// Write the workflow of a build service too
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub ci: Option<CiService>,
    #[command(flatten)]
    pub package: PackageArgs,
    /// Let no patch touch the files that tell agents what to do: AGENTS.md, CLAUDE.md, and the like
    #[arg(long)]
    pub protect_agents: bool,
    /// Commit what was written, and allow that commit to bring in rules
    #[arg(long, conflicts_with = "dry_run")]
    pub commit: bool,
}

/// A service that builds what is pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CiService {
    Github,
    Gitlab,
    Forgejo,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The id or mark of a guard, or a rule: docs-kept, G13, docs-kept/code-loss, code-loss [default: list all]
    #[arg(value_name = "ID")]
    pub what: Option<String>,
}

#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// The patch, in any format; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub patch: PathBuf,
    /// Apply the patch without running any guard
    #[arg(long)]
    pub no_guards: bool,
    /// If every error comes with a fix, apply the fixes and judge again
    #[arg(long, conflicts_with = "no_guards")]
    pub fix: bool,
    /// Show what would be done, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Show each line of the reply with what it was read as
    #[arg(long)]
    pub explain: bool,
    /// The file for a block of the patch that names none; repeatable
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub enum ProviderCommand {
    /// List the providers that can be named, and the chains of your settings
    #[command(after_help = examples::PROVIDER_LIST)]
    List,
    /// Ask a provider a short question, and measure how long the answer takes
    #[command(after_help = examples::PROVIDER_TEST)]
    Test {
        /// The provider, as for `--provider`
        #[arg(value_name = "NAME")]
        name: String,
    },
}
