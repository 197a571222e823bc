//! `guardhost:plan/plan`: the steps under judgement, and objections to them.

use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::guardhost::plan::plan::{Host, HostObjection, HostStep};
use crate::call::store_data::StoreData;
use crate::drafts::ObjectionDraft;
use crate::handles::{HANDLE, ObjectionHandle, StepHandle};
use crate::limits::{FINDINGS, GuardStop};
use guardhost_core::change::PlanStep;

/// Objections that one call may begin: a plan may have thousands of steps.
const OBJECTIONS: usize = 10 * FINDINGS;

impl Host for StoreData {
    fn steps(&mut self) -> Result<Vec<Resource<StepHandle>>> {
        self.meter.call()?;
        let steps = u32::try_from(self.plan.len()).unwrap_or(u32::MAX);
        self.meter.bytes(HANDLE * u64::from(steps))?;
        Ok((0..steps).map(Resource::new_own).collect())
    }
}

impl StoreData {
    fn step(&mut self, step: &Resource<StepHandle>) -> Result<&PlanStep> {
        self.meter.call()?;
        let step = StoreData::resource(&self.plan, step)?;
        self.meter.bytes((step.title.len() + step.text.len()) as u64)?;
        Ok(step)
    }
}

impl HostStep for StoreData {
    fn id(&mut self, step: Resource<StepHandle>) -> Result<String> {
        Ok(self.step(&step)?.id.clone())
    }

    fn title(&mut self, step: Resource<StepHandle>) -> Result<String> {
        Ok(self.step(&step)?.title.clone())
    }

    fn description(&mut self, step: Resource<StepHandle>) -> Result<String> {
        Ok(self.step(&step)?.text.clone())
    }

    fn hints(&mut self, step: Resource<StepHandle>) -> Result<Vec<String>> {
        Ok(self.step(&step)?.hints.iter().map(ToString::to_string).collect())
    }

    fn action(&mut self, step: Resource<StepHandle>) -> Result<String> {
        Ok(self.step(&step)?.action.name().to_owned())
    }

    fn drop(&mut self, _: Resource<StepHandle>) -> Result<()> {
        Ok(())
    }
}

impl HostObjection for StoreData {
    fn new(&mut self, step: String, reason: String) -> Result<Resource<ObjectionHandle>> {
        self.meter.call()?;
        self.meter.count_output(step.len() + reason.len())?;
        if self.objections.len() == OBJECTIONS {
            return Err(GuardStop::Output(format!("it began more than {OBJECTIONS} objections")).into());
        }
        StoreData::keep(&mut self.objections, ObjectionDraft { step, reason, hints: None })
    }

    fn set_hints(&mut self, objection: Resource<ObjectionHandle>, hints: Vec<String>) -> Result<()> {
        self.meter.call()?;
        self.meter.count_output(hints.iter().map(|hint| HANDLE as usize + hint.len()).sum())?;
        StoreData::kept_mut(&mut self.objections, &objection)?.hints = Some(hints);
        Ok(())
    }

    fn drop(&mut self, _: Resource<ObjectionHandle>) -> Result<()> {
        Ok(())
    }
}
