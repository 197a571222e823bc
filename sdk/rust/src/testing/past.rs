//! `past.json`: what earlier runs came to, written down by the author of the case.

use serde::Deserialize;

use crate as sdk;

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PastOutcome {
    pub age_hours: u32,
    result: String,
    #[serde(default)]
    run: String,
    #[serde(default)]
    step: String,
    #[serde(default)]
    touched: Vec<String>,
    #[serde(default)]
    rejected_by: Vec<String>,
}

impl From<&PastOutcome> for sdk::Outcome {
    fn from(outcome: &PastOutcome) -> Self {
        sdk::Outcome {
            run: outcome.run.clone(),
            step: outcome.step.clone(),
            age_hours: outcome.age_hours,
            result: outcome.result.clone().into(),
            touched: outcome.touched.clone(),
            rejected_by: outcome.rejected_by.clone(),
        }
    }
}
