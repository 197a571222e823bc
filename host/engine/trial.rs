//! One guard by itself, as its author sees it: loaded once, granted what it imports, judging any change with any settings.

use std::sync::Arc;

use serde_json::Value;

use super::authority::Authority;
use super::case::Case;
use super::description::Description;
use super::failure::Failure;
use super::judge::{Turn, judge};
use super::limits::Limits;
use super::load::{Loaded, Loader};
use super::parallel;
use super::set::{Guard, GuardSet, GuardSpec, Machine, Source};
use super::surface::Surface;
use super::{engine, plan, run, settings};
use guardhost_core::change::{Candidate, Evidence, Past, Step, Task, Verdict};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Result};

/// A guard that is pinned nowhere.
pub struct Trial {
    spec: GuardSpec,
    loaded: Loaded,
    machine: Machine,
    component: Component,
    surface: Surface,
}

/// What it is asked to judge.
#[derive(Clone)]
pub struct Sample {
    pub candidate: Candidate,
    pub task: Option<Task>,
    /// An object, or null for none.
    pub settings: Value,
}

/// What came of it.
pub struct Tried {
    pub evidence: Evidence,
    /// Bytes of linear memory that the call came to; 0 without a call.
    pub memory: u64,
}

impl Trial {
    /// `origin` names where the bytes were read, for messages. Errors: it cannot be loaded, or cannot describe itself.
    pub fn new(component: Component, origin: &str, machine: &Machine) -> Result<Self, Failure> {
        let engine = engine::plain().map_err(|error| Failure::new("load", format!("{error:#}")))?;
        let loader = Loader { engine: &engine, exe: &machine.exe, cache: machine.cache_dir.as_deref() };
        let loaded = loader.load(&component, None, &Authority::ALL, &Limits::default())?;
        let spec = GuardSpec {
            source: Source::Bytes { bytes: component.clone(), origin: origin.to_owned() },
            grants: Authority::ALL.map(|authority| authority.name().to_owned()).to_vec(),
            ..GuardSpec::builtin(loaded.description.id.clone())
        };
        let surface = Surface::read(component.bytes())?;
        Ok(Trial { spec, loaded, machine: machine.clone(), component, surface })
    }

    /// The same, under other limits.
    pub fn within(self, limits: Limits) -> Self {
        Trial { spec: GuardSpec { limits, ..self.spec }, ..self }
    }

    /// The same, with another past lent.
    pub fn with_past(mut self, past: Arc<dyn Past>) -> Self {
        self.machine.lent.past = Some(past);
        self
    }

    pub fn description(&self) -> &Description {
        &self.loaded.description
    }

    /// Asks it again what it is, in a fresh instance.
    pub fn describe(&self) -> Result<Description, Failure> {
        run::describe(&self.loaded.pre, &Limits::default())
    }

    /// Its bytes and their hash.
    pub fn component(&self) -> &Component {
        &self.component
    }

    /// `sha256:…` of the component.
    pub fn digest(&self) -> &str {
        self.component.digest()
    }

    /// Bytes of the component.
    pub fn size(&self) -> usize {
        self.component.bytes().len()
    }

    /// Bare names of the interfaces that it imports.
    pub fn imports(&self) -> &[String] {
        &self.surface.imports
    }

    /// Of those, what a pin has to grant.
    pub fn rights(&self) -> impl Iterator<Item = &str> {
        self.surface.imports.iter().map(String::as_str).filter(|name| Authority::from_name(name).is_some())
    }

    /// What a call of it may use up.
    pub fn limits(&self) -> Limits {
        self.spec.limits
    }

    /// Errors: why it has no such settings, in words.
    pub fn accepts(&self, settings: &Value) -> Result<(), String> {
        settings::check(&self.loaded.description.settings_schema, settings)
    }

    /// Errors: settings that are no table. What the guard does wrong is evidence.
    pub fn judge(&self, sample: &Sample) -> Result<Tried> {
        let set = self.alone(&sample.settings)?;
        let guard = only(&set)?;
        let case = Arc::new(Case::new(&sample.candidate, sample.task.as_ref(), &set.known));
        // In the second turn every guard is asked.
        let judged = judge(guard, &set, &case, Turn::Costly(Verdict::Pass));
        let judged = judged.ok_or_else(|| Error::msg("the guard was not asked"))?;
        Ok(Tried { evidence: judged.evidence, memory: judged.memory })
    }

    /// Which steps it would drop. Errors as with [`Trial::judge`].
    pub fn judge_plan(&self, steps: &[Step], settings: &Value) -> Result<Tried> {
        let set = self.alone(settings)?;
        let (evidence, memory) = plan::one(only(&set)?, &set, &self.loaded.description, steps);
        Ok(Tried { evidence, memory })
    }

    fn alone(&self, settings: &Value) -> Result<GuardSet> {
        let spec = GuardSpec { settings: settings.clone(), ..self.spec.clone() };
        let set = GuardSet::new(vec![spec], &self.machine)?;
        only(&set)?.adopt(self.loaded.clone());
        Ok(set)
    }

    /// Many at once; what came of them is in their order.
    pub fn judge_all(&self, samples: &[Sample], threads: usize) -> Result<Vec<Tried>> {
        parallel::map(samples, threads, |sample| self.judge(sample)).into_iter().collect()
    }
}

fn only(set: &GuardSet) -> Result<&Guard> {
    set.guards.first().ok_or_else(|| Error::msg("a set of one guard has none"))
}
