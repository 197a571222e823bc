//! `history`: the outcomes of earlier runs in this repository.

use wasmtime::Result;

use crate::bindings::history::{Host, Outcome, ResultKind};
use crate::bindings::refusal::Denied;
use crate::call::store_data::StoreData;
use crate::judge::change_view::repository_error;
use guardhost_core::change::{PastRun, RunEnding};

/// Bytes that one outcome costs beside its paths, about.
const OUTCOME: u64 = 256;

impl Host for StoreData {
    fn outcomes(&mut self, window_hours: u32, limit: u32) -> Result<Result<Vec<Outcome>, Denied>> {
        self.meter.call()?;
        let Some(past) = &self.services.past else {
            return Ok(Err(Denied::Unavailable("nothing is recorded where this change is judged".into())));
        };
        let outcomes = past.outcomes(window_hours, limit).map_err(repository_error)?;
        let paths: usize = outcomes.iter().flat_map(|outcome| &outcome.touched).map(|path| path.as_bytes().len()).sum();
        self.meter.bytes(OUTCOME * outcomes.len() as u64 + paths as u64)?;
        Ok(Ok(outcomes.iter().map(to_wit).collect()))
    }
}

fn to_wit(outcome: &PastRun) -> Outcome {
    Outcome {
        run: outcome.run.clone(),
        step: outcome.step.clone(),
        age_hours: outcome.age_hours,
        kind: match outcome.kind {
            RunEnding::Accepted => ResultKind::Accepted,
            RunEnding::Rejected => ResultKind::Rejected,
            RunEnding::Failed => ResultKind::Failed,
            RunEnding::Abandoned => ResultKind::Abandoned,
        },
        touched: outcome.touched.iter().map(ToString::to_string).collect(),
        rejected_by: outcome.rejected_by.clone(),
    }
}
