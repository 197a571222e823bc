//! From `guards.toml` to a policy: the guards to run, and the rules of `sanitize`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::{
    ComponentSource, Config, DisclosureTrailers, FILE, GuardsToml, LOCK, LockFile, Pin, Trust, Unjudged, check_lock,
    kinds, same_lines,
};
use crate::fetch::{ComponentCache, RegistryClient, RegistryCredentials};
use guardhost_core::change::{HostRule, Objects as _, Oid, RepoPath, RulingMemory, RunHistory};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::registries::Registries;
use guardhost_engine::{
    CachedVerdicts, EmbeddedGuards, EngineContext, GuardSet, GuardSpec, HostServices, Kinds, SharedVerdicts,
    VerdictCache, analyzers, default_set,
};
use guardhost_git::Repo;
use guardhost_os::{Links, Stat};
use guardhost_patch::sanitize;
use guardhost_report::journal::RecordedRuns;
use guardhost_report::rulings::RulingLog;

use super::components::Components;
use super::guard_files::{GuardFiles, RulesOrigin, in_repository};
use super::policy::{Disclosure, Policy};
use super::protected::{hooks_in_tree, protected};
use super::recorded::{RecordedGuards, RecordedPolicy};
use super::resolve_pins::check;
use super::toolchain::{ConfiguredTools, toolchain};
use super::unlocked::check_unlocked;
use super::work_tree_path::work_tree_paths;

/// Resolves policies, with the options of the command line.
pub struct PolicySource<'a> {
    pub process: &'a ProcessEnv,
    pub embedded: &'static EmbeddedGuards,
    /// `--config`: the file to read instead of `guards.toml` of the base commit.
    pub config: Option<PathBuf>,
    /// Fetch nothing, and check no links.
    pub offline: bool,
    /// Treat a `guards.toml` without a lock as an error.
    pub demands_lock: bool,
    /// Call every guard, also for what it judged before.
    pub fresh: bool,
    /// Shares verdicts between machines; with None, only the user's own earlier runs are reused.
    pub shared: Option<Arc<dyn SharedVerdicts>>,
    /// Whose rulings are stored in the repository; None stores none.
    pub remember: Option<Remember>,
}

/// Who asks for rulings that are remembered.
#[derive(Debug, Clone, Default)]
pub struct Remember {
    /// The agent that asks, or whose shell does; None where nothing tells.
    pub agent: Option<String>,
}

impl PolicySource<'_> {
    /// The engine, with the host services that need no repository.
    pub fn machine(&self) -> EngineContext {
        let folder = |name: &str| self.process.cache.as_ref().map(|cache| cache.join(name));
        // `--offline` applies to guards as well as to fetching.
        let services = HostServices::only(if self.offline { LinkChecker::offline() } else { LinkChecker::online() });
        EngineContext {
            exe: self.process.exe.clone(),
            cache_dir: folder("compiled"),
            modules_dir: folder("modules"),
            measured_dir: folder("measured"),
            verdicts: None,
            threads: self.process.threads,
            services,
            embedded: self.embedded,
            stop: self.process.stop.clone(),
        }
    }

    /// Where verdicts on changes of this repository are kept.
    fn verdicts(&self, repo: &Repo) -> Option<VerdictCache> {
        if let (false, Some(shared)) = (self.fresh, &self.shared) {
            return Some(VerdictCache::OfFleet(Arc::clone(shared)));
        }
        let (false, Some(cache)) = (self.fresh, &self.process.cache) else { return None };
        // A program that was built anew is another file.
        let program = std::fs::metadata(&self.process.exe).ok()?;
        let program = format!("{} {}.{} {}", program.ino(), program.mtime(), program.mtime_nsec(), program.size());
        let repository = repo.common_dir().to_owned();
        Some(VerdictCache::OfUser(CachedVerdicts { folder: cache.join("verdicts"), repository, program }))
    }

    /// The embedded analyzers, each with the rights that it needs. Without `runs_code` those that build and test find nothing to ask.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: never, unless the embedded analyzers are wrong.
    pub fn analyzers(&self, repo: &Repo, runs_code: bool) -> Result<GuardSet> {
        let machine = self.machine();
        let toolchain = runs_code.then(|| Arc::new(toolchain(self.process, repo, ConfiguredTools::default())));
        let services = HostServices { toolchain, ..machine.services.clone() };
        GuardSet::new(analyzers(self.embedded), &EngineContext { services, ..machine })
    }

    /// The client that fetches components.
    pub fn registry(&self, trust: &Trust) -> RegistryClient {
        RegistryClient {
            cache: Arc::new(ComponentCache::new(self.process.cache.as_ref().map(|cache| cache.join("components")))),
            offline: self.offline,
            plain_http: trust.plain_http.clone(),
            credentials: RegistryCredentials { config: self.process.docker.clone(), env: self.process.env.clone() },
        }
    }

    /// Reads the rules from `tree`, the tree of the commit `base`, or from [`PolicySource::config`]. `only` and `skip` select
    /// guards by id; `skip` also takes the ids of [`HostRule`]s.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: the files are wrong or do not match; [`FaultKind::GuardLoad`]: a component is not the locked one.
    pub fn resolve(
        &self,
        repo: &Repo,
        base: Option<Oid>,
        tree: Oid,
        only: &[String],
        skip: &[String],
    ) -> Result<Policy> {
        self.resolve_as(repo, base, tree, only, skip, None).map(|resolved| resolved.policy)
    }

    /// The same rules, for a judgement that is repeated: only the guards that judged, and no lock decides which bytes they are.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: the files are wrong.
    pub fn resolve_recorded(
        &self,
        repo: &Repo,
        base: Option<Oid>,
        tree: Oid,
        recorded: &RecordedGuards,
    ) -> Result<RecordedPolicy> {
        let ids: Vec<String> = recorded.digests.keys().cloned().collect();
        self.resolve_as(repo, base, tree, &ids, &[], Some(recorded))
    }

    fn resolve_as(
        &self,
        repo: &Repo,
        base: Option<Oid>,
        tree: Oid,
        only: &[String],
        skip: &[String],
        recorded: Option<&RecordedGuards>,
    ) -> Result<RecordedPolicy> {
        let (skipped, skip) = host_rules(skip);
        let (config, lock) = self.read_rules(repo, base, tree, only)?;
        let uncommitted = self.uncommitted_notice(repo, &config);
        let guard_files = [files_of_rules(&config.rules), self.own_files(repo)].concat();
        let config = match recorded {
            None => config.select(only, &skip)?,
            Some(recorded) => config.retain(|pin| recorded.judged(pin)),
        };
        let GuardsToml { guards: pins, languages, trust, policy, paths, .. } = &config.rules;
        let net = self.registry(trust);
        let machine = self.machine();
        let components = Components {
            pins,
            languages,
            lock: lock.as_ref().map(|(lock, _)| lock),
            files: GuardFiles::Base { repo, tree, rules: self.rules_origin() },
            net: &net,
            machine: &machine,
        };
        let (specs, unloadable) = match recorded {
            None => (components.specs(repo, tree)?, Vec::new()),
            Some(recorded) => components.recorded_specs(recorded),
        };
        let unreadable = match skipped.contains(&HostRule::FilesReadable) {
            true => &["*".to_owned()][..],
            false => &policy.allow_unreadable,
        };
        let engine = self.engine(repo, &machine, kinds(paths)?, &config.rules);
        let guards = GuardSet::new(specs, &engine).and_then(|guards| guards.allowing_unreadable(unreadable));
        let guards = guards.map_err(|error| config.with_location(error))?;
        let mut guards = guards.reading(components.languages()?);
        guards.exceptions.comments = policy.allow_comments.unwrap_or_default();
        let unjudged = match skipped.contains(&HostRule::ChangeJudged) {
            true => Some(Unjudged::Accept),
            false => policy.unjudged,
        };
        let trailers = match skipped.contains(&HostRule::ModelsDisclosed) {
            true => DisclosureTrailers::default(),
            false => policy.disclosure.clone(),
        };
        let disclosure = Disclosure { trailers, of_every_commit: false };
        match &lock {
            _ if recorded.is_some() => {}
            // All components are checked before any runs: if one is not the reviewed one, no guard runs.
            Some((lock, origin)) => {
                for (pin, locked) in config.rules.pins().filter_map(|pin| Some((pin, lock.get(&pin.id)?))) {
                    check(pin, locked, &guards, trust, origin)?;
                }
            }
            None => check_unlocked(&config, &guards)?,
        }
        guards.load_languages()?;
        let defaults = sanitize::Rules::default();
        let rules = sanitize::Rules {
            protect: [protected(policy).map_err(|error| config.with_location(error))?, hooks_in_tree(repo)?].concat(),
            guard_files,
            max_file_bytes: policy.max_file_size.map_or(defaults.max_file_bytes, |size| size.0),
            ..defaults
        };
        let nobody = (config.rules.guards.is_empty() && recorded.is_none()).then(|| {
            format!("{} has no guard, so nothing judges; without `guards = []` the default set does", config.origin)
        });
        let own = config.notices.iter().cloned().chain(uncommitted).chain(nobody);
        let notices = own.chain(net.cache.trouble()).collect();
        // A replay names the guards that judged then; nobody asks for them.
        let asked = if recorded.is_some() { Vec::new() } else { only.to_vec() };
        let memory = self.memory(repo, config.rules.policy.remember && recorded.is_none());
        let policy = Policy { config, guards, rules, asked, unjudged, disclosure, notices, memory };
        Ok(RecordedPolicy { policy, unloadable })
    }

    /// Where rulings by these rules are remembered.
    fn memory(&self, repo: &Repo, is_wanted: bool) -> Option<Arc<dyn RulingMemory>> {
        let Remember { agent } = self.remember.clone().filter(|_| is_wanted)?;
        Some(Arc::new(RulingLog { state_dir: repo.state_path(), agent }))
    }

    /// The rules and their lock, with its origin for messages.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: they are wrong or do not match, or there is no lock and one is demanded.
    fn read_rules(
        &self,
        repo: &Repo,
        base: Option<Oid>,
        tree: Oid,
        only: &[String],
    ) -> Result<(Config, Option<(LockFile, String)>)> {
        let label = base.map_or_else(|| "the empty tree".to_owned(), |oid| oid.to_string()[..12].to_owned());
        let (config, lock) = match &self.config {
            Some(file) => (Config::from_file(file)?, Config::lock_from_file(file)?),
            None => {
                let objects = repo.store();
                let config = Config::from_tree(&*objects, tree, &label, embedded(self.embedded, only)?)?;
                let lock = config.lock_from_tree(&*objects, tree, &label)?;
                (config, lock)
            }
        };
        match &lock {
            Some((lock, origin)) => check_lock(&config.rules, lock, origin)?,
            None if self.demands_lock && !config.is_default() => return Err(lock_missing(&config).into()),
            None => {}
        }
        // After the lock was compared, which does not have what the host embeds.
        Ok((config.with_default_set(embedded(self.embedded, only)?), lock))
    }

    /// The engine with all services, also those of the repository.
    fn engine(&self, repo: &Repo, machine: &EngineContext, kinds: Kinds, rules: &GuardsToml) -> EngineContext {
        let history: Arc<dyn RunHistory> = Arc::new(RecordedRuns { state_dir: repo.state_path() });
        // Wrong addresses were refused when the file was read.
        let registries = Registries::new(self.process, rules.registries.addresses().unwrap_or_default(), self.offline);
        let services = HostServices {
            kinds: Arc::new(kinds),
            registries: Some(Arc::new(registries)),
            past: Some(history),
            commits: Some(repo.store()),
            toolchain: Some(Arc::new(toolchain(self.process, repo, rules.configured_tools()))),
            ..machine.services.clone()
        };
        EngineContext { services, verdicts: self.verdicts(repo), ..machine.clone() }
    }

    /// The files that `--config` names, if they lie in the work tree: they are rules too.
    fn own_files(&self, repo: &Repo) -> Vec<RepoPath> {
        let Some(file) = &self.config else { return Vec::new() };
        let of = |file: &Path| work_tree_paths(repo, &self.process.cwd.join(file));
        let mut files = of(file);
        let locks: Vec<RepoPath> = files.iter().filter_map(lock_of).collect();
        files.extend(locks);
        files.extend(of(&file.with_extension("lock")));
        files
    }

    /// Where the rules come from.
    fn rules_origin(&self) -> RulesOrigin {
        match self.config {
            Some(_) => RulesOrigin::Given,
            None => RulesOrigin::Base,
        }
    }

    /// A notice for the author of a `guards.toml` that has no effect, because it is not committed.
    fn uncommitted_notice(&self, repo: &Repo, config: &Config) -> Option<String> {
        if self.config.is_some() {
            return None;
        }
        let file = guardhost_os::open_without_waiting(&repo.workdir()?.join(FILE), Links::Follow).ok()?;
        let mut written = Vec::new();
        file.take(MAX_FILE).read_to_end(&mut written).ok()?;
        // The rules may be those of an older commit.
        let head = repo.head().ok()?;
        let committed = repo.store().entry(head.tree, &RepoPath::from(FILE)).ok()?;
        if committed.is_some_and(|entry| repo.store().blob(entry.oid).is_ok_and(|blob| same_lines(&blob, &written))) {
            return None;
        }
        let what = if config.is_default() {
            "is not committed, so it does not judge yet"
        } else {
            if config.is_text(&written) {
                return None;
            }
            "has changes that are not committed, so they do not judge yet"
        };
        Some(format!("{FILE} {what}: rules are read from the base commit"))
    }
}

/// Bytes of a `guards.toml` that is compared; a longer one differs.
const MAX_FILE: u64 = 1 << 20;

/// The host's own rules among these ids, and the rest.
fn host_rules(ids: &[String]) -> (Vec<HostRule>, Vec<String>) {
    let rules = ids.iter().filter_map(|id| HostRule::from_id(id)).collect();
    (rules, ids.iter().filter(|id| HostRule::from_id(id).is_none()).cloned().collect())
}

/// The files of the repository that hold rules beside `guards.toml` and its lock: components, and shared rules.
pub fn files_of_rules(rules: &GuardsToml) -> Vec<RepoPath> {
    let path = |source: &ComponentSource| match source {
        ComponentSource::Path(path) => Some(in_repository(path)),
        ComponentSource::Builtin | ComponentSource::Https(_) | ComponentSource::Oci(_) => None,
    };
    let sources = rules.pins().map(|pin| &pin.source).chain(rules.extends.iter().map(|extends| &extends.source));
    sources.filter_map(path).collect()
}

/// Pins of the default set, and of the guards in `named`, which need not be in the default set.
pub fn embedded(guards: &EmbeddedGuards, named: &[String]) -> Result<Vec<Pin>> {
    let pin = |spec: GuardSpec| Pin { grants: spec.grants, ..Pin::new(&spec.id, ComponentSource::Builtin) };
    Ok(default_set(guards, named)?.into_iter().map(pin).collect())
}

fn lock_missing(config: &Config) -> Fault {
    Fault::new(
        FaultKind::Config,
        format!("there is no {LOCK} beside {}: expected one, as this run is --locked", config.origin),
    )
    .hint(format!("run `host guard lock`, and commit {FILE} and {LOCK}"))
    .code("lock-missing")
}

/// The lock beside a file of rules.
fn lock_of(rules: &RepoPath) -> Option<RepoPath> {
    Some(RepoPath::from(Path::new(rules.as_str()?).with_extension("lock").to_str()?))
}
