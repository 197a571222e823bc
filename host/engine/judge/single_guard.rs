//! One guard by itself, for its author: loaded once, with every capability, judging any change with any settings.

use std::sync::Arc;

use serde_json::Value;

use crate::call;
use crate::describe::Description;
use crate::describe::settings;
use crate::failure::GuardFailure;
use crate::grant::{Capability, Grants};
use crate::judge::Judging;
use crate::judge::change_view;
use crate::judge::parallel;
use crate::judge::plan_stage;
use crate::limits::{HostWork, Limits};
use crate::load::Loaded;
use crate::load::component_interface::ComponentInterface;
use crate::load::runner::Runner;
use crate::model::Models;
use crate::reuse::Reuse;
use crate::services::HostServices;
use crate::set::{EngineContext, Guard, GuardSet, GuardSource, GuardSpec};
use guardhost_core::change::{Candidate, Evidence, Failed, GuardVerdict, PlanStep, RunHistory, Task};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, FaultKind, Result};

/// A guard that is not pinned.
pub struct SingleGuard {
    spec: GuardSpec,
    loaded: Loaded,
    machine: EngineContext,
    component: Component,
    surface: ComponentInterface,
}

/// A change to judge, and the settings to judge it with.
#[derive(Clone)]
pub struct GuardInput {
    pub candidate: Candidate,
    pub task: Option<Task>,
    /// An object, or null for none.
    pub settings: Value,
}

pub struct GuardOutput {
    pub evidence: Evidence,
    /// Peak of linear memory, in bytes; 0 without a call.
    pub memory: u64,
    pub host_work: HostWork,
}

impl SingleGuard {
    /// `origin` names where the bytes were read, for messages. Errors: it cannot be loaded, or cannot describe itself.
    pub fn new(component: Component, origin: &str, machine: &EngineContext) -> Result<Self, GuardFailure> {
        let runner = Runner::new()?;
        let loaded = machine.loader(&runner).load(&component, None, &Grants::all(), &Limits::default())?;
        let spec = GuardSpec {
            source: GuardSource::Bytes { bytes: component.clone(), origin: origin.to_owned() },
            grants: Capability::ALL.map(|capability| capability.name().to_owned()).to_vec(),
            ..GuardSpec::builtin(loaded.description.id.clone())
        };
        let surface = ComponentInterface::read(component.bytes())?;
        Ok(SingleGuard { spec, loaded, machine: machine.clone(), component, surface })
    }

    /// With other limits.
    pub fn within(self, limits: Limits) -> Self {
        SingleGuard { spec: GuardSpec { limits, ..self.spec }, ..self }
    }

    /// With another run history.
    pub fn with_past(mut self, past: Arc<dyn RunHistory>) -> Self {
        self.machine.services.past = Some(past);
        self
    }

    pub fn description(&self) -> &Description {
        &self.loaded.description
    }

    /// Calls `describe` again, in a fresh instance.
    pub fn describe(&self) -> Result<Description, GuardFailure> {
        Ok(call::describe(&self.loaded.pre, &Limits::default(), &self.machine.stop)?.0)
    }

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

    pub fn surface(&self) -> &ComponentInterface {
        &self.surface
    }

    /// Bare names of the interfaces that it imports.
    pub fn imports(&self) -> &[String] {
        &self.surface.imports
    }

    /// The imports that a pin has to grant.
    pub fn rights(&self) -> impl Iterator<Item = &str> {
        self.surface.imports.iter().map(String::as_str).filter(|name| Capability::from_name(name).is_some())
    }

    pub fn limits(&self) -> Limits {
        self.spec.limits
    }

    /// Checks settings against the guard's schema. Errors: a message about the first violation.
    pub fn accepts(&self, settings: &Value) -> Result<(), String> {
        let schema = &self.loaded.description.settings_schema;
        settings::check(schema, settings).map_err(|violation| violation.what)
    }

    /// Errors: settings that are not an object; this machine failed. The guard's failures are evidence.
    pub fn judge(&self, input: &GuardInput) -> Result<GuardOutput> {
        self.judge_with(input, None)
    }

    /// The same, with what models answer, if they are asked. Errors as with [`SingleGuard::judge`].
    pub fn judge_with(&self, input: &GuardInput, models: Option<Arc<dyn Models>>) -> Result<GuardOutput> {
        let set = self.alone(&input.settings, models)?;
        let guard = only(&set)?;
        let change = change_view(&input.candidate, input.task.as_ref(), &set);
        let judged = Judging { set: &set, change, reuse: Reuse::none() }.alone(guard);
        output(judged.evidence, judged.memory, judged.host_work)
    }

    /// Judges a plan. Errors as with [`SingleGuard::judge`].
    pub fn judge_plan(&self, steps: &[PlanStep], settings: &Value) -> Result<GuardOutput> {
        let set = self.alone(settings, None)?;
        let (evidence, memory, host_work) = plan_stage::alone(only(&set)?, &set, &self.loaded.outline, steps);
        output(evidence, memory, host_work)
    }

    fn alone(&self, settings: &Value, models: Option<Arc<dyn Models>>) -> Result<GuardSet> {
        let spec = GuardSpec { settings: settings.clone(), ..self.spec.clone() };
        let models = models.or_else(|| self.machine.services.models.clone());
        let services = HostServices { models, ..self.machine.services.clone() };
        let set = GuardSet::new(vec![spec], &EngineContext { services, ..self.machine.clone() })?;
        only(&set)?.adopt(self.loaded.clone());
        Ok(set)
    }

    /// Judges many changes in parallel. Results are in the order of the inputs.
    pub fn judge_all(&self, inputs: &[GuardInput], threads: usize) -> Result<Vec<GuardOutput>> {
        parallel::map(inputs, threads, |input| self.judge(input)).into_iter().collect()
    }

    /// The same, each with what models answer to it.
    pub fn judge_cases(
        &self,
        inputs: &[(GuardInput, Option<Arc<dyn Models>>)],
        threads: usize,
    ) -> Result<Vec<GuardOutput>> {
        let judge = |(input, models): &(GuardInput, Option<Arc<dyn Models>>)| self.judge_with(input, models.clone());
        parallel::map(inputs, threads, judge).into_iter().collect()
    }
}

/// What the machine cannot do says nothing about the guard.
fn output(evidence: Evidence, memory: u64, host_work: HostWork) -> Result<GuardOutput> {
    match &evidence.verdict {
        GuardVerdict::Error { code, message, failed: Failed::Machine | Failed::PartialClone } => {
            Err(Fault::new(FaultKind::Git, message).code(code).into())
        }
        _ => Ok(GuardOutput { evidence, memory, host_work }),
    }
}

fn only(set: &GuardSet) -> Result<&Guard> {
    set.guards.first().ok_or_else(|| Error::msg("a set of one guard has none"))
}
