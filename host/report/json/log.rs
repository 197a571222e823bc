//! Recorded runs: the objects as they are in the journal, and the state that follows from them.

use serde_json::{Value, json};

use crate::RunDetails;
use crate::journal::{History, Object, PatchSet};

/// One run in `host log`.
pub fn summary(history: &History) -> Value {
    let run = history.run();
    let end = history.end();
    let latest = history.patch_sets().last().map(|(object, patch_set)| {
        json!({
            "object_id": object.object_id,
            "sequence": patch_set.sequence,
            "apply_status": history.status(&object.object_id),
        })
    });
    json!({
        "run": history.run,
        "state": history.state(),
        "created_at": run.map(|(object, _)| &object.created_at),
        "command": run.map(|(_, run)| run.command.word()),
        "task": run.map(|(_, run)| &run.task),
        "provider": run.map(|(_, run)| &run.provider),
        "base": run.and_then(|(_, run)| run.commit.as_deref()),
        "outcome": end.and_then(|end| end.outcome.as_ref()),
        "reason": end.and_then(|end| end.rationale.as_deref()),
        "commit": end.and_then(|end| end.result_commit_sha.as_deref()),
        "rounds": history.rounds(),
        "latest": latest,
        "micros": end.map(|end| end.micros),
        "unread": history.unread,
        "branch": history.branch(),
        "plan": run.and_then(|(_, run)| run.origin.plan.as_deref()),
        "step": run.and_then(|(_, run)| run.origin.step.as_deref()),
        "resumes": run.and_then(|(_, run)| run.origin.resumes.as_deref()),
    })
}

/// One run in `host log RUN`: the fields of [`summary`], then the objects, the steps of a plan and the committed change.
pub fn detail(RunDetails { history, steps, diff }: &RunDetails) -> Value {
    let mut value = summary(history);
    value["dir"] = json!(history.dir.to_string_lossy());
    value["guards"] = json!(history.run().map(|(_, run)| &run.guards));
    value["patchsets"] = history.patch_sets().map(|(object, patch_set)| attempt(history, object, patch_set)).collect();
    value["decisions"] = history.decisions().map(|(object, _)| json!(object)).collect();
    value["steps"] = steps.iter().map(summary).collect();
    let issues = history.issues().into_iter();
    value["issues"] = issues
        .map(|(record, status)| json!({ "id": record.issue, "fingerprint": record.fingerprint, "status": status }))
        .collect();
    value["diff"] = json!(diff);
    value
}

/// The PatchSet's object with its status, evidence and decision.
fn attempt(history: &History, object: &Object, patch_set: &PatchSet) -> Value {
    let id = &object.object_id;
    let mut value = json!(object);
    value["apply_status"] = json!(history.status(id));
    value["artifact_state"] = json!(patch_set.artifact.as_ref().map(|artifact| history.artifact_state(artifact)));
    value["evidence"] = history.evidence(id).map(|(object, _)| json!(object)).collect();
    value["decision"] = json!(history.decision(id).map(|(object, _)| object));
    let files = history.artifacts(patch_set.round);
    value["files"] =
        files.iter().map(|(path, bytes)| json!({ "path": path.to_string_lossy(), "bytes": bytes })).collect();
    value
}
