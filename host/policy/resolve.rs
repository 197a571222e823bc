//! From `guards.toml` to what the stations want: the guards to run, and what `sanitize` refuses.

use std::path::PathBuf;
use std::sync::Arc;

use semver::Version;

use crate::config::{ComponentSource, Config, FILE, LOCK, Pin, Rules, Trust, agree, requirement};
use crate::fetch::{Credentials, RegistryClient};
use guardhost_core::change::{Oid, RunHistory};
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{EmbeddedGuards, EngineContext, GuardSet, GuardSpec, HostServices, default_set};
use guardhost_git::Repo;
use guardhost_patch::sanitize;
use guardhost_report::journal::RecordedRuns;

use super::guard_files::GuardFiles;
use super::resolve_pins::{check, spec};
use super::tools::toolchain;

/// The rules that judge a change on `base`, and the guard set they name.
pub struct Policy {
    pub config: Config,
    pub guards: GuardSet,
    pub rules: sanitize::Rules,
    /// What the reader should know about where the rules came from.
    pub notice: Option<String>,
}

/// Where rules and guards come from.
pub struct PolicySource<'a> {
    pub process: &'a ProcessEnv,
    pub embedded: &'static EmbeddedGuards,
    /// `--config`: read in place of the `guards.toml` of the base commit.
    pub config: Option<PathBuf>,
    /// Nothing is fetched, and links are not checked.
    pub offline: bool,
    /// A `guards.toml` without its lock is an error.
    pub demands_lock: bool,
}

impl PolicySource<'_> {
    /// The engine, with the host services that need no repository.
    pub fn machine(&self) -> EngineContext {
        let cache_dir = self.process.cache.as_ref().map(|cache| cache.join("compiled"));
        // `--offline` is meant for guards as much as for fetching.
        let services = HostServices::only(if self.offline { LinkChecker::offline() } else { LinkChecker::online() });
        EngineContext {
            exe: self.process.exe.clone(),
            cache_dir,
            threads: self.process.threads,
            services,
            embedded: self.embedded,
        }
    }

    /// Where components are fetched.
    pub fn registry(&self, trust: &Trust) -> RegistryClient {
        RegistryClient {
            kept: self.process.cache.as_ref().map(|cache| cache.join("components")),
            offline: self.offline,
            plain_http: trust.plain_http.clone(),
            credentials: Credentials { config: self.process.docker.clone(), env: self.process.env.clone() },
        }
    }

    /// Reads the rules from the base, whose tree is `tree`, or from [`PolicySource::config`]. `only` and `skip` choose guards by id.
    ///
    /// # Errors
    /// [`Kind::Config`]: the files are wrong, or do not agree; [`Kind::GuardLoad`]: a component is not the one that was locked.
    pub fn resolve(
        &self,
        repo: &Repo,
        base: Option<Oid>,
        tree: Oid,
        only: &[String],
        skip: &[String],
    ) -> Result<Policy> {
        let label = base.map_or_else(|| "the empty tree".to_owned(), |oid| oid.to_string()[..12].to_owned());
        let (config, lock) = match &self.config {
            Some(file) => (Config::of_file(file)?, Config::lock_of_file(file)?),
            None => {
                let objects = repo.store();
                let config = Config::of_tree(&*objects, tree, &label, embedded(self.embedded, only)?)?;
                let lock = config.lock_of_tree(&*objects, tree, &label)?;
                (config, lock)
            }
        };
        match &lock {
            Some((lock, origin)) => agree(&config.rules, lock, origin)?,
            None if self.demands_lock && !config.is_default() => return Err(lockless(&config).into()),
            None => {}
        }
        let notice = self.uncommitted(repo, &config);
        let config = config.select(only, skip)?;
        let Rules { guards: pins, trust, policy, .. } = &config.rules;
        let (net, place) = (self.registry(trust), GuardFiles::Base { repo, tree });
        let locked = |pin: &Pin| lock.as_ref().and_then(|(lock, _)| lock.get(&pin.id));
        let specs = pins.iter().map(|pin| spec(pin, locked(pin), &place, &net)).collect::<Result<Vec<_>>>()?;
        let past: Arc<dyn RunHistory> = Arc::new(RecordedRuns { state_dir: repo.state_path() });
        let tools = Arc::new(toolchain(self.process, repo));
        let machine = self.machine();
        let services = HostServices { past: Some(past), toolchain: Some(tools), ..machine.services.clone() };
        let guards = GuardSet::new(specs, &EngineContext { services, ..machine })?;
        match &lock {
            // All of them before any of them: when one is not what was reviewed, nothing runs.
            Some((lock, origin)) => {
                for (pin, locked) in pins.iter().filter_map(|pin| Some((pin, lock.get(&pin.id)?))) {
                    check(pin, locked, &guards, trust, origin)?;
                }
            }
            None => versions(&config, &guards)?,
        }
        let defaults = sanitize::Rules::default();
        let rules = sanitize::Rules {
            protect: policy.protect.clone().unwrap_or(defaults.protect),
            max_file_bytes: policy.max_file_size.map_or(defaults.max_file_bytes, |size| size.0),
            ..defaults
        };
        Ok(Policy { config, guards, rules, notice })
    }

    /// A `guards.toml` that is not committed judges nothing; its author should hear of it.
    fn uncommitted(&self, repo: &Repo, config: &Config) -> Option<String> {
        let ignored = self.config.is_none() && config.is_default() && repo.workdir()?.join(FILE).exists();
        ignored
            .then(|| format!("{FILE} is not committed, so it does not judge yet: rules are read from the base commit"))
    }
}

/// Naming a guard asks for it.
pub fn embedded(guards: &EmbeddedGuards, named: &[String]) -> Result<Vec<Pin>> {
    let pin = |spec: GuardSpec| Pin { grants: spec.grants, ..Pin::of(&spec.id, ComponentSource::Builtin) };
    Ok(default_set(guards, named)?.into_iter().map(pin).collect())
}

/// Each pin's `version` against what the component says of itself.
fn versions(config: &Config, guards: &GuardSet) -> Result<()> {
    for pin in &config.rules.guards {
        let Some(wanted) = &pin.version else { continue };
        let fault = |what: String| Fault::new(Kind::Config, format!("{}: guard `{}`: {what}", config.origin, pin.id));
        let Some(requirement) = requirement(pin)? else { continue };
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

fn lockless(config: &Config) -> Fault {
    Fault::new(
        Kind::Config,
        format!("there is no {LOCK} beside {}: expected one, as this run is --locked", config.origin),
    )
    .hint(format!("run `host guard lock`, and commit {FILE} and {LOCK}"))
    .code("lock-missing")
}
