//! `host submit`, `host worker`, `host fleet`: judging on many machines.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{ArgGroup, Args, Subcommand};

use super::examples;

/// Where the jobs are.
#[derive(Debug, Clone, Args)]
pub struct QueueArgs {
    /// The queue: nats://HOST:PORT, tls://HOST:PORT, postgresql://USER@HOST/DATABASE, or memory: for this process alone. A password belongs
    /// into --queue-credentials: other users of the machine see command lines
    #[arg(long, value_name = "URL", env = "GUARDHOST_QUEUE", hide_env_values = true, default_value = "memory:")]
    pub queue: String,
    /// A file with the queue's credentials, for its owner alone: USER:PASSWORD, a token or password, the seed of an NKey, or a credentials file of NATS
    #[arg(long, value_name = "FILE", env = "GUARDHOST_QUEUE_CREDENTIALS")]
    pub queue_credentials: Option<PathBuf>,
    /// Encrypt, and verify the server by these certificates (PEM)
    #[arg(long, value_name = "FILE", env = "GUARDHOST_QUEUE_CA")]
    pub queue_ca: Option<PathBuf>,
    /// The name of the fleet: several share a server without seeing one another
    #[arg(long, value_name = "NAME", env = "GUARDHOST_FLEET", default_value = "guardhost")]
    pub fleet: String,
    /// The keys whose results count: lines of a name and a key, as `host fleet key` prints them
    #[arg(long, value_name = "FILE", env = "GUARDHOST_FLEET_KEYS")]
    pub fleet_keys: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
#[command(group = ArgGroup::new("what").required(true))]
pub struct SubmitArgs {
    /// Submit the staged changes, compared with HEAD
    #[arg(long, group = "what")]
    pub staged: bool,
    /// Submit everything that is not committed, untracked files too, compared with HEAD
    #[arg(long, group = "what")]
    pub worktree: bool,
    /// Submit A..B, A...B (from their merge base), or one commit
    #[arg(long, value_name = "A..B", group = "what")]
    pub range: Option<String>,
    /// Submit many: each line of standard input is as of --range, and each answer is a line of JSON, in the same order
    #[arg(long, group = "what")]
    pub stdin: bool,
    /// Ask for the result of a job that was submitted
    #[arg(long, value_name = "ID", group = "what")]
    pub job: Option<String>,
    #[command(flatten)]
    pub queue: QueueArgs,
    /// The task of the change; guards that judge its scope need it
    #[arg(long, value_name = "TEXT", env = "GUARDHOST_TASK")]
    pub task: Option<String>,
    /// A file that the task is about; repeatable
    #[arg(long = "file-hint", value_name = "PATH")]
    pub hints: Vec<String>,
    /// The change needs builds or tests: workers with --heavy-jobs judge it
    #[arg(long, env = "GUARDHOST_HEAVY", value_parser = FalseyValueParser::new())]
    pub heavy: bool,
    /// Seconds to wait for the verdict; 0 does not wait
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_WAIT", default_value_t = 600)]
    pub wait: u64,
    /// The address from which workers fetch the base [default: that of the remote origin; without one, this repository]
    #[arg(long, value_name = "URL", env = "GUARDHOST_REMOTE")]
    pub remote: Option<String>,
    /// How many of a thousand jobs a second worker judges too
    #[arg(long, value_name = "N", env = "GUARDHOST_AUDITED", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub audited: u32,
}

#[derive(Debug, Args)]
pub struct WorkerArgs {
    #[command(flatten)]
    pub queue: QueueArgs,
    /// The worker's own key; it is made if the file is missing [default: guardhost/worker.key in the user's data folder]
    #[arg(long, value_name = "FILE", env = "GUARDHOST_WORKER_KEY")]
    pub worker_key: Option<PathBuf>,
    /// The worker's name, for people [default: the machine's]
    #[arg(long, value_name = "NAME", env = "GUARDHOST_WORKER_NAME")]
    pub worker_name: Option<String>,
    /// Jobs at once [default: the number of processors]
    #[arg(long, value_name = "N", env = "GUARDHOST_JOBS", value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub jobs: Option<u32>,
    /// Jobs with builds or tests at once
    #[arg(long, value_name = "N", env = "GUARDHOST_HEAVY_JOBS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub heavy_jobs: u32,
    /// The folder of the mirrors of repositories [default: guardhost/mirrors in the user's data folder]
    #[arg(long, value_name = "DIR", env = "GUARDHOST_MIRRORS")]
    pub mirrors: Option<PathBuf>,
    /// A prefix of addresses from which the worker may fetch; repeatable
    #[arg(long, value_name = "URL", env = "GUARDHOST_ALLOW_REMOTE", value_delimiter = ',')]
    pub allow_remote: Vec<String>,
    /// How many of a thousand stored verdicts of other workers to recompute
    #[arg(long, value_name = "N", env = "GUARDHOST_DOUBTED", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub doubted: u32,
    /// Seconds to finish jobs after a request to end; the rest is left to other workers
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_DRAIN", default_value_t = 60)]
    pub drain: u64,
    #[command(flatten)]
    pub log: ServiceLogArgs,
}

/// What a program that runs for long says of itself, on standard error.
#[derive(Debug, Clone, Args)]
pub struct ServiceLogArgs {
    /// Write warnings and errors as lines of JSON, with their job and run
    #[arg(long, env = "GUARDHOST_LOG_JSON", value_parser = FalseyValueParser::new())]
    pub log_json: bool,
}

/// What many machines do together.
#[derive(Debug, Subcommand)]
pub enum MachinesCommand {
    /// Put a change into a queue, and wait for the verdict of a worker
    #[command(after_help = examples::SUBMIT)]
    Submit(SubmitArgs),
    /// Judge the changes of a queue, until the process is asked to end
    #[command(after_help = examples::WORKER)]
    Worker(WorkerArgs),
    /// Look after a fleet; `host worker` makes a machine judge
    #[command(subcommand)]
    Fleet(FleetCommand),
}

#[derive(Debug, Subcommand)]
pub enum FleetCommand {
    /// Show the age of the queue, the workers, the jobs that were put aside and the alarms
    #[command(after_help = examples::FLEET_STATUS)]
    Status(FleetStatusArgs),
    /// Take jobs in again that were put aside
    #[command(after_help = examples::FLEET_RETRY)]
    Retry(FleetRetryArgs),
    /// Print the name and the public key of a worker of this machine, for the lists of the others
    #[command(after_help = examples::FLEET_KEY)]
    Key(FleetKeyArgs),
}

#[derive(Debug, Args)]
pub struct FleetStatusArgs {
    #[command(flatten)]
    pub queue: QueueArgs,
    /// Print the figures in the text format of Prometheus
    #[arg(long)]
    pub metrics: bool,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("jobs").required(true))]
pub struct FleetRetryArgs {
    /// The id of the job
    #[arg(value_name = "ID", group = "jobs")]
    pub job: Option<String>,
    /// Take all of them in again
    #[arg(long, group = "jobs")]
    pub all: bool,
    /// Take those in again whose reason holds this text, or whose cause it is: job, crash, no-worker, remote
    #[arg(long, value_name = "TEXT", group = "jobs")]
    pub reason: Option<String>,
    #[command(flatten)]
    pub queue: QueueArgs,
}

#[derive(Debug, Args)]
pub struct FleetKeyArgs {
    /// The file of the key; it is made if it is missing [default: guardhost/worker.key in the user's data folder]
    #[arg(long, value_name = "FILE", env = "GUARDHOST_WORKER_KEY")]
    pub worker_key: Option<PathBuf>,
    /// The worker's name, for people [default: the machine's]
    #[arg(long, value_name = "NAME", env = "GUARDHOST_WORKER_NAME")]
    pub worker_name: Option<String>,
}
