//! `host pr`.

use clap::builder::FalseyValueParser;
use clap::{Args, Subcommand, ValueEnum};
use guardhost_forge::ForgeKind;

use super::{AskArgs, ProviderArgs, examples};

#[derive(Debug, Subcommand)]
pub enum PrCommand {
    /// Push what a run committed, open its pull request or bring it up to date, and comment on it; can be repeated
    #[command(after_help = examples::PR_OPEN)]
    Open(OpenArgs),
    /// Show whether the pull request of a run can be merged, its builds, its comments
    #[command(after_help = examples::PR_STATUS)]
    Status(StatusArgs),
    /// Merge the open pull requests one after the other, in memory, judge each step, and show which break one another
    #[command(after_help = examples::PR_QUEUE)]
    Queue(MergeQueueArgs),
    /// Wait for the builds of a run's pull request; fix what fails by a rerun, then by runs under all guards
    #[command(after_help = examples::PR_WATCH)]
    Watch(WatchArgs),
}

/// Which repository at which forge, and who asks.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Forge")]
pub struct ForgeArgs {
    /// The kind of forge [default: recognised from --api or the remote's host]
    #[arg(long, value_enum, env = "GUARDHOST_FORGE")]
    pub forge: Option<ForgeName>,
    #[command(flatten)]
    pub site: ForgeSite,
}

/// The same without the kind of its API.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Forge")]
pub struct ForgeSite {
    /// The remote at the forge
    #[arg(long, value_name = "NAME", env = "GUARDHOST_REMOTE", default_value = "origin")]
    pub remote: String,
    /// The repository at the forge [default: that of the remote's address]
    #[arg(long, value_name = "OWNER/NAME", env = "GUARDHOST_REPOSITORY")]
    pub repository: Option<String>,
    /// The address of the forge's API [default: api.github.com, or /api/v3, /api/v1 or /api/v4 of the remote's host]
    #[arg(long, value_name = "URL", env = "GUARDHOST_API")]
    pub api: Option<String>,
    /// The variable that holds the token [default: GITHUB_TOKEN, GITEA_TOKEN or GITLAB_TOKEN]
    #[arg(long, value_name = "VARIABLE", env = "GUARDHOST_TOKEN_ENV")]
    pub token_env: Option<String>,
    /// Sign in as this app of GitHub, by its id: check runs need it
    #[arg(long, value_name = "ID", env = "GUARDHOST_APP")]
    pub app: Option<String>,
    /// The variable that holds the app's private key (PEM)
    #[arg(long, value_name = "VARIABLE", env = "GUARDHOST_APP_KEY_ENV", default_value = "GUARDHOST_APP_KEY")]
    pub app_key_env: String,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ForgeName {
    /// GitHub and its enterprise server
    #[value(name = "github")]
    GitHub,
    /// Gitea and Forgejo
    Gitea,
    #[value(name = "gitlab")]
    GitLab,
}

impl From<ForgeName> for ForgeKind {
    fn from(name: ForgeName) -> Self {
        match name {
            ForgeName::GitHub => ForgeKind::GitHub,
            ForgeName::Gitea => ForgeKind::Gitea,
            ForgeName::GitLab => ForgeKind::GitLab,
        }
    }
}

#[derive(Debug, Args)]
pub struct OpenArgs {
    /// The run: the beginning of its id, or its branch [default: the newest that committed something]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// The title of a new pull request [default: the first line of the task]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Put the commit in the place of what the branch of the pull request is at the forge
    #[arg(long)]
    pub replace: bool,
    #[command(flatten)]
    pub pull: PullArgs,
    #[command(flatten)]
    pub forge: ForgeArgs,
    #[command(flatten)]
    pub provider: ProviderArgs,
}

/// What a pull request is opened with.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Pull request")]
pub struct PullArgs {
    /// The branch to merge into [default: that of the forge]
    #[arg(long, value_name = "BRANCH", env = "GUARDHOST_BASE")]
    pub base: Option<String>,
    /// Open a new one as a draft
    #[arg(long, env = "GUARDHOST_DRAFT", value_parser = FalseyValueParser::new())]
    pub draft: bool,
    /// A label beside `guardhost`; repeatable
    #[arg(long = "label", value_name = "LABEL", env = "GUARDHOST_LABEL", value_delimiter = ',')]
    pub labels: Vec<String>,
    /// Upload the findings as SARIF too (GitHub's code scanning); a notice says so where the forge does not take it
    #[arg(long, env = "GUARDHOST_UPLOAD_SARIF", value_parser = FalseyValueParser::new())]
    pub upload_sarif: bool,
    #[command(flatten)]
    pub advice: AdviceArgs,
}

/// What models are asked about a whole pull request.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Pull request")]
pub struct AdviceArgs {
    /// Publish what models say of the whole pull request: it is advice, and stops nothing
    #[arg(long, env = "GUARDHOST_REVIEW", value_parser = FalseyValueParser::new())]
    pub review: bool,
    /// With --review: a critic to ask; repeatable [default: critic-self]. With --refine, those whose objections are sent back [default: critic-panel, critic-devil, critic-questions]
    #[arg(long = "critic", value_name = "ID", env = "GUARDHOST_CRITIC", value_delimiter = ',')]
    pub critics: Vec<String>,
    /// A provider that votes on the whole; an approval needs two or more. `host improve` has no result without one, `host pr` asks with --review
    #[arg(long = "voter", value_name = "NAME", env = "GUARDHOST_VOTER", value_delimiter = ',')]
    pub voters: Vec<String>,
}

impl OpenArgs {
    /// For a pull request that is open.
    pub fn again(forge: &ForgeArgs) -> Self {
        OpenArgs {
            run: None,
            title: None,
            replace: false,
            pull: PullArgs::default(),
            forge: forge.clone(),
            provider: ProviderArgs::default(),
        }
    }
}

/// How long builds are waited for, and what is done about failures.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Builds of a pull request")]
pub struct WaitArgs {
    /// The most seconds for the builds of one commit
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_WAIT", default_value_t = 1200, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub wait: u64,
    /// Seconds between two questions to the forge
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_INTERVAL", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub interval: u64,
    /// How many changes to request after failures; 0 for none
    #[arg(long, value_name = "N", env = "GUARDHOST_CI_FIXES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=2))]
    pub ci_fixes: u32,
    /// Take the forge's webhook at this address, and ask at once when it has news [with no address: 127.0.0.1:9780]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:9780")]
    pub listen: Option<std::net::SocketAddr>,
    /// The variable that holds the webhook's secret
    #[arg(
        long,
        value_name = "VARIABLE",
        env = "GUARDHOST_WEBHOOK_SECRET_ENV",
        default_value = "GUARDHOST_WEBHOOK_SECRET"
    )]
    pub webhook_secret_env: String,
}

#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The run: the beginning of its id, or its branch [default: the newest that committed something]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    #[command(flatten)]
    pub forge: ForgeArgs,
}

#[derive(Debug, Args)]
pub struct MergeQueueArgs {
    /// The branch to merge into [default: that of the forge]
    #[arg(long, value_name = "BRANCH", env = "GUARDHOST_BASE")]
    pub base: Option<String>,
    /// How many pull requests, oldest first
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    #[command(flatten)]
    pub forge: ForgeArgs,
}

#[derive(Debug, Args)]
pub struct WatchArgs {
    /// The run: the beginning of its id, or its branch [default: the newest that committed something]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    #[command(flatten)]
    pub wait: WaitArgs,
    #[command(flatten)]
    pub advice: AdviceArgs,
    #[command(flatten)]
    pub ask: AskArgs,
    #[command(flatten)]
    pub forge: ForgeArgs,
}
