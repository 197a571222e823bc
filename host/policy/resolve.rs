//! From `guards.toml` to a policy: the guards to run, and the rules of `sanitize`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use semver::Version;

use crate::config::{
    ComponentFacts, ComponentSource, Config, FILE, LOCK, Pin, Rules, Trust, Unjudged, check_lock, version_requirement,
};
use crate::fetch::{ComponentCache, Credentials, RegistryClient};
use guardhost_core::change::{HostRule, Oid, RepoPath, RunHistory};
use guardhost_core::error::{Fault, Kind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{
    EmbeddedGuards, EngineContext, GuardSet, GuardSpec, HostServices, KeptVerdicts, SharedVerdicts, VerdictCache,
    analyzers, default_set,
};
use guardhost_git::Repo;
use guardhost_os::{Links, Stat};
use guardhost_patch::sanitize;
use guardhost_report::journal::RecordedRuns;

use super::guard_files::{GuardFiles, RulesOrigin, in_repository};
use super::kept_pins::KeptPins;
use super::policy::Policy;
use super::protected::{hooks_in_tree, protected};
use super::recorded::{RecordedGuards, RecordedPolicy};
use super::resolve_pins::{check, digest_not_pinned, spec, spec_of};
use super::toolchain::toolchain;
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
    /// Where verdicts are shared between machines; None: those of this user's earlier runs.
    pub shared: Option<Arc<dyn SharedVerdicts>>,
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
        Some(VerdictCache::OfUser(KeptVerdicts { folder: cache.join("verdicts"), repository, program }))
    }

    /// The embedded analyzers, each with the rights that it needs. Without `runs_code` those that build and test find nothing to ask.
    ///
    /// # Errors
    /// [`Kind::Config`]: never, unless the embedded analyzers are wrong.
    pub fn analyzers(&self, repo: &Repo, runs_code: bool) -> Result<GuardSet> {
        let machine = self.machine();
        let toolchain = runs_code.then(|| Arc::new(toolchain(self.process, repo)));
        let services = HostServices { toolchain, ..machine.services.clone() };
        GuardSet::new(analyzers(self.embedded), &EngineContext { services, ..machine })
    }

    /// The client that fetches components.
    pub fn registry(&self, trust: &Trust) -> RegistryClient {
        RegistryClient {
            cache: Arc::new(ComponentCache::new(self.process.cache.as_ref().map(|cache| cache.join("components")))),
            offline: self.offline,
            plain_http: trust.plain_http.clone(),
            credentials: Credentials { config: self.process.docker.clone(), env: self.process.env.clone() },
        }
    }

    /// Reads the rules from `tree`, the tree of the commit `base`, or from [`PolicySource::config`]. `only` and `skip` select
    /// guards by id; `skip` also takes the ids of [`HostRule`]s.
    ///
    /// # Errors
    /// [`Kind::Config`]: the files are wrong or do not match; [`Kind::GuardLoad`]: a component is not the locked one.
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
    /// [`Kind::Config`]: the files are wrong.
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
        let uncommitted = self.uncommitted_notice(repo, &config);
        let guard_files = [guard_files(&config.rules.guards), self.own_files(repo)].concat();
        let config = match recorded {
            None => config.select(only, &skip)?,
            Some(recorded) => config.retain(|pin| recorded.judged(pin)),
        };
        let Rules { guards: pins, trust, policy, .. } = &config.rules;
        let (net, files) = (self.registry(trust), GuardFiles::Base { repo, tree, rules: self.rules_origin() });
        let locked = |pin: &Pin| lock.as_ref().and_then(|(lock, _)| lock.get(&pin.id));
        let machine = self.machine();
        let mut kept = KeptPins { repo, tree, cache: None };
        if recorded.is_none() && pins.iter().any(|pin| pin.source != ComponentSource::Builtin) {
            kept.cache = machine.code_cache();
        }
        let spec = |pin: &Pin| match kept.source(pin, locked(pin))? {
            Some(source) => spec_of(pin, locked(pin), source),
            None => spec(pin, locked(pin), &files, &net),
        };
        let mut unloadable = Vec::new();
        let specs = match recorded {
            None => pins.iter().map(spec).collect::<Result<Vec<_>>>()?,
            Some(recorded) => {
                let mut specs = Vec::new();
                for pin in pins {
                    // Another host may not embed the guard, or may not accept its settings.
                    let usable = |spec: GuardSpec| GuardSet::new(vec![spec.clone()], &machine).map(|_| spec);
                    match recorded.spec(pin, locked(pin), &files, &net).and_then(usable) {
                        Ok(spec) => specs.push(spec),
                        Err(error) => unloadable.push((pin.id.clone(), format!("{error:#}"))),
                    }
                }
                specs
            }
        };
        let history: Arc<dyn RunHistory> = Arc::new(RecordedRuns { state_dir: repo.state_path() });
        let toolchain = Arc::new(toolchain(self.process, repo));
        let services = HostServices {
            past: Some(history),
            commits: Some(repo.store()),
            toolchain: Some(toolchain),
            ..machine.services.clone()
        };
        let unreadable = match skipped.contains(&HostRule::FilesReadable) {
            true => &["*".to_owned()][..],
            false => &policy.allow_unreadable,
        };
        let machine = EngineContext { services, verdicts: self.verdicts(repo), ..machine };
        let guards = GuardSet::new(specs, &machine).and_then(|guards| guards.allowing_unreadable(unreadable));
        let mut guards = guards.map_err(|error| config.placed(error))?;
        guards.exceptions.comments = policy.allow_comments.unwrap_or_default();
        let unjudged = match skipped.contains(&HostRule::ChangeJudged) {
            true => Some(Unjudged::Accept),
            false => policy.unjudged,
        };
        match &lock {
            _ if recorded.is_some() => {}
            // All components are checked before any runs: if one is not the reviewed one, no guard runs.
            Some((lock, origin)) => {
                for (pin, locked) in pins.iter().filter_map(|pin| Some((pin, lock.get(&pin.id)?))) {
                    check(pin, locked, &guards, trust, origin)?;
                }
            }
            None => check_unlocked(&config, &guards)?,
        }
        let defaults = sanitize::Rules::default();
        let rules = sanitize::Rules {
            protect: [protected(policy).map_err(|error| config.placed(error))?, hooks_in_tree(repo)?].concat(),
            guard_files,
            max_file_bytes: policy.max_file_size.map_or(defaults.max_file_bytes, |size| size.0),
            ..defaults
        };
        let notices = uncommitted.into_iter().chain(net.cache.trouble()).collect();
        Ok(RecordedPolicy { policy: Policy { config, guards, rules, unjudged, notices }, unloadable })
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
        let what = if config.is_default() {
            "is not committed, so it does not judge yet"
        } else {
            let mut written = Vec::new();
            file.take(MAX_FILE).read_to_end(&mut written).ok()?;
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

/// The components that pins name by their path in the repository.
fn guard_files(pins: &[Pin]) -> Vec<RepoPath> {
    let path = |pin: &Pin| match &pin.source {
        ComponentSource::Path(path) => Some(in_repository(path)),
        ComponentSource::Builtin | ComponentSource::Https(_) | ComponentSource::Oci(_) => None,
    };
    pins.iter().filter_map(path).collect()
}

/// Pins of the default set, and of the guards in `named`, which need not be in the default set.
pub fn embedded(guards: &EmbeddedGuards, named: &[String]) -> Result<Vec<Pin>> {
    let pin = |spec: GuardSpec| Pin { grants: spec.grants, ..Pin::of(&spec.id, ComponentSource::Builtin) };
    Ok(default_set(guards, named)?.into_iter().map(pin).collect())
}

/// Without a lock: compares each pin's `digest` and `version`, and `[[refuse]]`, with the component.
fn check_unlocked(config: &Config, guards: &GuardSet) -> Result<()> {
    let origin = &config.origin;
    for pin in &config.rules.guards {
        // The digest comes first: nothing of other bytes is run.
        if let Some(expected) = &pin.digest {
            let actual = guards.digest(&pin.id).unwrap_or_default();
            if actual != expected.as_str() {
                return Err(digest_not_pinned(pin, expected, actual, origin).into());
            }
        }
        check_not_refused(&config.rules, pin, guards)?;
        let Some(wanted) = &pin.version else { continue };
        let fault = |what: String| Fault::new(Kind::Config, format!("{origin}: guard `{}`: {what}", pin.id));
        let Some(requirement) = version_requirement(pin)? else { continue };
        // A component that cannot be loaded gets its own error when it runs.
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

/// `[[refuse]]` names components that are not remote by their digest alone, so that nothing has to be loaded.
fn check_not_refused(rules: &Rules, pin: &Pin, guards: &GuardSet) -> Result<()> {
    if rules.refused.is_empty() {
        return Ok(());
    }
    let (digest, version) =
        (guards.digest(&pin.id).unwrap_or_default(), guards.known_version(&pin.id).unwrap_or("unknown"));
    let facts = ComponentFacts { id: &pin.id, source: &pin.source, version, digest };
    match rules.refusal(&facts) {
        Some(refusal) => Err(refusal.fault(&facts).into()),
        None => Ok(()),
    }
}

fn lock_missing(config: &Config) -> Fault {
    Fault::new(
        Kind::Config,
        format!("there is no {LOCK} beside {}: expected one, as this run is --locked", config.origin),
    )
    .hint(format!("run `host guard lock`, and commit {FILE} and {LOCK}"))
    .code("lock-missing")
}

/// The lock beside a file of rules.
fn lock_of(rules: &RepoPath) -> Option<RepoPath> {
    Some(RepoPath::from(Path::new(rules.as_str()?).with_extension("lock").to_str()?))
}
