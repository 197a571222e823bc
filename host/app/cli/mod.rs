//! The command line. A flag takes precedence over a `GUARDHOST_*` variable, and a variable over a file.

mod audit;
mod author;
mod hooks;
mod pins;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args, FromArgMatches, Parser, Subcommand, ValueEnum};

use guardhost_display::OutputFormat;
use guardhost_process::ATTEND;
use guardhost_provider::ChainHint;
use guardhost_toolchain::{CONFINE, SUITE, SUPERVISE};

pub use audit::AuditArgs;
pub use author::{AuthorCommand, BenchArgs, BuildArgs, CertifyArgs, GuardArg, NewArgs, PastArgs, TestArgs};
pub use hooks::{HookArgs, HookProgram, InstallArgs, InstallScope, InstallTarget};
pub use pins::{AddArgs, ComponentizeArgs, GuardCommand, PublishArgs, UpdateArgs};

#[derive(Debug, Parser)]
#[command(
    name = "host",
    version,
    about,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
#[command(after_help = EXIT_CODES)]
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
        if let [_, only] = words
            && (only == "--version" || only == "-V")
        {
            // An error that says the version.
            clap::Command::new("host").version(env!("CARGO_PKG_VERSION")).try_get_matches_from(words)?;
        }
        Self::try_parse_from(words)
    }

    /// Whether this process is a part of another one of this program: see the hidden commands.
    pub fn is_child(words: &[OsString]) -> bool {
        let hidden = [guardhost_engine::SUBCOMMAND, SUPERVISE, ATTEND, CONFINE, SUITE];
        words.get(1).is_some_and(|word| hidden.iter().any(|name| word == name))
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
    /// Require a guards.lock that fits, and write neither it nor guards.toml. If CI is set, they are not written unless --locked=false
    #[arg(long, global = true, value_name = "BOOL", env = "GUARDHOST_LOCKED", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub locked: Option<bool>,
    /// Do not use the network. Link checks by guards return `unknown`; guards that are neither cached nor vendored fail to load
    #[arg(long, global = true, env = "GUARDHOST_OFFLINE", value_parser = clap::builder::FalseyValueParser::new())]
    pub offline: bool,
    /// The same as --locked --offline
    #[arg(long, global = true, env = "GUARDHOST_FROZEN", value_parser = clap::builder::FalseyValueParser::new())]
    pub frozen: bool,
    /// The format of the result
    #[arg(long, global = true, value_enum, default_value_t, env = "GUARDHOST_FORMAT")]
    pub format: OutputFormat,
    /// Write the result to a file instead of standard output
    #[arg(long, global = true, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to use colours (NO_COLOR is respected)
    #[arg(long, global = true, value_enum, default_value_t, env = "GUARDHOST_COLOR")]
    pub color: ColorWhen,
    /// Show no progress on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Log to standard error; repeat for more detail
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
    /// Ask a provider for a change, judge it, and commit it on a branch of its own
    Run(RunArgs),
    /// Judge an existing change: staged, a range of commits, or a patch
    Check(CheckArgs),
    /// Judge a patch in any format, and apply it to the index and the work tree
    Apply(ApplyArgs),
    /// Update one file to match the staged change of another, and stage the result
    Patch(PatchArgs),
    /// Measure a commit: 11 metrics, each point of a score with its reason and what would earn it
    Audit(AuditArgs),
    /// Show earlier runs: their patches, verdicts and decisions
    Log(LogArgs),
    /// Show a whole run in a small repository made for it, with recorded replies
    Demo(DemoArgs),
    /// Explain a guard: a change that it rejects, one that it accepts, its rules, settings, imports and limits
    Explain(ExplainArgs),
    /// Install the hooks of git, of agents and of hook runners, so that every change is judged
    Install(InstallArgs),
    /// Answer a hook of git or of an agent; started by the hooks that `host install` writes
    Hook(HookArgs),
    /// Show what this machine has, and what is missing
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
    /// Serve agents over MCP on standard input and output: tools that read and edit this repository, with every edit judged
    #[cfg(feature = "mcp")]
    Mcp,
    /// Compile one component from standard input to standard output, within limits; started by the host itself
    #[command(name = "__compile", hide = true)]
    Compile,
    /// Run a sandbox, and kill every process that it leaves behind; started by the host itself
    #[command(name = "__supervise", hide = true)]
    Supervise(InsideArgs),
    /// Run an agent, and kill every process that it leaves behind; started by the host itself
    #[command(name = "__attend", hide = true)]
    Attend(InsideArgs),
    /// Drop access to everything but the given paths, and execute the given command; started by the host itself
    #[command(name = "__confine", hide = true)]
    Confine(InsideArgs),
    /// Run a test binary of cargo's, and report its output and exit code; started by cargo inside of a sandbox
    #[command(name = "__suite", hide = true)]
    Suite(InsideArgs),
}

#[derive(Debug, Args)]
pub struct InsideArgs {
    /// The permissions as JSON, or the key of a report, and the command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 2.., required = true)]
    pub words: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// The task
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["plan", "resume"])]
    pub task: Option<String>,
    /// A file of tasks and subtasks, as JSON: each subtask becomes a commit of its own, and a failed one does not stop the others
    #[arg(long, value_name = "FILE", conflicts_with_all = ["task", "hints", "resume"])]
    pub plan: Option<PathBuf>,
    /// Continue a run or a plan that stopped; the beginning of its id is enough
    #[arg(long, value_name = "RUN", conflicts_with_all = ["task", "hints", "compile_fix"])]
    pub resume: Option<String>,
    /// A file that the task is about; repeatable
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
    /// Run only this guard; repeatable
    #[arg(long = "guard", value_name = "ID")]
    pub only: Vec<String>,
    /// The task is to repair a broken build: no manifest may be changed
    #[arg(long)]
    pub compile_fix: bool,
    /// Also write an accepted change to the index and the work tree
    #[arg(long)]
    pub onto_worktree: bool,
    #[command(flatten)]
    pub ask: AskArgs,
}

#[derive(Debug, Args)]
pub struct PatchArgs {
    /// The file whose staged change the provider sees, relative to the root of the repository
    #[arg(long, value_name = "FILE")]
    pub source: String,
    /// The only file that may be changed, relative to the root of the repository; it need not exist
    #[arg(long, value_name = "FILE")]
    pub target: String,
    /// How to update the target
    #[arg(long, value_name = "TEXT")]
    pub instruction: String,
    /// Run only this guard; repeatable
    #[arg(long = "guard", value_name = "ID")]
    pub only: Vec<String>,
    #[command(flatten)]
    pub ask: AskArgs,
}

/// Which provider to ask, and the limits of a run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Provider and limits")]
pub struct AskArgs {
    /// The provider: one of your settings or a preset (`host provider list`), `command:PROGRAM ARGS…` or `replay:FILE`
    #[arg(long, value_name = "NAME", env = "GUARDHOST_PROVIDER")]
    pub provider: Option<String>,
    /// The model that the provider should use
    #[arg(long, value_name = "MODEL", env = "GUARDHOST_MODEL")]
    pub model: Option<String>,
    /// The chain of providers to ask if --provider is not given
    #[arg(long, value_enum, env = "GUARDHOST_HINT")]
    pub hint: Option<ChainHint>,
    /// How many rounds each provider gets [default: policy.rounds of guards.toml, or 3]
    #[arg(long, value_name = "N", env = "GUARDHOST_ROUNDS", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub rounds: Option<u32>,
    /// The most seconds for one answer [default: the provider's setting, or 600]
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_TIMEOUT", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: Option<u64>,
    /// The most seconds for the whole run
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_MAX_TIME", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_time: Option<u64>,
    /// Stop asking after this many tokens (only for providers that report usage)
    #[arg(long, value_name = "N", env = "GUARDHOST_MAX_TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_tokens: Option<u64>,
    /// Stop asking after this many US dollars (only for providers that report cost)
    #[arg(long, value_name = "USD", env = "GUARDHOST_MAX_COST", value_parser = dollars)]
    pub max_cost: Option<f64>,
    /// If every error comes with a fix, apply the fixes and judge again before asking the provider again [default: true]
    #[arg(long, value_name = "BOOL", env = "GUARDHOST_FIX", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub fix: Option<bool>,
    /// The same as --fix=false
    #[arg(long)]
    pub no_fix: bool,
    /// Record the provider's replies in a file for `--provider replay:FILE`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl AskArgs {
    /// Whether the guards' fixes are tried before a provider is asked again.
    pub fn fixes(&self) -> bool {
        !self.no_fix && self.fix.unwrap_or(true)
    }
}

#[derive(Debug, Args)]
pub struct LogArgs {
    /// Show this run in full; the beginning of its id is enough
    pub run: Option<String>,
    /// How many runs to list
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    pub limit: usize,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The id or mark of a guard, or one of its rules: docs-kept, G13, docs-kept/code-loss [default: list all]
    #[arg(value_name = "ID")]
    pub what: Option<String>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true))]
pub struct CheckArgs {
    /// Judge the staged changes, compared with HEAD
    #[arg(long, group = "what")]
    pub staged: bool,
    /// Judge everything that is not committed, untracked files too, compared with HEAD
    #[arg(long, group = "what")]
    pub worktree: bool,
    /// Judge A..B, A...B (from their merge base), or one commit
    #[arg(long, value_name = "A..B", group = "what")]
    pub range: Option<String>,
    /// Judge a patch in any format, applied to HEAD in memory; `-` is standard input
    #[arg(long, value_name = "FILE", group = "what")]
    pub patch: Option<PathBuf>,
    /// Run only this guard; repeatable
    #[arg(long = "guard", value_name = "ID")]
    pub only: Vec<String>,
    /// Do not run this guard, or leave out this rule of the host (`host:…`); repeatable
    #[arg(long, value_name = "ID")]
    pub skip: Vec<String>,
    /// The task of the change; guards that judge its scope need it
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// The file with the commit message, for the git hook `commit-msg`; guards of messages judge it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["range", "patch"])]
    pub message: Option<PathBuf>,
    /// A file that the task is about; repeatable
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
    /// If every error comes with a fix, apply the fixes and judge again; an accepted result goes to the index and the work tree
    #[arg(long, conflicts_with_all = ["range", "patch", "worktree"])]
    pub fix: bool,
    /// Do not count the findings that this file lists; see --write-baseline
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings of this check to a file for --baseline, for a repository that starts today
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "fix"])]
    pub write_baseline: Option<PathBuf>,
    /// Accept an empty change
    #[arg(long)]
    pub allow_empty: bool,
    /// Allow the change to edit guards.toml, guards.lock and .guards/; for their maintainers
    #[arg(long)]
    pub allow_rule_changes: bool,
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
    /// The file for a block of the patch that names none; repeatable
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The folder of the repository; must be empty or not exist [default: a new temporary folder]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum ProviderCommand {
    /// List the providers that can be named, and the chains of your settings
    List,
    /// Ask a provider a short question, and measure how long the answer takes
    Test {
        /// The provider, as for `--provider`
        #[arg(value_name = "NAME")]
        name: String,
    },
}

fn dollars(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|usd: &f64| usd.is_finite() && *usd > 0.0)
        .ok_or_else(|| "not an amount of US dollars, such as 0.50".to_owned())
}
