//! `guardhost:history`: the outcomes of earlier runs in this repository.

use serde_json::json;
use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::guardhost::guard::types::Denied;
use crate::bindings::guardhost::history::history::{Host, HostOutcome};
use crate::call::store_data::StoreData;
use crate::call::transcript::ServiceReply;
use crate::handles::OutcomeHandle;
use crate::judge::change_view::repository_error;
use guardhost_core::change::{PastRun, Service};

/// Bytes that one outcome costs beside its paths, about.
const OUTCOME: u64 = 256;

impl Host for StoreData {
    fn outcomes(&mut self, window_hours: u32, limit: u32) -> Result<Result<Vec<Resource<OutcomeHandle>>, Denied>> {
        self.meter.call()?;
        let question = json!({ "window_hours": window_hours, "limit": limit });
        let reply = self.consult(Service::History, &question, |services| match &services.past {
            Some(past) => past.outcomes(window_hours, limit).map(ServiceReply::Given).map_err(repository_error),
            None => Ok(ServiceReply::Unavailable("nothing is recorded where this change is judged".to_owned())),
        })?;
        let outcomes: Vec<PastRun> = match reply.granted() {
            Ok(outcomes) => outcomes,
            Err(denied) => return Ok(Err(denied)),
        };
        let paths: usize = outcomes.iter().flat_map(|outcome| &outcome.touched).map(|path| path.as_bytes().len()).sum();
        self.meter.bytes(OUTCOME * outcomes.len() as u64 + paths as u64)?;
        outcomes.into_iter().map(|outcome| StoreData::keep(&mut self.outcomes, outcome)).collect::<Result<_>>().map(Ok)
    }
}

impl StoreData {
    fn outcome(&mut self, outcome: &Resource<OutcomeHandle>) -> Result<&PastRun> {
        self.meter.call()?;
        self.meter.bytes(OUTCOME)?;
        StoreData::resource(&self.outcomes, outcome)
    }
}

impl HostOutcome for StoreData {
    fn run(&mut self, outcome: Resource<OutcomeHandle>) -> Result<String> {
        Ok(self.outcome(&outcome)?.run.clone())
    }

    fn step(&mut self, outcome: Resource<OutcomeHandle>) -> Result<String> {
        Ok(self.outcome(&outcome)?.step.clone())
    }

    fn age_hours(&mut self, outcome: Resource<OutcomeHandle>) -> Result<u32> {
        Ok(self.outcome(&outcome)?.age_hours)
    }

    fn result(&mut self, outcome: Resource<OutcomeHandle>) -> Result<String> {
        Ok(self.outcome(&outcome)?.kind.as_str().to_owned())
    }

    fn touched(&mut self, outcome: Resource<OutcomeHandle>) -> Result<Vec<String>> {
        let touched: Vec<String> = self.outcome(&outcome)?.touched.iter().map(ToString::to_string).collect();
        self.meter.bytes(touched.iter().map(String::len).sum::<usize>() as u64)?;
        Ok(touched)
    }

    fn rejected_by(&mut self, outcome: Resource<OutcomeHandle>) -> Result<Vec<String>> {
        Ok(self.outcome(&outcome)?.rejected_by.clone())
    }

    fn drop(&mut self, _: Resource<OutcomeHandle>) -> Result<()> {
        Ok(())
    }
}
