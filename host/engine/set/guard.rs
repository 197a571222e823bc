//! One guard of a set: its pin, checked, and its code, loaded when it is first needed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use guard_files::Globs;
use serde_json::Value;

use crate::describe::identity::Identity;
use crate::describe::outline::DescribedOutline;
use crate::describe::{Description, settings};
use crate::embedded::{Builtin, EmbeddedGuards};
use crate::failure::GuardFailure;
use crate::grant::{Grants, WrongGrant};
use crate::limits::Limits;
use crate::load::component_record::{CachedComponent, ComponentRecord};
use crate::load::runner::Runner;
use crate::load::{self, Loaded};
use crate::set::{GuardSet, GuardSource, GuardSpec, ReadComponent, fault};
use crate::text::similar::did_you_mean;
use guardhost_core::change::RepoPath;
use guardhost_core::component::Component;
use guardhost_core::error::{Fault, Result};
use guardhost_core::setting::SettingPath;

pub struct Guard {
    pub spec: GuardSpec,
    include: Globs,
    exclude: Globs,
    pub settings: String,
    pub grants: Grants,
    origin: ComponentOrigin,
    loaded: OnceLock<Result<Loaded, LoadError>>,
    /// Whether a judgement has reported how it was loaded.
    reported: AtomicBool,
}

/// A version mismatch bars the whole set; every other failure concerns its guard alone.
enum LoadError {
    VersionMismatch(GuardFailure),
    Other(GuardFailure),
}

impl LoadError {
    fn failure(&self) -> &GuardFailure {
        match self {
            LoadError::VersionMismatch(failure) | LoadError::Other(failure) => failure,
        }
    }

    fn prefixed(self, origin: &str) -> Self {
        let prefixed =
            |failure: GuardFailure| GuardFailure { message: format!("{origin}: {}", failure.message), ..failure };
        match self {
            LoadError::VersionMismatch(failure) => LoadError::VersionMismatch(prefixed(failure)),
            LoadError::Other(failure) => LoadError::Other(prefixed(failure)),
        }
    }
}

impl From<GuardFailure> for LoadError {
    fn from(failure: GuardFailure) -> Self {
        LoadError::Other(failure)
    }
}

enum ComponentOrigin {
    Embedded(&'static Builtin),
    Bytes(Component, String),
    LoadedBefore(Box<LoadedBefore>),
}

/// A guard that was loaded before. Its component is read only if its code cannot be used after all.
struct LoadedBefore {
    component: CachedComponent,
    origin: String,
    read: ReadComponent,
    /// Whether it is the pinned guard and its imports are granted; decided when it is first asked about.
    checked: OnceLock<Result<DescribedOutline, LoadError>>,
}

impl Guard {
    pub fn new(spec: GuardSpec, embedded: &EmbeddedGuards) -> Result<Self, Fault> {
        let id = &spec.id;
        let own = || SettingPath::guard(id);
        let globs = |globs: &[String], key: &str| {
            Globs::new(globs).map_err(|what| {
                let list = own().key("paths").key(key);
                let place = Globs::first_wrong(globs).map_or_else(|| list.clone(), |index| list.clone().index(index));
                fault(id, &format!("has a wrong path: {what}"), "paths are globs as in .gitignore").setting(place)
            })
        };
        let (include, exclude) = (globs(&spec.include, "include")?, globs(&spec.exclude, "exclude")?);
        let grants = Grants::read(&spec.grants).map_err(|WrongGrant { index, what, hint }| {
            fault(id, &what, &hint).setting(own().key("grants").index(index))
        })?;
        let Limits { fuel, memory, seconds } = spec.limits;
        let above = [
            ("fuel", fuel > Limits::MAX_FUEL),
            ("memory", memory > Limits::MAX_MEMORY),
            ("seconds", seconds > Limits::MAX_SECONDS),
        ];
        if let Some((name, _)) = above.into_iter().find(|(_, is_above)| *is_above) {
            let most = format!(
                "the most is fuel {}, memory {} MiB and seconds {}",
                Limits::MAX_FUEL,
                Limits::MAX_MEMORY >> 20,
                Limits::MAX_SECONDS
            );
            return Err(fault(id, "has limits above the maximum", &most).setting(own().key("limits").key(name)));
        }
        let table = match &spec.settings {
            Value::Null => Value::Object(Default::default()),
            table => table.clone(),
        };
        let origin = match &spec.source {
            GuardSource::Bytes { bytes, origin } => ComponentOrigin::Bytes(bytes.clone(), origin.clone()),
            GuardSource::Kept { component, origin, read } => ComponentOrigin::LoadedBefore(Box::new(LoadedBefore {
                component: component.clone(),
                origin: origin.clone(),
                read: read.clone(),
                checked: OnceLock::new(),
            })),
            GuardSource::Builtin => {
                let guard = embedded.get(spec.component_id()).ok_or_else(|| {
                    let ids = embedded.ids();
                    let name = spec.component_id();
                    let near = did_you_mean(name, &ids);
                    let hint = format!("{near}these are {}", ids.join(", "));
                    let key = if spec.component.is_some() { "guard" } else { "id" };
                    fault(name, "is not among the embedded guards", &hint).setting(own().key(key))
                })?;
                // The schema of an embedded guard accepts a table without settings, which is what nearly every pin has: a test sees to it.
                // To read the descriptions of all guards would take a quarter of a check that is not new.
                if table.as_object().is_none_or(|table| !table.is_empty()) {
                    settings::check(&guard.description.get().settings_schema, &table).map_err(|wrong| {
                        let what = format!("has wrong settings: {}", wrong.what);
                        fault(id, &what, &format!("see `host guard info {id}`")).setting(own().join(wrong.at))
                    })?;
                }
                ComponentOrigin::Embedded(guard)
            }
        };
        let settings = table.to_string();
        Ok(Guard {
            include,
            exclude,
            grants,
            settings,
            origin,
            spec,
            loaded: OnceLock::new(),
            reported: AtomicBool::new(false),
        })
    }

    /// An embedded guard's is known without loading it.
    pub fn description<'a>(&'a self, set: &'a GuardSet) -> Result<&'a Description, GuardFailure> {
        match &self.origin {
            ComponentOrigin::Embedded(guard) => Ok(guard.description.get()),
            ComponentOrigin::Bytes(..) => self.load(set).map(|loaded| &loaded.description),
            ComponentOrigin::LoadedBefore(kept) => self.checked(kept).map(|_| &kept.component.record.description),
        }
    }

    /// The part that decides whether to call it; the same holds.
    pub fn outline<'a>(&'a self, set: &'a GuardSet) -> Result<&'a DescribedOutline, GuardFailure> {
        match &self.origin {
            ComponentOrigin::Embedded(guard) => Ok(&guard.outline),
            ComponentOrigin::Bytes(..) => self.load(set).map(|loaded| &loaded.outline),
            ComponentOrigin::LoadedBefore(kept) => self.checked(kept),
        }
    }

    fn checked<'a>(&'a self, kept: &'a LoadedBefore) -> Result<&'a DescribedOutline, GuardFailure> {
        self.check_kept(kept).as_ref().map_err(|error| error.failure().clone())
    }

    /// What loading it would find, except for the code.
    fn check_kept<'a>(&self, kept: &'a LoadedBefore) -> &'a Result<DescribedOutline, LoadError> {
        kept.checked.get_or_init(|| {
            let record = &kept.component.record;
            let granted = kept.component.check_imports(&self.grants).map_err(LoadError::Other);
            let checked = granted.and_then(|()| self.check_pin(&record.description));
            checked.map(|()| DescribedOutline::from(&record.description)).map_err(|error| error.prefixed(&kept.origin))
        })
    }

    /// Bytes of what has to be loaded: guards with more code take longer.
    pub fn size(&self) -> usize {
        match &self.origin {
            ComponentOrigin::Embedded(guard) => guard.compiled.code.len(),
            ComponentOrigin::Bytes(component, _) => component.bytes().len(),
            ComponentOrigin::LoadedBefore(kept) => kept.component.record.size,
        }
    }

    /// Of the bytes that will run.
    pub fn identity(&self) -> Result<Identity, GuardFailure> {
        match &self.origin {
            ComponentOrigin::Embedded(guard) => Identity::from_embedded(guard),
            ComponentOrigin::Bytes(component, _) => Identity::new(component),
            ComponentOrigin::LoadedBefore(kept) => {
                let ComponentRecord { digest, size, surface, .. } = &*kept.component.record;
                Ok(Identity { digest: digest.clone(), size: *size, surface: surface.clone() })
            }
        }
    }

    /// Its component, read if it was not; None when it is embedded.
    pub fn pinned(&self) -> Option<Result<Component>> {
        match &self.origin {
            ComponentOrigin::Embedded(..) => None,
            ComponentOrigin::Bytes(component, _) => Some(Ok(component.clone())),
            ComponentOrigin::LoadedBefore(kept) => Some(kept.read.read()),
        }
    }

    pub fn is_pinned(&self) -> bool {
        match &self.origin {
            ComponentOrigin::Embedded(..) => false,
            ComponentOrigin::Bytes(..) | ComponentOrigin::LoadedBefore(..) => true,
        }
    }

    pub fn sees(&self, path: &RepoPath) -> bool {
        self.spec.folders.has(path)
            && (self.include.is_empty() || self.include.matches(path))
            && !self.exclude.matches(path)
    }

    /// True once: for the first judgement after the guard was loaded.
    pub fn take_first_load(&self) -> bool {
        self.loaded().is_some() && !self.reported.swap(true, Ordering::Relaxed)
    }

    pub fn loaded(&self) -> Option<&Loaded> {
        self.loaded.get()?.as_ref().ok()
    }

    /// The outline, if it is known without loading.
    pub fn known(&self) -> Option<&DescribedOutline> {
        match &self.origin {
            ComponentOrigin::Embedded(guard) => Some(&guard.outline),
            ComponentOrigin::Bytes(..) => self.loaded().map(|loaded| &loaded.outline),
            ComponentOrigin::LoadedBefore(kept) => kept.checked.get()?.as_ref().ok(),
        }
    }

    /// The digest, if it is known without hashing.
    pub fn known_digest(&self) -> String {
        match &self.origin {
            ComponentOrigin::Embedded(guard) => guard.digest.to_string(),
            ComponentOrigin::Bytes(component, _) => {
                let known = component.known_digest();
                known.or(self.spec.expected_digest.as_deref()).unwrap_or_default().to_owned()
            }
            ComponentOrigin::LoadedBefore(kept) => kept.component.record.digest.clone(),
        }
    }

    /// Of the bytes that will run.
    pub fn digest(&self) -> &str {
        match &self.origin {
            ComponentOrigin::Embedded(guard) => guard.digest,
            ComponentOrigin::Bytes(component, _) => component.digest(),
            ComponentOrigin::LoadedBefore(kept) => &kept.component.record.digest,
        }
    }

    /// Takes code that another set loaded from the same bytes, if it matches this pin too.
    pub fn adopt(&self, loaded: Loaded) {
        let checked = self.check_pin(&loaded.description).map(|()| loaded);
        self.reported.store(true, Ordering::Relaxed);
        // If it is loaded already, it was loaded from the same bytes.
        let _ = self.loaded.set(checked);
    }

    pub fn load<'a>(&'a self, set: &'a GuardSet) -> Result<&'a Loaded, GuardFailure> {
        self.load_once(set).as_ref().map_err(|error| error.failure().clone())
    }

    /// Whether it is another version than was pinned. Loads it, if only so it can tell.
    pub fn version_mismatch(&self, set: &GuardSet) -> bool {
        let mismatch = |error: Option<&LoadError>| matches!(error, Some(LoadError::VersionMismatch(_)));
        match &self.origin {
            ComponentOrigin::LoadedBefore(kept) => mismatch(self.check_kept(kept).as_ref().err()),
            ComponentOrigin::Embedded(_) | ComponentOrigin::Bytes(..) => mismatch(self.load_once(set).as_ref().err()),
        }
    }

    /// Whether its code, or what is known of it without loading it, came from the binary or the cache.
    pub fn is_kept(&self) -> bool {
        matches!(&self.origin, ComponentOrigin::LoadedBefore(kept) if kept.checked.get().is_some())
    }

    fn load_once(&self, set: &GuardSet) -> &Result<Loaded, LoadError> {
        self.loaded.get_or_init(|| self.load_now(set))
    }

    fn load_now(&self, set: &GuardSet) -> Result<Loaded, LoadError> {
        let expected = self.spec.expected_digest.as_deref();
        match &self.origin {
            ComponentOrigin::Embedded(guard) if expected.is_some_and(|expected| expected != guard.digest) => {
                Err(GuardFailure::new(
                    "digest-mismatch",
                    format!(
                        "this host embeds {}, pinned is {}: use the host that the pin was made with, or run `host guard lock`",
                        guard.digest,
                        expected.unwrap_or_default()
                    ),
                )
                .into())
            }
            ComponentOrigin::Embedded(guard) => Ok(load::embedded(guard, &self.grants)?),
            ComponentOrigin::Bytes(component, origin) => self.load_bytes(set, component, origin),
            ComponentOrigin::LoadedBefore(kept) => {
                self.checked(kept)?;
                if let Some(loaded) = self.load_kept(set.runner()?, &kept.component) {
                    return Ok(loaded);
                }
                let component = kept.read.read().map_err(|error| GuardFailure::new("load", format!("{error:#}")))?;
                self.load_bytes(set, &component, &kept.origin)
            }
        }
    }

    fn load_bytes(&self, set: &GuardSet, component: &Component, origin: &str) -> Result<Loaded, LoadError> {
        let expected = self.spec.expected_digest.as_deref();
        let loaded = set.machine.loader(set.runner()?).load(component, expected, &self.grants, &self.spec.limits);
        let checked =
            loaded.map_err(LoadError::Other).and_then(|loaded| self.check_pin(&loaded.description).map(|()| loaded));
        checked.map_err(|error| error.prefixed(origin))
    }

    /// None when its code does not run here: of another processor, or for a contract that this host does not have.
    fn load_kept(&self, runner: &Runner, component: &CachedComponent) -> Option<Loaded> {
        let pre = runner.link(&component.load(&runner.engine).ok()?, &self.grants).ok()?;
        let description = component.record.description.clone();
        Some(Loaded { pre, outline: (&description).into(), description, cached: true, notice: None })
    }

    /// Checks the pin against the loaded guard's description.
    fn check_pin(&self, description: &Description) -> Result<(), LoadError> {
        if description.id != self.spec.component_id() {
            let id = &description.id;
            let message = format!("the guard calls itself `{id}`; pin it under that id, or write guard = \"{id}\"");
            return Err(GuardFailure::new("wrong-id", message).into());
        }
        if let Some(pinned) = self.spec.expected_version.as_deref().filter(|pinned| *pinned != description.version) {
            let message = format!(
                "expected version {pinned}, actual {}: restore guards.lock, or write it again: host guard lock",
                description.version
            );
            return Err(LoadError::VersionMismatch(GuardFailure::new("version-mismatch", message)));
        }
        let table = serde_json::from_str(&self.settings).unwrap_or(Value::Null);
        settings::check(&description.settings_schema, &table)
            .map_err(|violation| GuardFailure::new("settings", violation.what).into())
    }
}
