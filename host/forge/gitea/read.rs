//! Gitea's answers as the types of `model`. Fields that are not there are errors, unknown words are unknown.

use serde_json::Value;

use crate::error::Result;
use crate::json::{OWN_STATUS, names, number, text};
use crate::model::{ChangedFile, CiConclusion, CiRun, Job, MergeState, PullRequest, PullState};

pub fn pull(value: &Value) -> Result<PullRequest> {
    let state = match (text(value, "state")?, value["merged"] == true) {
        (_, true) => PullState::Merged,
        ("open", false) => PullState::Open,
        (_, false) => PullState::Closed,
    };
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
        from_fork: value["head"]["repo_id"] != value["base"]["repo_id"],
        // False has several reasons: conflicts, a draft, not computed yet.
        merge: if value["mergeable"] == true { MergeState::Clean } else { MergeState::Unknown },
        labels: names(&value["labels"]),
    })
}

pub fn file(value: &Value) -> Result<ChangedFile> {
    Ok(ChangedFile {
        path: text(value, "filename")?.to_owned(),
        additions: number(value, "additions")?,
        deletions: number(value, "deletions")?,
    })
}

pub fn run(value: &Value) -> Result<CiRun> {
    // `ci.yml@refs/heads/main`.
    let path = text(value, "path")?;
    Ok(CiRun {
        id: number(value, "id")?,
        name: path.split_once('@').map_or(path, |(name, _)| name).to_owned(),
        head_sha: text(value, "head_sha")?.to_owned(),
        conclusion: conclusion(value)?,
        attempt: value["run_attempt"].as_u64().and_then(|attempt| attempt.try_into().ok()).unwrap_or(1),
        url: text(value, "html_url")?.to_owned(),
        is_workflow: true,
    })
}

/// Whether a status is that of a job of the run at this address. A status names its job by a path of the server.
pub fn is_of_run(status: &Value, run_url: &str) -> bool {
    let path = |url: &str| match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map(|(_, path)| format!("/{path}")).unwrap_or_default(),
        None => url.to_owned(),
    };
    let (job, run) = (path(status["target_url"].as_str().unwrap_or_default()), path(run_url));
    !run.is_empty() && job.strip_prefix(&run).is_some_and(|rest| rest.starts_with("/jobs/"))
}

/// What a service said of a commit; None for the host's own status.
pub fn status(value: &Value, sha: &str) -> Result<Option<CiRun>> {
    let name = text(value, "context")?;
    if name == OWN_STATUS {
        return Ok(None);
    }
    let conclusion = match text(value, "status")? {
        "pending" => None,
        "success" => Some(CiConclusion::Success),
        "failure" | "error" => Some(CiConclusion::Failure),
        "skipped" => Some(CiConclusion::Skipped),
        // A warning too: no word says whether a person would merge it.
        _ => Some(CiConclusion::Unknown),
    };
    Ok(Some(CiRun {
        id: number(value, "id")?,
        name: name.to_owned(),
        head_sha: sha.to_owned(),
        conclusion,
        attempt: 1,
        url: value["target_url"].as_str().unwrap_or_default().to_owned(),
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
        Some("failure") => CiConclusion::Failure,
        Some("cancelled") => CiConclusion::Cancelled,
        Some("skipped") => CiConclusion::Skipped,
        _ => CiConclusion::Unknown,
    }))
}
