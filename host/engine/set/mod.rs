//! The guards that judge, as pinned.

pub mod default_set;
mod folders;
mod guard;
mod readiness;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use guard_files::{Globs, Kinds};
use serde_json::Value;

use crate::describe::Description;
use crate::embedded::{EmbeddedGuards, LanguageClaim};
use crate::exceptions::Exceptions;
use crate::exceptions::names::PinNames;
use crate::facts::FactsCache;
use crate::failure::GuardFailure;
use crate::grant::Capability;
use crate::limits::Limits;
use crate::load::Loader;
use crate::load::code_cache::Cache;
use crate::load::component_record::CachedComponent;
use crate::load::runner::Runner;
use crate::model::Models;
use crate::readers::{LanguageSpec, Languages, TextReaders};
use crate::reuse::cache::VerdictCache;
use crate::services::HostServices;
use guardhost_core::change::{Mode, RecordedAnswers};
use guardhost_core::component::Component;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::setting::SettingPath;
use guardhost_core::stop::StopToken;

pub use folders::{Folder, JudgedFolders};
pub use guard::Guard;

/// Where a guard's component comes from.
#[derive(Debug, Clone)]
pub enum GuardSource {
    /// Embedded in the binary, under the id that the guard gives itself.
    Builtin,
    /// `origin` names where the bytes were read, for messages.
    Bytes { bytes: Component, origin: String },
    /// Loaded before, and not read again. `read` gives the bytes to whatever asks for them after all.
    Kept { component: CachedComponent, origin: String, read: ReadComponent },
}

/// Reads a component where it is pinned.
#[derive(Clone)]
pub struct ReadComponent(Arc<dyn Fn() -> Result<Component> + Send + Sync>);

impl ReadComponent {
    pub fn new(read: impl Fn() -> Result<Component> + Send + Sync + 'static) -> Self {
        ReadComponent(Arc::new(read))
    }

    pub fn read(&self) -> Result<Component> {
        (self.0)()
    }
}

impl std::fmt::Debug for ReadComponent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReadComponent")
    }
}

/// A guard's pin.
#[derive(Debug, Clone)]
pub struct GuardSpec {
    /// What reports call it.
    pub id: String,
    /// The id that the component gives itself, where it is another one.
    pub component: Option<String>,
    /// Where it judges.
    pub folders: JudgedFolders,
    pub source: GuardSource,
    /// Names of capabilities, or `repo:GLOB`.
    pub grants: Vec<String>,
    pub mode: Mode,
    /// Gitignore-style globs of the paths that the guard sees; no include means every path.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub limits: Limits,
    /// An object, or null for none.
    pub settings: Value,
    /// `sha256:…` of the component, as pinned.
    pub expected_digest: Option<String>,
    /// The guard's own version, as pinned.
    pub expected_version: Option<String>,
}

impl GuardSpec {
    /// The id that its component gives itself.
    pub fn component_id(&self) -> &str {
        self.component.as_deref().unwrap_or(&self.id)
    }

    /// An embedded guard with its defaults and no grants.
    pub fn builtin(id: impl Into<String>) -> Self {
        GuardSpec {
            id: id.into(),
            component: None,
            folders: JudgedFolders::default(),
            source: GuardSource::Builtin,
            grants: Vec::new(),
            mode: Mode::default(),
            include: Vec::new(),
            exclude: Vec::new(),
            limits: Limits::default(),
            settings: Value::Null,
            expected_digest: None,
            expected_version: None,
        }
    }
}

/// Where and with what guards run.
#[derive(Clone)]
pub struct EngineContext {
    /// The `host` binary, which compiles guards in a child process.
    pub exe: PathBuf,
    /// A directory only for compiled code, reused by later runs; None disables the reuse.
    pub cache_dir: Option<PathBuf>,
    /// A directory only for outlines and other facts that were read from texts, reused by later runs; None disables the
    /// reuse.
    pub modules_dir: Option<PathBuf>,
    /// A directory only for measurements of trees by analyzers, reused by later runs; None disables the reuse.
    pub measured_dir: Option<PathBuf>,
    /// Stores verdicts between runs and reuses them; with None, every guard is called.
    pub verdicts: Option<VerdictCache>,
    /// Guards that run at the same time.
    pub threads: usize,
    pub services: HostServices,
    pub embedded: &'static EmbeddedGuards,
    /// Ends calls of guards, and the compiler.
    pub stop: StopToken,
}

impl EngineContext {
    /// The folder of compiled code; None when it keeps none, or cannot be used, which the first guard that is loaded reports.
    pub fn code_cache(&self) -> Option<Cache> {
        Cache::open(self.cache_dir.as_deref()?, self.embedded.fingerprint).ok()
    }

    /// `runner` runs the loaded code.
    pub(crate) fn loader<'a>(&'a self, runner: &'a Runner) -> Loader<'a> {
        let cache = self.cache_dir.as_deref();
        Loader { runner, exe: &self.exe, cache, embedded: self.embedded, stop: &self.stop }
    }
}

/// Guards in the order of their pins. Each is loaded when the first change concerns it, and kept.
pub struct GuardSet {
    pub(crate) guards: Vec<Guard>,
    pub(crate) machine: EngineContext,
    /// Paths of files that a change may make unreadable to the guards.
    pub(crate) may_become_unreadable: Globs,
    /// Facts of the trees that were judged.
    pub(crate) known: Arc<FactsCache>,
    /// What reads their texts.
    pub(crate) languages: Languages,
    /// For guards that are not embedded.
    runner: OnceLock<Result<Runner, GuardFailure>>,
    /// Findings that do not count.
    pub exceptions: Exceptions,
}

impl GuardSet {
    /// Loads nothing yet. Errors ([`FaultKind::Config`]): two pins with one id, an id that is not embedded, an unknown grant, an invalid
    /// glob, a limit above the maximum, settings that an embedded guard's schema refuses. Of each guard the first.
    pub fn new(specs: Vec<GuardSpec>, machine: &EngineContext) -> Result<Self> {
        let mut guards: Vec<Guard> = Vec::with_capacity(specs.len());
        let mut wrong = Vec::new();
        for spec in specs {
            if guards.iter().any(|guard| guard.spec.id == spec.id) {
                wrong.push(fault(&spec.id, "is pinned twice", "remove one of the two"));
                continue;
            }
            match Guard::new(spec, machine.embedded) {
                Ok(guard) => guards.push(guard),
                Err(fault) => wrong.push(fault),
            }
        }
        if let Some(fault) = Fault::all(wrong) {
            return Err(fault.into());
        }
        let exceptions = Exceptions { names: PinNames::new(&guards), ..Exceptions::default() };
        Ok(GuardSet {
            guards,
            machine: machine.clone(),
            known: Arc::default(),
            languages: Languages::new(Vec::new(), machine.embedded.readers),
            runner: OnceLock::new(),
            may_become_unreadable: Globs::default(),
            exceptions,
        })
    }

    /// The same guards, for which these languages are read too: in front of the embedded ones, or in place of those with the same id.
    #[must_use]
    pub fn reading(self, pinned: Vec<LanguageSpec>) -> Self {
        GuardSet { languages: Languages::new(pinned, self.machine.embedded.readers), ..self }
    }

    /// The languages in the order in which they are queried. This loads no component.
    pub fn languages(&self) -> &[LanguageSpec] {
        self.languages.all()
    }

    /// Loads the pinned languages. A set whose languages cannot be loaded judges nothing: any of its guards may ask what a text says.
    ///
    /// # Errors
    /// [`FaultKind::GuardLoad`]: one of them is not the pinned one, is no language, or fails.
    pub fn load_languages(&self) -> Result<()> {
        self.readers().map(drop).map_err(|failure| failure.into_fault("no text is read").into())
    }

    /// What a language reads; None when none has this id.
    ///
    /// # Errors
    /// As [`GuardSet::load_languages`].
    pub fn claims_of(&self, language: &str) -> Result<Option<Vec<LanguageClaim>>> {
        let readers = self.readers().map_err(|failure| failure.into_fault("no text is read"))?;
        Ok(readers.claims_of(language).map(<[LanguageClaim]>::to_vec))
    }

    /// Loaded when the first text is read.
    pub(crate) fn readers(&self) -> Result<Arc<TextReaders>, GuardFailure> {
        let loader = || Ok(self.machine.loader(self.runner()?));
        self.languages.load(loader, self.machine.modules_dir.as_ref())
    }

    /// Exempts paths from the host's rule that files stay readable to the guards.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: an invalid glob.
    pub fn allowing_unreadable<G: AsRef<str>>(self, globs: &[G]) -> Result<Self> {
        let may_become_unreadable = Globs::new(globs).map_err(|what| {
            let list = SettingPath::default().key("policy").key("allow_unreadable");
            Fault::new(FaultKind::Config, format!("`policy.allow_unreadable` has a wrong path: {what}"))
                .hint("paths are globs as in .gitignore")
                .setting(Globs::first_wrong(globs).map_or_else(|| list.clone(), |index| list.clone().index(index)))
        })?;
        Ok(GuardSet { may_become_unreadable, ..self })
    }

    /// Without the guards that build and test: what judges a single edit must not take minutes, and half a change need not build.
    pub fn leave_out_toolchain(&mut self) {
        self.guards.retain(|guard| !guard.grants.has(Capability::Toolchain));
    }

    /// Without the guards that ask models.
    pub fn leave_out_models(&mut self) {
        self.guards.retain(|guard| !guard.grants.has(Capability::Model));
    }

    /// Whether a guard starts builds or asks models: a question that takes minutes, or costs money.
    pub fn asks_beyond_the_change(&self) -> bool {
        let asks = |guard: &Guard| guard.grants.has(Capability::Toolchain) || guard.grants.has(Capability::Model);
        self.guards.iter().any(asks)
    }

    /// The same guards, whose questions these models answer.
    pub fn with_models(mut self, models: Arc<dyn Models>) -> Self {
        self.machine.services.models = Some(models);
        self
    }

    /// For a replay: from now on guards get these recorded answers, and no other.
    pub fn answer_from(&mut self, recorded: RecordedAnswers) {
        self.machine.services.recorded = Some(Arc::new(recorded));
    }

    /// What paths are to its guards.
    pub fn kinds(&self) -> &Kinds {
        &self.machine.services.kinds
    }

    /// In order.
    pub fn ids(&self) -> Vec<String> {
        self.guards.iter().map(|guard| guard.spec.id.clone()).collect()
    }

    /// The ids that the guards give themselves, in order; several pins may be of one guard.
    pub fn component_ids(&self) -> impl Iterator<Item = &str> {
        self.guards.iter().map(|guard| guard.spec.component_id())
    }

    /// Made when the first guard needs it.
    pub(crate) fn runner(&self) -> Result<&Runner, GuardFailure> {
        self.runner.get_or_init(Runner::new).as_ref().map_err(GuardFailure::clone)
    }

    /// What ends its guards' calls. Once it has, no judgement of the set counts.
    pub fn stop(&self) -> &StopToken {
        &self.machine.stop
    }

    /// Loads the guard unless it is embedded. None when no guard has this id.
    pub fn description(&self, id: &str) -> Option<Result<&Description, GuardFailure>> {
        let guard = self.guards.iter().find(|guard| guard.spec.id == id)?;
        Some(guard.description(self))
    }
}

fn fault(id: &str, what: &str, hint: &str) -> Fault {
    Fault::new(FaultKind::Config, format!("the guard `{id}` {what}")).hint(hint)
}
