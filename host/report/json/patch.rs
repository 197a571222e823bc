//! The fields of `host apply`, then those of the run that made the patch.

use serde_json::{Value, json};

use super::apply::apply;
use crate::{NamedError, PatchReport};

pub fn patch(report: &PatchReport) -> Value {
    let mut value = apply(&report.apply);
    value["run"] = json!(report.run);
    value["outcome"] = json!(report.outcome);
    value["source"] = json!(report.source);
    value["target"] = json!(report.target);
    value["error"] = json!(report.error.as_ref().map(error));
    value["rounds"] = json!(report.rounds);
    value["artifacts"] = report.artifacts.iter().map(|path| path.to_string_lossy()).collect();
    value["notices"] = json!(report.notices);
    value["micros"] = json!(report.micros);
    value
}

fn error(NamedError { code, message }: &NamedError) -> Value {
    json!({ "code": code, "message": message })
}
