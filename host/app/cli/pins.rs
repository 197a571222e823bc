//! `host guard …` for maintainers of a guard set.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::author::AuthorCommand;
use super::examples;

#[derive(Debug, Subcommand)]
pub enum GuardCommand {
    /// List the guards of this repository with version, digest, imports and description
    #[command(after_help = examples::GUARD_LIST)]
    List,
    /// Show everything that is known about one guard or language, pinned or not
    #[command(after_help = examples::GUARD_INFO)]
    Info {
        /// The id of a guard or language, the file of a component, or a source: path:FILE, https://…, oci://…
        #[arg(value_name = "ID|FILE|SOURCE")]
        what: String,
    },
    /// Pin a guard: add it to guards.toml and guards.lock of the work tree
    #[command(after_help = examples::GUARD_ADD)]
    Add(AddArgs),
    /// Remove the pin of a guard from guards.toml and guards.lock
    #[command(after_help = examples::GUARD_REMOVE)]
    Remove {
        /// The id of the guard
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Stand guards.toml on rules that several repositories share, and keep a copy of them
    #[command(after_help = examples::GUARD_EXTEND)]
    Extend(ExtendArgs),
    /// Write guards.lock to match guards.toml; locked versions stay if guards.toml allows them
    #[command(after_help = examples::GUARD_LOCK)]
    Lock,
    /// Lock the newest versions that guards.toml allows
    #[command(after_help = examples::GUARD_UPDATE)]
    Update(UpdateArgs),
    /// Show what guards that are off, and other settings, would have caught of what came back, and what they would have alarmed
    #[command(after_help = examples::GUARD_SUGGEST)]
    Suggest(SuggestArgs),
    /// Compare guards.toml, guards.lock, components and signatures of the work tree
    #[command(after_help = examples::GUARD_VERIFY)]
    Verify,
    /// Copy fetched components into .guards/, so that no network is needed
    #[command(after_help = examples::GUARD_VENDOR)]
    Vendor,
    /// Push a component to a registry, tagged with its own version
    #[command(after_help = examples::GUARD_PUBLISH)]
    Publish(PublishArgs),
    /// Turn a core module into a component, for languages whose compiler makes core modules only
    #[command(after_help = examples::GUARD_COMPONENTIZE)]
    Componentize(ComponentizeArgs),
    #[command(flatten)]
    Author(AuthorCommand),
}

#[derive(Debug, Args)]
pub struct AddArgs {
    /// The id of an embedded guard, path:FILE, https://… or oci://REGISTRY/REPOSITORY[:TAG]
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// Allowed versions, as Cargo writes them [default for oci:// without a tag: ^ and the version found]
    #[arg(long = "version", value_name = "REQUIREMENT")]
    pub requirement: Option<String>,
    /// The SHA-256 of the component, sha256:… [default for https://: that of the component found]
    #[arg(long, value_name = "DIGEST")]
    pub digest: Option<String>,
    /// An import that the guard may use; repeatable
    #[arg(long = "grant", value_name = "NAME")]
    pub grants: Vec<String>,
    /// Report and record its verdicts, but do not block
    #[arg(long)]
    pub monitor: bool,
    /// Accept this guard without a signature: sets allow-unsigned in its pin
    #[arg(long)]
    pub allow_unsigned: bool,
}

#[derive(Debug, Args)]
pub struct SuggestArgs {
    /// Judge pull and merge requests whose heads are here instead of commits
    #[arg(long)]
    pub pulls: bool,
    /// The most changes to judge, the newest
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub limit: u32,
    /// The most seconds to take; what was judged by then is shown
    #[arg(long, value_name = "SECONDS", env = "GUARDHOST_MAX_TIME", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_time: Option<u64>,
}

#[derive(Debug, Args)]
pub struct ExtendArgs {
    /// https://…, oci://REGISTRY/REPOSITORY:TAG or path:FILE [default: the source that guards.toml names, as it is now]
    #[arg(value_name = "SOURCE", conflicts_with = "remove")]
    pub source: Option<String>,
    /// A guard of the shared rules that does not judge here; repeatable [default: as guards.toml says]
    #[arg(long = "without", value_name = "ID", conflicts_with = "remove")]
    pub without: Vec<String>,
    /// Extend nothing any more
    #[arg(long)]
    pub remove: bool,
}

#[derive(Debug, Args)]
pub struct UpdateArgs {
    /// Only these guards [default: all]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Leave out versions younger than this many days, by the date that the publisher gave
    #[arg(long, value_name = "DAYS", default_value_t = 0, env = "GUARDHOST_COOLDOWN")]
    pub cooldown: u32,
    /// Take a version older than the locked one, if its source has no newer one
    #[arg(long)]
    pub allow_downgrade: bool,
    /// Judge the last N commits and the stored rejected attempts with the old and the new component; if a verdict differs, write nothing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub backtest: Option<u32>,
}

#[derive(Debug, Args)]
pub struct PublishArgs {
    /// The file of the component
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The target, oci://REGISTRY/REPOSITORY; the tag is the guard's version
    #[arg(value_name = "TO")]
    pub to: String,
    /// Sign the component with this minisign secret key; repeatable
    #[arg(long = "sign", value_name = "KEY")]
    pub keys: Vec<PathBuf>,
    /// Attach a signature that minisign made elsewhere, after it is verified; repeatable
    #[arg(long = "signature", value_name = "FILE")]
    pub signatures: Vec<PathBuf>,
    /// A minisign public key that a --signature may be made with, beside those of [trust]; repeatable
    #[arg(long = "public-key", value_name = "FILE|KEY", requires = "signatures")]
    pub public_keys: Vec<String>,
}

#[derive(Debug, Args)]
pub struct ComponentizeArgs {
    /// A core module, binary or text, with the exports of a guard; it may import the contract and WASI preview 1, whose calls get no access to anything
    #[arg(value_name = "CORE.wasm")]
    pub module: PathBuf,
    /// The world of the contract, for a module without embedded types [default: guard-with-capabilities]
    #[arg(long, value_name = "WORLD")]
    pub world: Option<String>,
    /// The file to write
    #[arg(long, short, value_name = "OUT.wasm", default_value = "guard.wasm")]
    pub out: PathBuf,
}
