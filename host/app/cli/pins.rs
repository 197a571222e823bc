//! `host guard …` for those who keep a guard set.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::author::AuthorCommand;

#[derive(Debug, Subcommand)]
pub enum GuardCommand {
    /// The guards of this repository, with version, digest, imports and promise
    List,
    /// All that is known of one guard, pinned or not
    Info {
        /// A guard's id, a component's file, or where it comes from: path:FILE, https://…, oci://…
        #[arg(value_name = "ID|FILE|SOURCE")]
        what: String,
    },
    /// Pin one more guard: guards.toml and guards.lock of the work tree
    Add(AddArgs),
    /// Take a guard's pin away
    Remove {
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Write guards.lock as guards.toml wants it, without newer versions of what is locked
    Lock,
    /// Lock the newest versions that guards.toml admits
    Update(UpdateArgs),
    /// Compare guards.toml, guards.lock and every component of the work tree, signatures included
    Verify,
    /// Put the components that come from elsewhere into .guards/, so that no network is needed
    Vendor,
    /// Push a component to a registry, as the version that it says it is
    Publish(PublishArgs),
    /// Make a component of a core module, for languages whose compiler stops there
    Componentize(ComponentizeArgs),
    #[command(flatten)]
    Author(AuthorCommand),
}

#[derive(Debug, Args)]
pub struct AddArgs {
    /// An embedded guard's id, path:FILE, https://… or oci://REGISTRY/REPOSITORY[:TAG]
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// Which versions may be locked, as Cargo writes it [default: ^ and the version found, for oci://]
    #[arg(long = "version", value_name = "REQUIREMENT")]
    pub requirement: Option<String>,
    /// What the component must be, sha256:… [default: what is found, for https://]
    #[arg(long, value_name = "DIGEST")]
    pub digest: Option<String>,
    /// An import that it may have; may be given several times
    #[arg(long = "grant", value_name = "NAME")]
    pub grants: Vec<String>,
    /// Record what it says, and let it stand in nobody's way
    #[arg(long)]
    pub monitor: bool,
    /// Nobody need have signed it: sets allow-unsigned in [trust]
    #[arg(long)]
    pub allow_unsigned: bool,
}

#[derive(Debug, Args)]
pub struct UpdateArgs {
    /// Only these guards [default: all]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Say what would change, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Leave out versions that are younger than this many days, by their publisher's word
    #[arg(long, value_name = "DAYS", default_value_t = 0, env = "GUARDHOST_COOLDOWN")]
    pub cooldown: u32,
    /// Judge the last N commits and the stored rejected attempts with old and new; where a verdict flips, nothing is written
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub backtest: Option<u32>,
}

#[derive(Debug, Args)]
pub struct PublishArgs {
    /// The component
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// oci://REGISTRY/REPOSITORY; the tag is the guard's version
    #[arg(value_name = "TO")]
    pub to: String,
    /// Sign it with this secret key of minisign; may be given several times
    #[arg(long = "sign", value_name = "KEY")]
    pub keys: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ComponentizeArgs {
    /// A core module that exports `describe` and `check`; it may import the contract and WASI preview 1, which becomes inert
    #[arg(value_name = "CORE.wasm")]
    pub module: PathBuf,
    /// The world of the contract, for a module that brings no types [default: guard-with-authorities]
    #[arg(long, value_name = "WORLD")]
    pub world: Option<String>,
    /// Where the component goes
    #[arg(long, short, value_name = "OUT.wasm", default_value = "guard.wasm")]
    pub out: PathBuf,
}
