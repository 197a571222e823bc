//! Answers that GitHub and Gitea give in the same form, as the types of `model`. Each adapter reads what differs.

use serde_json::Value;

use crate::error::{ForgeError, ForgeFailure, Result};
use crate::json::{is_own_status, names, number, text};
use crate::model::{
    ChangedFile, CiConclusion, CiJob, CiRun, MergeState, PastPull, PullRequest, PullState, TrackedIssue,
};

/// `is_merged`: what the state does not say.
pub fn pull(value: &Value, is_merged: bool, from_fork: bool, merge: MergeState) -> Result<PullRequest> {
    Ok(PullRequest {
        number: number(value, "number")?,
        url: text(value, "html_url")?.to_owned(),
        title: text(value, "title")?.to_owned(),
        body: value["body"].as_str().unwrap_or_default().to_owned(),
        state: state(value, is_merged)?,
        draft: value["draft"].as_bool().unwrap_or_default(),
        head: text(&value["head"], "ref")?.to_owned(),
        head_sha: text(&value["head"], "sha")?.to_owned(),
        base: text(&value["base"], "ref")?.to_owned(),
        base_sha: text(&value["base"], "sha")?.to_owned(),
        from_fork,
        merge,
        labels: names(&value["labels"]),
    })
}

fn state(value: &Value, is_merged: bool) -> Result<PullState> {
    Ok(match (text(value, "state")?, is_merged) {
        (_, true) => PullState::Merged,
        ("open", false) => PullState::Open,
        (_, false) => PullState::Closed,
    })
}

/// An entry of a list of all. `merge_commit_sha` of one that is not merged is a merge that was only tried.
pub fn past_pull(value: &Value, is_merged: bool, is_by_bot: bool) -> Result<PastPull> {
    Ok(PastPull {
        number: number(value, "number")?,
        title: text(value, "title")?.to_owned(),
        state: state(value, is_merged)?,
        merge_commit: value["merge_commit_sha"].as_str().filter(|_| is_merged).map(str::to_owned),
        head: value["head"]["ref"].as_str().unwrap_or_default().to_owned(),
        head_sha: value["head"]["sha"].as_str().unwrap_or_default().to_owned(),
        author: value["user"]["login"].as_str().unwrap_or_default().to_owned(),
        is_by_bot,
    })
}

/// Both number issues and pull requests together, and answer for either.
pub fn issue(value: &Value) -> Result<TrackedIssue> {
    let number = number(value, "number")?;
    if value["pull_request"].is_object() {
        return Err(ForgeError::new(ForgeFailure::NotFound, format!("{number} is a pull request, and no issue")));
    }
    Ok(TrackedIssue {
        number,
        url: text(value, "html_url")?.to_owned(),
        title: text(value, "title")?.to_owned(),
        body: value["body"].as_str().unwrap_or_default().to_owned(),
        is_open: text(value, "state")? == "open",
    })
}

pub fn file(value: &Value) -> Result<ChangedFile> {
    Ok(ChangedFile {
        path: text(value, "filename")?.to_owned(),
        additions: number(value, "additions")?,
        deletions: number(value, "deletions")?,
    })
}

/// A run of a workflow.
pub fn run(value: &Value, name: &str, conclusion: Option<CiConclusion>) -> Result<CiRun> {
    Ok(CiRun {
        id: number(value, "id")?,
        name: name.to_owned(),
        head_sha: text(value, "head_sha")?.to_owned(),
        conclusion,
        attempt: value["run_attempt"].as_u64().and_then(|attempt| attempt.try_into().ok()).unwrap_or(1),
        url: text(value, "html_url")?.to_owned(),
        is_workflow: true,
    })
}

/// The commit status that a CI service reported, with its state read by `conclusion`; None for a status that the host
/// itself set.
pub fn status(
    value: &Value,
    sha: &str,
    conclusion: impl FnOnce(&Value) -> Result<Option<CiConclusion>>,
) -> Result<Option<CiRun>> {
    let name = text(value, "context")?;
    if is_own_status(name) {
        return Ok(None);
    }
    Ok(Some(CiRun {
        id: number(value, "id")?,
        name: name.to_owned(),
        head_sha: sha.to_owned(),
        conclusion: conclusion(value)?,
        attempt: 1,
        url: value["target_url"].as_str().unwrap_or_default().to_owned(),
        is_workflow: false,
    }))
}

pub fn job(value: &Value, conclusion: Option<CiConclusion>) -> Result<CiJob> {
    let steps = value["steps"].as_array().into_iter().flatten();
    let failed = steps.filter(|step| step["conclusion"] == "failure").find_map(|step| step["name"].as_str());
    Ok(CiJob {
        id: number(value, "id")?,
        name: text(value, "name")?.to_owned(),
        conclusion,
        failed_step: failed.map(str::to_owned),
    })
}
