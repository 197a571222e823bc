//! The command line. A flag beats a `GUARDHOST_*` variable, which beats a file.

mod author;
mod pins;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};

use guardhost_display::OutputFormat;
use guardhost_provider::ChainHint;

pub use author::{AuthorCommand, BenchArgs, BuildArgs, CertifyArgs, GuardArg, NewArgs, PastArgs, TestArgs};
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

const EXIT_CODES: &str = "Exit codes: 0 accepted · 1 rejected by a guard · 2 usage · 3 configuration or pin · 4 a guard could not be loaded · \
5 a guard failed while running · 6 provider · 7 git, patch refused or misfit · 8 nothing to check · 130 interrupted";

#[derive(Debug, Clone, Args)]
pub struct Global {
    /// The repository, or any folder inside it [default: the current folder]
    #[arg(long, global = true, value_name = "DIR", env = "GUARDHOST_REPO")]
    pub repo: Option<PathBuf>,
    /// Take the guard set from this file instead of the base commit's guards.toml
    #[arg(long, global = true, value_name = "FILE", env = "GUARDHOST_CONFIG")]
    pub config: Option<PathBuf>,
    /// guards.lock must be there and fit, and is never written [default: when CI is set, for commands that write it]
    #[arg(long, global = true, value_name = "BOOL", env = "GUARDHOST_LOCKED", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub locked: Option<bool>,
    /// Reach no network: what guards would ask there is unknown, and those that are neither kept nor vendored cannot be loaded
    #[arg(long, global = true, env = "GUARDHOST_OFFLINE", value_parser = clap::builder::FalseyValueParser::new())]
    pub offline: bool,
    /// The same as --locked --offline
    #[arg(long, global = true, env = "GUARDHOST_FROZEN", value_parser = clap::builder::FalseyValueParser::new())]
    pub frozen: bool,
    /// How the result is written
    #[arg(long, global = true, value_enum, default_value_t, env = "GUARDHOST_FORMAT")]
    pub format: OutputFormat,
    /// Write the result to a file instead of standard output
    #[arg(long, global = true, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to use colours (NO_COLOR is respected)
    #[arg(long, global = true, value_enum, default_value_t, env = "GUARDHOST_COLOR")]
    pub color: ColorWhen,
    /// No progress on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Tell on standard error what happens inside; twice for more
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
    /// Judge a change that exists: staged, a range of commits, or a patch
    Check(CheckArgs),
    /// Place a patch, in any format, in the index and the work tree
    Apply(ApplyArgs),
    /// Let one file follow from the staged change of another: ask for a patch of it, and stage that
    Patch(PatchArgs),
    /// What earlier runs came to: their patches, verdicts and decisions
    Log(LogArgs),
    /// See the whole way on a small repository made for it, with recorded replies
    Demo(DemoArgs),
    /// What a guard promises: a change that it rejects and one that it accepts, its rules, settings, needs and limits
    Explain(ExplainArgs),
    /// What this machine has, and what is missing
    Doctor,
    /// Those who can be asked for a change
    #[command(subcommand)]
    Provider(ProviderCommand),
    /// The guards that judge this repository
    #[command(subcommand)]
    Guard(GuardCommand),
    /// Serve an agent, over MCP on standard input and output, the tools to read and edit this repository under its guards
    #[cfg(feature = "mcp")]
    Mcp,
    /// Compile one component from standard input to standard output; run by the host itself, within limits
    #[command(name = "__compile", hide = true)]
    Compile,
    /// Run a sandbox and end all that it leaves behind; started by the host itself
    #[command(name = "__supervise", hide = true)]
    Supervise(InsideArgs),
    /// Give up everything but the given paths and become the given command; started by the host itself
    #[command(name = "__confine", hide = true)]
    Confine(InsideArgs),
}

#[derive(Debug, Args)]
pub struct InsideArgs {
    /// What is allowed, as JSON, and the command
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 2.., required = true)]
    pub words: Vec<OsString>,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// What is to be done
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["plan", "resume"])]
    pub task: Option<String>,
    /// Tasks and subtasks, as JSON: each subtask becomes a commit of its own, and one that fails does not end the others
    #[arg(long, value_name = "FILE", conflicts_with_all = ["task", "hints", "resume"])]
    pub plan: Option<PathBuf>,
    /// Go on where a run or a plan stopped; the beginning of its id is enough
    #[arg(long, value_name = "RUN", conflicts_with_all = ["task", "hints", "compile_fix"])]
    pub resume: Option<String>,
    /// A file that the task is about; may be given several times
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
    /// Only these guards
    #[arg(long = "guard", value_name = "ID")]
    pub only: Vec<String>,
    /// The build is broken and only that is to be mended: manifests are out of bounds
    #[arg(long)]
    pub compile_fix: bool,
    /// Also put an accepted change into the index and the work tree
    #[arg(long)]
    pub onto_worktree: bool,
    #[command(flatten)]
    pub ask: AskArgs,
}

#[derive(Debug, Args)]
pub struct PatchArgs {
    /// The file whose staged change the provider is shown, from the root of the repository
    #[arg(long, value_name = "FILE")]
    pub source: String,
    /// The only file that may be changed, from the root of the repository; it need not exist
    #[arg(long, value_name = "FILE")]
    pub target: String,
    /// How the target follows from the source
    #[arg(long, value_name = "TEXT")]
    pub instruction: String,
    /// Only these guards
    #[arg(long = "guard", value_name = "ID")]
    pub only: Vec<String>,
    #[command(flatten)]
    pub ask: AskArgs,
}

/// Whom to ask, and how much of it.
#[derive(Debug, Clone, Default, Args)]
pub struct AskArgs {
    /// One of your settings or a preset (`host provider list`), `command:PROGRAM ARGS…` or `replay:FILE`
    #[arg(long, value_name = "NAME", env = "GUARDHOST_PROVIDER")]
    pub provider: Option<String>,
    /// The model to ask the provider for
    #[arg(long, value_name = "MODEL", env = "GUARDHOST_MODEL")]
    pub model: Option<String>,
    /// Which chain of providers to ask, when none is named
    #[arg(long, value_enum, env = "GUARDHOST_HINT")]
    pub hint: Option<ChainHint>,
    /// How often each provider may try [default: 3, or the policy's]
    #[arg(long, value_name = "N", env = "GUARDHOST_ROUNDS", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub rounds: Option<u32>,
    /// Seconds that one answer may take [default: 600, or the provider's]
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_TIMEOUT", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: Option<u64>,
    /// Seconds that the whole run may take
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_MAX_TIME", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_time: Option<u64>,
    /// Ask no more once prompts and answers took so many tokens, where the provider tells
    #[arg(long, value_name = "N", env = "GUARDHOST_MAX_TOKENS", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_tokens: Option<u64>,
    /// Ask no more once so many US dollars are spent, where the provider tells
    #[arg(long, value_name = "USD", env = "GUARDHOST_MAX_COST", value_parser = dollars)]
    pub max_cost: Option<f64>,
    /// Where guards give the fix with what they find, apply it and judge again before asking again [default: true]
    #[arg(long, value_name = "BOOL", env = "GUARDHOST_FIX", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub fix: Option<bool>,
    /// Ask again, also where guards give the fix
    #[arg(long)]
    pub no_fix: bool,
    /// Keep the provider's replies in a file that `--provider replay:FILE` can play again
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl AskArgs {
    /// Whether the guards' own fixes are tried before somebody is asked again.
    pub fn fixes(&self) -> bool {
        !self.no_fix && self.fix.unwrap_or(true)
    }
}

#[derive(Debug, Args)]
pub struct LogArgs {
    /// One run in full: the beginning of its id is enough
    pub run: Option<String>,
    /// How many runs are listed
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    pub limit: usize,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A guard's id or mark, or one of its rules: docs-kept, G13, docs-kept/code-loss [default: a list of all]
    #[arg(value_name = "ID")]
    pub what: Option<String>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true))]
pub struct CheckArgs {
    /// What is staged, against HEAD
    #[arg(long, group = "what")]
    pub staged: bool,
    /// A..B, A...B (from their merge base), or one commit
    #[arg(long, value_name = "A..B", group = "what")]
    pub range: Option<String>,
    /// A patch in any format, placed on HEAD in memory; `-` is standard input
    #[arg(long, value_name = "FILE", group = "what")]
    pub patch: Option<PathBuf>,
    /// Only these guards
    #[arg(long = "guard", value_name = "ID")]
    pub only: Vec<String>,
    /// All but these guards
    #[arg(long, value_name = "ID")]
    pub skip: Vec<String>,
    /// What the change was asked to do; guards that judge scope need it
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// A file that the task is about; may be given several times
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
    /// Where guards give the fix with what they find, apply it and judge again; what is accepted goes into index and work tree
    #[arg(long, conflicts_with_all = ["range", "patch"])]
    pub fix: bool,
    /// No change at all is fine
    #[arg(long)]
    pub allow_empty: bool,
    /// The change may edit guards.toml, guards.lock and .guards/; for the people who keep them
    #[arg(long)]
    pub allow_rule_changes: bool,
}

#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// The patch, in any format; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub patch: PathBuf,
    /// Place it without asking any guard
    #[arg(long)]
    pub no_guards: bool,
    /// Where guards give the fix with what they find, apply it and judge again
    #[arg(long, conflicts_with = "no_guards")]
    pub fix: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// The file that a nameless block is about; may be given several times
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Where to make the repository; must be empty or not exist [default: a new folder among the temporary files]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum ProviderCommand {
    /// Everybody who can be asked by name, with the chains of your settings
    List,
    /// Ask one of them a short question: does it answer, in what time?
    Test {
        /// As `--provider` takes it
        #[arg(value_name = "NAME")]
        name: String,
    },
}

fn dollars(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|usd: &f64| usd.is_finite() && *usd > 0.0)
        .ok_or_else(|| "not an amount of dollars: 0.50".to_owned())
}
