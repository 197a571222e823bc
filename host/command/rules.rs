//! From `guards.toml` to what the stations want: the guards to run, and what `sanitize` refuses.

use std::sync::Arc;

use semver::{Version, VersionReq};

use crate::change::{Objects, Oid, RepoPath};
use crate::config::{Config, FILE, Pin, Source};
use crate::error::{Context, Fault, Kind, Result};
use crate::git::Repo;
use crate::guard::{GuardSet, GuardSpec, Limits, Machine, Source as Component, default_set};
use crate::net::Net;
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
pub fn ruled(
    desk: &Desk,
    repo: &Repo,
    base: Option<Oid>,
    tree: Oid,
    only: &[String],
    skip: &[String],
) -> Result<Ruled> {
    let config = match &desk.global.config {
        Some(file) => Config::of_file(&desk.path(file))?,
        None => {
            let label = base.map_or_else(|| "the empty tree".to_owned(), |oid| oid.to_string()[..12].to_owned());
            Config::of_tree(&*repo.store(), tree, &label, embedded(only)?)?
        }
    };
    let notice = uncommitted(desk, repo, &config);
    let config = config.select(only, skip)?;
    let specs = config.rules.guards.iter().map(|pin| spec(pin, repo, tree)).collect::<Result<Vec<_>>>()?;
    let outside = desk.outside;
    let cache_dir = outside.cache.as_ref().map(|cache| cache.join("compiled"));
    let net = Arc::new(if desk.global.offline { Net::offline() } else { Net::online() });
    let machine = Machine { exe: outside.exe.clone(), cache_dir, threads: outside.threads, net };
    let guards = GuardSet::new(specs, &machine)?;
    versions(&config, &guards)?;
    let policy = &config.rules.policy;
    let defaults = sanitize::Rules::default();
    let rules = sanitize::Rules {
        protect: policy.protect.clone().unwrap_or(defaults.protect),
        max_file_bytes: policy.max_file_size.map_or(defaults.max_file_bytes, |size| size.0),
        ..defaults
    };
    Ok(Ruled { config, guards, rules, notice })
}

/// Naming a guard asks for it.
fn embedded(named: &[String]) -> Result<Vec<Pin>> {
    Ok(default_set(named)?.into_iter().map(|spec| Pin::builtin(spec.id, spec.grants)).collect())
}

/// Each pin's `version` against what the component says of itself.
fn versions(config: &Config, guards: &GuardSet) -> Result<()> {
    for pin in &config.rules.guards {
        let Some(wanted) = &pin.version else { continue };
        let fault = |what: String| Fault::new(Kind::Config, format!("{}: guard `{}`: {what}", config.origin, pin.id));
        let requirement = VersionReq::parse(wanted).map_err(|error| {
            fault(format!("version `{wanted}` is not a requirement: {error}")).hint("write it as Cargo does: \"^0.1\"")
        })?;
        // A component that does not load has its own message when it is asked.
        let Some(Ok(about)) = guards.description(&pin.id) else { continue };
        let found = Version::parse(&about.version)
            .map_err(|error| fault(format!("says its version is `{}`: {error}", about.version)))?;
        if !requirement.matches(&found) {
            let hint = format!("change the pin's version to \"^{found}\", or pin another component");
            return Err(fault(format!("version {wanted} is wanted, {} gives {found}", pin.source)).hint(hint).into());
        }
    }
    Ok(())
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
    })
}

/// The base commit's own file first: a change that edits a component must not be judged by what it edited.
fn component(path: &str, repo: &Repo, tree: Oid) -> Result<Component> {
    let objects = repo.store();
    let inside = RepoPath::from(path.trim_start_matches("./"));
    if let Some(entry) = objects.entry(tree, &inside)? {
        let bytes = objects.blob(entry.oid)?;
        return Ok(Component::Bytes { bytes, origin: format!("path:{path}") });
    }
    let root = repo.workdir().unwrap_or(repo.git_dir());
    let bytes = std::fs::read(root.join(path)).with_context(|| {
        Fault::new(Kind::GuardLoad, format!("cannot read the guard {path}"))
            .hint(format!("`source = \"path:{path}\"` is relative to the repository's root"))
    })?;
    Ok(Component::Bytes { bytes: bytes.into(), origin: format!("path:{path}") })
}
