//! From `guards.toml` to what the stations want: the guards to run, and what `sanitize` refuses.

use crate::change::{Oid, RepoPath};
use crate::config::{Config, FILE, Source};
use crate::error::{Context, Fault, Kind, Result};
use crate::git::Repo;
use crate::guard::{GuardSet, GuardSpec, Limits, Machine, Source as Component};
use crate::sanitize;

use super::Desk;

/// The rules that judge a change on `base`, and the guard set they name.
pub struct Ruled {
    pub config: Config,
    pub guards: GuardSet,
    pub rules: sanitize::Rules,
    /// What the reader should know about where the rules came from.
    pub notice: Option<String>,
}

/// Reads the rules from the base, whose tree is `tree`; from `--config` when it is given.
pub fn ruled(desk: &Desk, repo: &Repo, base: Option<Oid>, tree: Oid, only: &[String], skip: &[String]) -> Result<Ruled> {
    let config = match &desk.global.config {
        Some(file) => Config::of_file(&desk.path(file))?,
        None => {
            let label = base.map_or_else(|| "the empty tree".to_owned(), |oid| oid.to_string()[..12].to_owned());
            Config::of_tree(&*repo.store(), tree, &label, guards::builtin())?
        }
    };
    let notice = uncommitted(desk, repo, &config);
    let config = config.select(only, skip)?;
    let specs = config.rules.guards.iter().map(|pin| spec(pin, repo, tree)).collect::<Result<Vec<_>>>()?;
    let outside = desk.outside;
    let machine = Machine { exe: outside.exe.clone(), cache: outside.cache.clone(), threads: outside.threads };
    let guards = GuardSet::new(specs, machine)?;
    let policy = &config.rules.policy;
    let mut rules = sanitize::Rules::default();
    if let Some(protect) = &policy.protect {
        rules.protect.clone_from(protect);
    }
    if let Some(size) = policy.max_file_size {
        rules.max_file_bytes = size.0;
    }
    Ok(Ruled { config, guards, rules, notice })
}

/// A `guards.toml` that is not committed judges nothing; its author should hear of it.
fn uncommitted(desk: &Desk, repo: &Repo, config: &Config) -> Option<String> {
    let ignored = desk.global.config.is_none() && config.is_default() && repo.workdir()?.join(FILE).exists();
    ignored.then(|| format!("{FILE} is not committed, so it does not judge yet: rules are read from the base commit"))
}

fn spec(pin: &crate::config::Pin, repo: &Repo, tree: Oid) -> Result<GuardSpec> {
    let source = match &pin.source {
        Source::Builtin => Component::Builtin,
        Source::Path(path) => component(path, repo, tree)?,
    };
    let mut limits = Limits::default();
    if let Some(fuel) = pin.limits.fuel {
        limits.fuel = fuel;
    }
    if let Some(memory) = pin.limits.memory {
        limits.memory = memory.0;
    }
    Ok(GuardSpec {
        id: pin.id.clone(),
        source,
        grants: pin.grants.clone(),
        mode: pin.mode,
        include: pin.paths.include.clone(),
        exclude: pin.paths.exclude.clone(),
        limits,
        settings: serde_json::to_value(&pin.settings).context("settings that JSON cannot hold")?,
        expected_digest: None,
        version: pin.version.clone(),
    })
}

/// The base commit's own file first: a change that edits a component must not be judged by what it edited.
fn component(path: &str, repo: &Repo, tree: Oid) -> Result<Component> {
    let objects = repo.store();
    let inside = RepoPath::from(path.trim_start_matches("./"));
    if let Some(entry) = crate::change::Objects::entry(&*objects, tree, &inside)? {
        let bytes = crate::change::Objects::blob(&*objects, entry.oid)?;
        return Ok(Component::Bytes { bytes: bytes.to_vec(), origin: format!("path:{path}") });
    }
    let root = repo.workdir().unwrap_or(repo.git_dir());
    let bytes = std::fs::read(root.join(path)).with_context(|| {
        Fault::new(Kind::GuardLoad, format!("cannot read the guard {path}"))
            .hint(format!("`source = \"path:{path}\"` is relative to the repository's root"))
    })?;
    Ok(Component::Bytes { bytes, origin: format!("path:{path}") })
}
