//! GitHub's answers as the types of `model`. Fields that are not there are errors, unknown words are unknown.

use serde_json::Value;

use crate::error::Result;
use crate::json::{OWN_STATUS, names, number, text};
use crate::model::{ChangedFile, CiConclusion, CiRun, Job, MergeState, PullRequest, PullState};

pub fn pull(value: &Value) -> Result<PullRequest> {
    let state = match (text(value, "state")?, value["merged_at"].is_string()) {
        (_, true) => PullState::Merged,
        ("open", false) => PullState::Open,
        (_, false) => PullState::Closed,
    };
    // The repository of a deleted fork is null.
    let from_fork = value["head"]["repo"]["id"] != value["base"]["repo"]["id"];
    Ok(PullRequest {
        number: number(value, "number")?,
        url: text(value, "html_url")?.to_owned(),
        title: text(value, "title")?.to_owned(),
        body: value["body"].as_str().unwrap_or_default().to_owned(),
        state,
        draft: value["draft"].as_bool().unwrap_or_default(),
        head: text(&value["head"], "ref")?.to_owned(),
        head_sha: text(&value["head"], "sha")?.to_owned(),
        base: text(&value["base"], "ref")?.to_owned(),
        base_sha: text(&value["base"], "sha")?.to_owned(),
        from_fork,
        merge: merge_state(value),
        labels: names(&value["labels"]),
    })
}

fn merge_state(value: &Value) -> MergeState {
    match (value["mergeable"].as_bool(), value["mergeable_state"].as_str()) {
        (Some(false), _) | (_, Some("dirty")) => MergeState::Conflicts,
        (Some(true), Some("clean" | "has_hooks" | "unstable")) => MergeState::Clean,
        (Some(true), Some("blocked" | "behind" | "draft")) => MergeState::Blocked,
        _ => MergeState::Unknown,
    }
}

pub fn file(value: &Value) -> Result<ChangedFile> {
    Ok(ChangedFile {
        path: text(value, "filename")?.to_owned(),
        additions: number(value, "additions")?,
        deletions: number(value, "deletions")?,
    })
}

pub fn run(value: &Value) -> Result<CiRun> {
    Ok(CiRun {
        id: number(value, "id")?,
        name: value["name"].as_str().unwrap_or("a workflow without a name").to_owned(),
        head_sha: text(value, "head_sha")?.to_owned(),
        conclusion: conclusion(value)?,
        attempt: value["run_attempt"].as_u64().and_then(|attempt| attempt.try_into().ok()).unwrap_or(1),
        url: text(value, "html_url")?.to_owned(),
        is_workflow: true,
    })
}

/// What another app said of a commit; None for the jobs of workflows, which their runs stand for, and for the host's own.
pub fn check(value: &Value, sha: &str) -> Result<Option<CiRun>> {
    let name = text(value, "name")?;
    if value["app"]["slug"] == "github-actions" || name == OWN_STATUS {
        return Ok(None);
    }
    let url = value["html_url"].as_str().unwrap_or_default().to_owned();
    let (id, conclusion) = (number(value, "id")?, conclusion(value)?);
    Ok(Some(CiRun {
        id,
        name: name.to_owned(),
        head_sha: sha.to_owned(),
        conclusion,
        attempt: 1,
        url,
        is_workflow: false,
    }))
}

/// What another service said of a commit; None for the host's own status.
pub fn status(value: &Value, sha: &str) -> Result<Option<CiRun>> {
    let name = text(value, "context")?;
    if name == OWN_STATUS {
        return Ok(None);
    }
    let conclusion = match text(value, "state")? {
        "pending" => None,
        "success" => Some(CiConclusion::Success),
        "failure" | "error" => Some(CiConclusion::Failure),
        _ => Some(CiConclusion::Unknown),
    };
    let url = value["target_url"].as_str().unwrap_or_default().to_owned();
    let id = number(value, "id")?;
    Ok(Some(CiRun {
        id,
        name: name.to_owned(),
        head_sha: sha.to_owned(),
        conclusion,
        attempt: 1,
        url,
        is_workflow: false,
    }))
}

pub fn job(value: &Value) -> Result<Job> {
    let steps = value["steps"].as_array().into_iter().flatten();
    let failed = steps.filter(|step| step["conclusion"] == "failure").find_map(|step| step["name"].as_str());
    Ok(Job {
        id: number(value, "id")?,
        name: text(value, "name")?.to_owned(),
        conclusion: conclusion(value)?,
        failed_step: failed.map(str::to_owned),
    })
}

/// None while it is queued, waiting or at work.
fn conclusion(value: &Value) -> Result<Option<CiConclusion>> {
    if text(value, "status")? != "completed" {
        return Ok(None);
    }
    Ok(Some(match value["conclusion"].as_str() {
        Some("success") => CiConclusion::Success,
        Some("failure" | "startup_failure") => CiConclusion::Failure,
        Some("cancelled" | "stale") => CiConclusion::Cancelled,
        Some("timed_out") => CiConclusion::TimedOut,
        Some("action_required") => CiConclusion::ActionRequired,
        Some("skipped" | "neutral") => CiConclusion::Skipped,
        _ => CiConclusion::Unknown,
    }))
}
