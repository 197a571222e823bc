//! Runs of other machines.

use serde_json::{Value, json};

use super::log;
use crate::{LogReport, SharedRun, SharedRunReport};

/// `host log`. The fields of the observer are there when one is configured.
pub fn list(LogReport { runs, shared }: &LogReport) -> Value {
    let mut value = json!({ "runs": runs.iter().map(log::summary).collect::<Vec<_>>() });
    if let Some(shared) = shared {
        value["machine"] = json!(shared.machine);
        value["elsewhere"] = shared.runs.iter().map(run).collect();
        value["notices"] = json!(shared.notices);
    }
    value
}

pub fn report(SharedRunReport { run: of, page, diff }: &SharedRunReport) -> Value {
    let mut value = run(of);
    value["page"] = json!(page);
    value["diff"] = json!(diff);
    json!({ "run": value })
}

fn run(run: &SharedRun) -> Value {
    json!({
        "run": run.run,
        "state": "ended",
        "machine": run.machine,
        "agent": run.agent,
        "ended_at": run.ended_at,
        "task": run.title,
        "outcome": run.ending.word(),
        "model": run.model,
        "branch": run.branch,
        "commit": run.commit,
        "plan": run.plan,
        "step": run.step,
        "touched": run.touched,
        "failure_modes": run.failure_modes,
    })
}
