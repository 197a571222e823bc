//! GitHub's answers as the types of `model`. Fields that are not there are errors, unknown words are unknown.

use serde_json::Value;

use crate::error::Result;
use crate::github_form;
use crate::json::{is_own_status, number, text};
use crate::model::{CiConclusion, CiJob, CiRun, MergeState, PastPull, PullRequest};

pub use crate::github_form::{file, issue};

pub fn pull(value: &Value) -> Result<PullRequest> {
    // The repository of a deleted fork is null.
    let from_fork = value["head"]["repo"]["id"] != value["base"]["repo"]["id"];
    github_form::pull(value, value["merged_at"].is_string(), from_fork, merge_state(value))
}

pub fn past_pull(value: &Value) -> Result<PastPull> {
    github_form::past_pull(value, value["merged_at"].is_string(), value["user"]["type"] == "Bot")
}

fn merge_state(value: &Value) -> MergeState {
    match (value["mergeable"].as_bool(), value["mergeable_state"].as_str()) {
        (Some(false), _) | (_, Some("dirty")) => MergeState::Conflicts,
        (Some(true), Some("clean" | "has_hooks" | "unstable")) => MergeState::Clean,
        (Some(true), Some("blocked" | "behind" | "draft")) => MergeState::Blocked,
        _ => MergeState::Unknown,
    }
}

pub fn run(value: &Value) -> Result<CiRun> {
    let name = value["name"].as_str().unwrap_or("a workflow without a name");
    github_form::run(value, name, conclusion(value)?)
}

/// What another app said of a commit; None for the jobs of workflows, which their runs stand for, and for the host's own.
pub fn check(value: &Value, sha: &str) -> Result<Option<CiRun>> {
    let name = text(value, "name")?;
    if value["app"]["slug"] == "github-actions" || is_own_status(name) {
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

/// The commit status that a CI service reported; None for a status that the host itself set.
pub fn status(value: &Value, sha: &str) -> Result<Option<CiRun>> {
    github_form::status(value, sha, |value| {
        Ok(match text(value, "state")? {
            "pending" => None,
            "success" => Some(CiConclusion::Success),
            "failure" | "error" => Some(CiConclusion::Failure),
            _ => Some(CiConclusion::Unknown),
        })
    })
}

pub fn job(value: &Value) -> Result<CiJob> {
    github_form::job(value, conclusion(value)?)
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
