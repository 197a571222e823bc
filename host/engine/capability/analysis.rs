//! `guardhost:analysis/points`: parts of a score that an analyzer makes. They are drafts until a call returns them.

use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::guardhost::analysis::points::{Host, HostPoint};
use crate::call::store_data::StoreData;
use crate::drafts::PointDraft;
use crate::handles::PointHandle;
use crate::limits::{FINDINGS, GuardStop};

/// Points that one call may begin: some may be dropped.
const POINTS: usize = 10 * FINDINGS;

impl Host for StoreData {}

impl StoreData {
    /// Counts the host call and what the analyzer says in it.
    fn point_draft(&mut self, point: &Resource<PointHandle>, said: &str) -> Result<&mut PointDraft> {
        self.meter.call()?;
        self.meter.count_output(said.len())?;
        StoreData::kept_mut(&mut self.points, point)
    }
}

impl HostPoint for StoreData {
    fn new(&mut self, rule: String, earned: u32, possible: u32) -> Result<Resource<PointHandle>> {
        self.meter.call()?;
        self.meter.count_output(rule.len())?;
        if self.points.len() == POINTS {
            return Err(GuardStop::Output(format!("it began more than {POINTS} points")).into());
        }
        let (message, help) = (String::new(), String::new());
        StoreData::keep(&mut self.points, PointDraft { rule, earned, possible, path: None, line: None, message, help })
    }

    fn set_path(&mut self, point: Resource<PointHandle>, path: String) -> Result<()> {
        let draft = self.point_draft(&point, &path)?;
        draft.path = Some(path);
        Ok(())
    }

    fn set_line(&mut self, point: Resource<PointHandle>, line: u32) -> Result<()> {
        self.point_draft(&point, "")?.line = Some(line);
        Ok(())
    }

    fn set_message(&mut self, point: Resource<PointHandle>, message: String) -> Result<()> {
        let draft = self.point_draft(&point, &message)?;
        draft.message = message;
        Ok(())
    }

    fn set_help(&mut self, point: Resource<PointHandle>, help: String) -> Result<()> {
        let draft = self.point_draft(&point, &help)?;
        draft.help = help;
        Ok(())
    }

    /// This version knows no attribute.
    fn set_attribute(&mut self, point: Resource<PointHandle>, name: String, value: String) -> Result<()> {
        self.point_draft(&point, &name)?;
        self.meter.count_output(value.len())?;
        Ok(())
    }

    fn drop(&mut self, _: Resource<PointHandle>) -> Result<()> {
        Ok(())
    }
}
