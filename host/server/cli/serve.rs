//! `host serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use host::cli::ForgeName;

use super::{QueueArgs, ServiceLogArgs};

#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// The address to listen on. On any but a loopback address every client needs a token
    #[arg(long, value_name = "ADDRESS:PORT", env = "GUARDHOST_LISTEN", default_value = "127.0.0.1:29030")]
    pub listen: SocketAddr,
    /// The folder of the server's data, on a local disk; one server at a time uses it [default: guardhost/observer in the user's data folder]
    #[arg(long, value_name = "DIR", env = "GUARDHOST_DATA")]
    pub data: Option<PathBuf>,
    /// Use this PostgreSQL instead of SQLite
    #[arg(long, value_name = "URL", env = "GUARDHOST_POSTGRES", hide_env_values = true)]
    pub postgres: Option<String>,
    /// A folder below which clients on this machine may ask about repositories (`target=`); repeatable [default: this repository]
    #[arg(long, value_name = "DIR", env = "GUARDHOST_ROOT", value_delimiter = ':')]
    pub root: Vec<PathBuf>,
    /// Require tokens on a loopback address too
    #[arg(long, env = "GUARDHOST_TOKENS", value_parser = clap::builder::FalseyValueParser::new())]
    pub tokens: bool,
    /// Speak TLS with this certificate (PEM, those that signed it behind it). A renewed one needs a new start
    #[arg(long, value_name = "FILE", env = "GUARDHOST_TLS_CERT", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The private key of --tls-cert (PEM, not encrypted)
    #[arg(long, value_name = "FILE", env = "GUARDHOST_TLS_KEY", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Days to keep observations, events and facts; at least 7
    #[arg(long, value_name = "DAYS", env = "GUARDHOST_KEEP_DAYS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(7..=36_500))]
    pub keep_days: u32,
    /// How many observations to keep, and all of the last 7 days
    #[arg(long, value_name = "NUMBER", env = "GUARDHOST_KEEP_OBSERVATIONS", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub keep_observations: u64,
    /// How many events to keep, and all of the last 7 days
    #[arg(long, value_name = "NUMBER", env = "GUARDHOST_KEEP_EVENTS", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub keep_events: u64,
    #[command(flatten)]
    pub fleet: ServedFleetArgs,
    #[command(flatten)]
    pub log: ServiceLogArgs,
    /// Make a token of this name, print it, and end
    #[arg(long, value_name = "NAME", conflicts_with_all = ["remove_token", "list_tokens"])]
    pub add_token: Option<String>,
    /// With --add-token: a repository that it is for, by its id; repeatable [default: all]
    #[arg(long, value_name = "ID", requires = "add_token")]
    pub token_repo: Vec<String>,
    /// Make the token of this name invalid, and end
    #[arg(long, value_name = "NAME", conflicts_with = "list_tokens")]
    pub remove_token: Option<String>,
    /// List the names of tokens and their repositories, and end
    #[arg(long)]
    pub list_tokens: bool,
    /// End the claim of KEY, or of REPOSITORY/KEY, whoever holds it
    #[arg(long, value_name = "KEY", conflicts_with_all = ["add_token", "remove_token", "list_tokens"])]
    pub release_claim: Option<String>,
}

/// The fleet that a server shows, and submits pull requests to.
#[derive(Debug, Clone, Args)]
pub struct ServedFleetArgs {
    #[command(flatten)]
    pub queue: QueueArgs,
    /// Receive the forge's webhook at this address, and submit each pull request to --queue
    #[arg(long, value_name = "ADDRESS:PORT", env = "GUARDHOST_WEBHOOK", requires = "fleet_keys")]
    pub webhook: Option<SocketAddr>,
    /// The variable that holds the webhook's secret
    #[arg(
        long,
        value_name = "VARIABLE",
        env = "GUARDHOST_WEBHOOK_SECRET_ENV",
        default_value = "GUARDHOST_WEBHOOK_SECRET"
    )]
    pub webhook_secret_env: String,
    /// With --webhook: a prefix of addresses from which pull requests may be fetched; repeatable
    #[arg(long, value_name = "URL", env = "GUARDHOST_ALLOW_REMOTE", value_delimiter = ',')]
    pub allow_remote: Vec<String>,
    /// With --webhook: the variable that holds the forge's token; with it the verdict becomes a status of the commit
    #[arg(long, value_name = "VARIABLE", env = "GUARDHOST_TOKEN_ENV")]
    pub token_env: Option<String>,
    /// With --token-env: which API the forge has [default: recognised from --api or the remote's host]
    #[arg(long, value_enum, env = "GUARDHOST_FORGE")]
    pub forge: Option<ForgeName>,
    /// With --token-env: the address of the forge's API [default: that of the remote's host]
    #[arg(long, value_name = "URL", env = "GUARDHOST_API")]
    pub api: Option<String>,
}
