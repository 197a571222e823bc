//! `host run` and `host patch`, and what is done with their results.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{ArgGroup, Args, ValueEnum};

use guardhost_pipeline::plan::migration::DocumentationTool;
use guardhost_provider::ChainHint;

use super::{ForgeArgs, PullArgs, WaitArgs};

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").args(["task", "plan", "resume"]).required(true).multiple(true)))]
pub struct RunArgs {
    /// The task
    #[arg(long, value_name = "TEXT")]
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
    pub from: PlanFrom,
    #[command(flatten)]
    pub ask: AskArgs,
}

/// What a plan is about, and what it is made from.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Plans")]
pub struct PlanFrom {
    /// Plan from the report of an audit, the JSON of `host audit`; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub from_audit: Option<PathBuf>,
    /// Keep plans to a scope: docs, quality, tests, issue, migrate, or a [[scope]] of guards.toml
    #[arg(long, value_name = "NAME", env = "GUARDHOST_SCOPE")]
    pub scope: Option<String>,
}

/// Where documentation is moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MigrationTarget {
    Vitepress,
}

impl MigrationTarget {
    pub fn tool(self) -> DocumentationTool {
        match self {
            MigrationTarget::Vitepress => DocumentationTool::VitePress,
        }
    }
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("about").args(["task", "from_audit", "to"]).required(true).multiple(true)))]
pub struct PlanArgs {
    /// What is to be planned
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// Plan to move the documents of docs/ to another tool, with its template, in the scope migrate; no provider is asked
    #[arg(long, value_name = "TOOL", conflicts_with_all = ["task", "from_audit"])]
    pub to: Option<MigrationTarget>,
    #[command(flatten)]
    pub from: PlanFrom,
    #[command(flatten)]
    pub provider: ProviderArgs,
}

#[derive(Debug, Args)]
pub struct ImproveArgs {
    /// Keep to a scope: docs, quality, tests, issue, migrate, or a [[scope]] of guards.toml
    #[arg(long, value_name = "NAME", env = "GUARDHOST_SCOPE")]
    pub scope: Option<String>,
    /// Run no builds and no tests to measure: the metrics `build` and `test_results` are not measured then
    #[arg(long, env = "GUARDHOST_NO_BUILDS", value_parser = FalseyValueParser::new())]
    pub no_builds: bool,
    /// Fix what the audit still finds behind the plan, as `host fix` does, with this provider as the reviewer; repeatable
    #[arg(long = "reviewer", value_name = "NAME", env = "GUARDHOST_REVIEWER", value_delimiter = ',')]
    pub reviewers: Vec<String>,
    /// Send blocker and major objections of critics to all that was committed to this provider, once; the result replaces the commits if all guards accept it and a judge prefers it in both orders
    #[arg(long, value_name = "NAME", env = "GUARDHOST_REFINE")]
    pub refine: Option<String>,
    /// Who compares the refined version with the old one [default: the provider of the critics]
    #[arg(long, value_name = "NAME", env = "GUARDHOST_JUDGE")]
    pub judge: Option<String>,
    /// Let reviewers, voters and a judge be of the author's family of models
    #[arg(long, env = "GUARDHOST_ALLOW_SAME_FAMILY", value_parser = FalseyValueParser::new())]
    pub allow_same_family: bool,
    /// Continue a run that stopped; the beginning of its id is enough
    #[arg(long, value_name = "RUN")]
    pub resume: Option<String>,
    /// Open a pull request, wait for its builds, and fix what fails, as `host pr open` and `host pr watch` do
    #[arg(long, env = "GUARDHOST_PR", value_parser = clap::builder::FalseyValueParser::new())]
    pub pr: bool,
    #[command(flatten)]
    pub pull: PullArgs,
    #[command(flatten)]
    pub wait: WaitArgs,
    #[command(flatten)]
    pub forge: ForgeArgs,
    #[command(flatten)]
    pub ask: AskArgs,
}

impl ImproveArgs {
    /// The providers that are asked beside the author, by their names.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        let advice = &self.pull.advice;
        let of_critics = advice.critics.iter().filter_map(|critic| Some(critic.split_once('=')?.1));
        let named = self.reviewers.iter().chain(&advice.voters).chain(&self.refine).chain(&self.judge);
        named.map(String::as_str).chain(of_critics)
    }
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
    /// Do nothing if nothing of the source is staged; for hooks, which run at every commit
    #[arg(long, env = "GUARDHOST_IF_STAGED", value_parser = FalseyValueParser::new())]
    pub if_staged: bool,
    /// Run only this guard; repeatable
    #[arg(long = "guard", value_name = "ID")]
    pub only: Vec<String>,
    #[command(flatten)]
    pub ask: AskArgs,
}

/// Which provider to ask, how often, and the limits of a run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Provider and limits")]
pub struct AskArgs {
    #[command(flatten)]
    pub provider: ProviderArgs,
    /// How many rounds each provider gets [default: policy.rounds of guards.toml, or 3]
    #[arg(long, value_name = "N", env = "GUARDHOST_ROUNDS", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub rounds: Option<u32>,
    /// If every error has a fix, apply the fixes and judge again [default: true]
    #[arg(long, value_name = "BOOL", env = "GUARDHOST_FIX", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub fix: Option<bool>,
    /// The same as --fix=false
    #[arg(long)]
    pub no_fix: bool,
    /// Sign the receipts in commits with this private key of ssh: Ed25519, without a passphrase
    #[arg(long, value_name = "FILE", env = "GUARDHOST_SIGN_RECEIPTS")]
    pub sign_receipts: Option<PathBuf>,
}

/// Which provider to ask, and what it may use.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Provider and limits")]
pub struct ProviderArgs {
    /// The provider: one of your settings or a preset (`host provider list`), `command:PROGRAM ARGS…` or `replay:FILE`
    #[arg(long, value_name = "NAME", env = "GUARDHOST_PROVIDER")]
    pub provider: Option<String>,
    /// The model that the provider should use
    #[arg(long, value_name = "MODEL", env = "GUARDHOST_MODEL")]
    pub model: Option<String>,
    /// The chain of providers to ask if --provider is not given
    #[arg(long, value_enum, env = "GUARDHOST_HINT")]
    pub hint: Option<ChainHint>,
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
    /// Show this run in full: the beginning of its id, or its branch
    pub run: Option<String>,
    /// How many runs to list
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// List what the gate ruled too, whichever door the change came through
    #[arg(long, conflicts_with = "run")]
    pub rulings: bool,
    /// Of the rulings, only those in which this guard objected
    #[arg(long, value_name = "ID", requires = "rulings")]
    pub guard: Option<String>,
    /// Of the rulings, only those of this door: check, pre-commit, agent-edit, run, …
    #[arg(long, value_name = "DOOR", requires = "rulings")]
    pub door: Option<String>,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The folder of the repository; must be empty or not exist [default: a new temporary folder]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct StatsArgs {
    /// How many weeks to count, the current one with them
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub weeks: u32,
    /// Write a badge with the figures into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub badge: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct RunName {
    /// The beginning of a run's id, or its branch [default: the newest run]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    #[command(flatten)]
    pub run: RunName,
    /// Show what it committed, and nothing else
    #[arg(long)]
    pub diff: bool,
    /// Show each line of its replies too, with what it was read as
    #[arg(long, conflicts_with = "diff")]
    pub reply: bool,
}

#[derive(Debug, Args)]
pub struct AcceptArgs {
    #[command(flatten)]
    pub run: RunName,
    /// Keep the branch of the run
    #[arg(long)]
    pub keep_branch: bool,
    /// Of a rejected run, bring the part that the guards accept to index and work tree, and commit nothing; see `host show`
    #[arg(long, conflicts_with = "keep_branch")]
    pub part: bool,
    /// Ask for each hunk whether it is taken, and bring these to index and work tree; of a rejected run, the hunks of its part
    #[arg(long, short = 'p', conflicts_with = "keep_branch")]
    pub hunks: bool,
}

fn dollars(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|usd: &f64| usd.is_finite() && *usd > 0.0)
        .ok_or_else(|| "not an amount of US dollars, such as 0.50".to_owned())
}
