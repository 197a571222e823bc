//! Gitea's answers as the types of `model`. Fields that are not there are errors, unknown words are unknown.

use serde_json::Value;

use crate::error::Result;
use crate::github_form;
use crate::json::text;
use crate::model::{CiConclusion, CiJob, CiRun, MergeState, PastPull, PullRequest};

pub use crate::github_form::{file, issue};

pub fn pull(value: &Value) -> Result<PullRequest> {
    let from_fork = value["head"]["repo_id"] != value["base"]["repo_id"];
    // False has several reasons: conflicts, a draft, not computed yet.
    let merge = if value["mergeable"] == true { MergeState::Clean } else { MergeState::Unknown };
    github_form::pull(value, value["merged"] == true, from_fork, merge)
}

/// No answer says which accounts are bots: their names alone tell.
pub fn past_pull(value: &Value) -> Result<PastPull> {
    github_form::past_pull(value, value["merged"] == true, false)
}

pub fn run(value: &Value) -> Result<CiRun> {
    // `ci.yml@refs/heads/main`.
    let path = text(value, "path")?;
    github_form::run(value, path.split_once('@').map_or(path, |(name, _)| name), conclusion(value)?)
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

/// The commit status that a CI service reported; None for a status that the host itself set.
pub fn status(value: &Value, sha: &str) -> Result<Option<CiRun>> {
    github_form::status(value, sha, |value| {
        Ok(match text(value, "status")? {
            "pending" => None,
            "success" => Some(CiConclusion::Success),
            "failure" | "error" => Some(CiConclusion::Failure),
            "skipped" => Some(CiConclusion::Skipped),
            // A warning too: no word says whether a person would merge it.
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
        Some("failure") => CiConclusion::Failure,
        Some("cancelled") => CiConclusion::Cancelled,
        Some("skipped") => CiConclusion::Skipped,
        _ => CiConclusion::Unknown,
    }))
}
