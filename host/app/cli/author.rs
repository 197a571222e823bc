//! `host guard …` for authors of guards.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::examples;
use guardhost_engine::Limits;
use guardhost_policy::config::ByteSize;

#[derive(Debug, Subcommand)]
pub enum AuthorCommand {
    /// Create a guard, or a language, from a template: a folder that builds, tests and runs
    #[command(after_help = examples::GUARD_NEW)]
    New(NewArgs),
    /// Build the component with the tool of its language
    #[command(after_help = examples::GUARD_BUILD)]
    Build(BuildArgs),
    /// Run the guard on every case, and compare its findings with the expected ones
    #[command(after_help = examples::GUARD_TEST)]
    Test(TestArgs),
    /// Run this one guard on the commits of a repository
    #[command(after_help = examples::GUARD_RUN)]
    Run(PastArgs),
    /// Measure the guard on its cases: fuel, time, memory, size
    #[command(after_help = examples::GUARD_BENCH)]
    Bench(BenchArgs),
    /// Check with generated changes that the guard keeps the contract
    #[command(after_help = examples::GUARD_CERTIFY)]
    Certify(CertifyArgs),
}

#[derive(Debug, Args)]
pub struct NewArgs {
    /// The guard's id: lower-case words joined by hyphens
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The language to write it in: rust, js, ts, python, c or go [default: rust, if --kind is given]
    #[arg(long, value_name = "LANGUAGE", required_unless_present = "kind")]
    pub lang: Option<String>,
    /// What it does: a guard judges, a critic asks models (js), a language reads texts for guards (rust) [default: guard]
    #[arg(long, value_enum, value_name = "KIND", hide_possible_values = true)]
    pub kind: Option<NewKind>,
    /// The same as --kind critic
    #[arg(long, conflicts_with = "kind")]
    pub critic: bool,
    /// The folder to create; must be empty or not exist [default: NAME]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// What a new component does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NewKind {
    Guard,
    Critic,
    Language,
}

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The guard's folder
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
    /// If the tool of the language is missing, install it first, as guard.toml says
    #[arg(long)]
    pub install: bool,
}

/// A guard that need not be pinned.
#[derive(Debug, Args)]
pub struct GuardArg {
    /// A component, or the folder of a guard, which is built first if its sources are newer
    #[arg(value_name = "FILE.wasm|DIR", default_value = ".")]
    pub guard: PathBuf,
}

#[derive(Debug, Args)]
pub struct TestArgs {
    #[command(flatten)]
    pub of: GuardArg,
    /// The folder of cases [default: `cases` in the guard's folder, or beside the component]
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// Write the actual findings as the expected ones; review the difference before you commit it
    #[arg(long)]
    pub update: bool,
    /// Build and test again whenever a source or a case changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
}

#[derive(Debug, Args)]
pub struct PastArgs {
    #[command(flatten)]
    pub of: GuardArg,
    /// The commits: A..B, A...B, or one commit
    #[arg(long, value_name = "A..B")]
    pub range: String,
    /// Judge the range as one change, instead of commit by commit along first parents
    #[arg(long)]
    pub as_one: bool,
    /// A file with the guard's settings, as JSON
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BenchArgs {
    #[command(flatten)]
    pub of: GuardArg,
    /// The folder of cases [default: `cases` in the guard's folder, or beside the component]
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// An older component to compare with [default: the component that this repository pins under the guard's id, if any]
    #[arg(long, value_name = "FILE.wasm")]
    pub against: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CertifyArgs {
    #[command(flatten)]
    pub of: GuardArg,
    /// The seed of the generated changes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many changes to generate; plans, for a guard that judges plans
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub changes: u32,
    /// A file with the guard's settings, as JSON
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// A path that concerns the guard, besides those that its globs suggest; repeatable
    #[arg(long = "path", value_name = "PATH")]
    pub paths: Vec<String>,
    /// Fuel of one call [default: as for a pin without limits]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=Limits::MAX_FUEL))]
    pub fuel: Option<u64>,
    /// Linear memory of one call, such as 128MiB [default: as for a pin without limits]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<ByteSize>,
}
