//! `host guard …` for those who write guards.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use guardhost_engine::Limits;
use guardhost_policy::config::ByteSize;

#[derive(Debug, Subcommand)]
pub enum AuthorCommand {
    /// Begin a guard: a folder that builds, tests and runs
    New(NewArgs),
    /// Make the component, with the language's own tool
    Build(BuildArgs),
    /// Judge every case, and compare what the guard says with what is expected
    Test(TestArgs),
    /// Ask this one guard about the commits of a repository
    Run(PastArgs),
    /// What the guard costs on its cases: fuel, time, memory, size
    Bench(BenchArgs),
    /// Does it keep the contract, whatever it is shown? Fails a guard that lies
    Certify(CertifyArgs),
}

#[derive(Debug, Args)]
pub struct NewArgs {
    /// The guard's id: lower-case words joined by hyphens
    #[arg(value_name = "NAME")]
    pub name: String,
    /// rust, js, ts, python, c or go
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: String,
    /// Where to make it; must be empty or not exist [default: NAME]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The guard's folder
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
    /// Install the language's tool first if it is not found, as guard.toml says
    #[arg(long)]
    pub install: bool,
}

/// A guard that is pinned nowhere.
#[derive(Debug, Args)]
pub struct GuardArg {
    /// A component, or a guard's folder, which is built first if its sources are newer
    #[arg(value_name = "FILE.wasm|DIR", default_value = ".")]
    pub guard: PathBuf,
}

#[derive(Debug, Args)]
pub struct TestArgs {
    #[command(flatten)]
    pub of: GuardArg,
    /// Folder of cases [default: `cases` in the guard's folder, or beside the component]
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// Write what the guard says as what is expected; read the difference before you commit it
    #[arg(long)]
    pub update: bool,
    /// Build and test again whenever a source or a case is edited, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
}

#[derive(Debug, Args)]
pub struct PastArgs {
    #[command(flatten)]
    pub of: GuardArg,
    /// A..B, A...B, or one commit
    #[arg(long, value_name = "A..B")]
    pub range: String,
    /// The range as one change, instead of commit by commit along first parents
    #[arg(long)]
    pub as_one: bool,
    /// The guard's settings, as JSON
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BenchArgs {
    #[command(flatten)]
    pub of: GuardArg,
    /// Folder of cases [default: `cases` in the guard's folder, or beside the component]
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// An older component to compare with [default: what this repository has pinned under the guard's id, if anything]
    #[arg(long, value_name = "FILE.wasm")]
    pub against: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CertifyArgs {
    #[command(flatten)]
    pub of: GuardArg,
    /// Of the generated changes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many changes are generated, or plans for a guard that judges plans
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub changes: u32,
    /// The guard's settings, as JSON
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// A path that concerns the guard, beside those that its globs suggest; may be given several times
    #[arg(long = "path", value_name = "PATH")]
    pub paths: Vec<String>,
    /// Of one call, as a pin would set it [default: what a pin has without limits]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=Limits::MAX_FUEL))]
    pub fuel: Option<u64>,
    /// Linear memory of one call, such as 128MiB [default: what a pin has without limits]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<ByteSize>,
}
