//! GitLab's answers as the types of `model`. Fields that are not there are errors, unknown words are unknown.

use serde_json::Value;

use crate::error::Result;
use crate::json::{is_own_status, number, text};
use crate::model::{
    ChangedFile, CiConclusion, CiJob, CiRun, MergeState, PastPull, PullRequest, PullState, TrackedIssue,
};

pub fn pull(value: &Value) -> Result<PullRequest> {
    let labels = value["labels"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(PullRequest {
        number: number(value, "iid")?,
        url: text(value, "web_url")?.to_owned(),
        title: text(value, "title")?.to_owned(),
        body: value["description"].as_str().unwrap_or_default().to_owned(),
        state: state(value)?,
        draft: value["draft"].as_bool().unwrap_or_default(),
        head: text(value, "source_branch")?.to_owned(),
        head_sha: text(value, "sha")?.to_owned(),
        base: text(value, "target_branch")?.to_owned(),
        // The base's commit when the diff was made. Null until the forge has made it.
        base_sha: value["diff_refs"]["start_sha"].as_str().unwrap_or_default().to_owned(),
        from_fork: value["source_project_id"] != value["target_project_id"],
        merge: merge_state(value),
        labels: labels.map(str::to_owned).collect(),
    })
}

fn state(value: &Value) -> Result<PullState> {
    Ok(match text(value, "state")? {
        "opened" => PullState::Open,
        "merged" => PullState::Merged,
        // `locked` lasts as long as a merge.
        _ => PullState::Closed,
    })
}

/// A squash that a merge brought in is named beside it; one that was fast-forwarded stands alone.
pub fn past_pull(value: &Value) -> Result<PastPull> {
    let commit = value["merge_commit_sha"].as_str().or(value["squash_commit_sha"].as_str());
    let author = value["author"]["username"].as_str().unwrap_or_default();
    // The accounts of access tokens are `project_7_bot_1a2b` and `group_7_bot_1a2b`.
    let is_by_bot = author.contains("_bot") && ["project_", "group_"].iter().any(|start| author.starts_with(start));
    let state = state(value)?;
    Ok(PastPull {
        number: number(value, "iid")?,
        title: text(value, "title")?.to_owned(),
        state,
        merge_commit: commit.filter(|_| state == PullState::Merged).map(str::to_owned),
        head: text(value, "source_branch")?.to_owned(),
        head_sha: value["sha"].as_str().unwrap_or_default().to_owned(),
        author: author.to_owned(),
        is_by_bot,
    })
}

pub fn issue(value: &Value) -> Result<TrackedIssue> {
    Ok(TrackedIssue {
        number: number(value, "iid")?,
        url: text(value, "web_url")?.to_owned(),
        title: text(value, "title")?.to_owned(),
        body: value["description"].as_str().unwrap_or_default().to_owned(),
        is_open: text(value, "state")? == "opened",
    })
}

fn merge_state(value: &Value) -> MergeState {
    match (value["has_conflicts"] == true, value["detailed_merge_status"].as_str()) {
        (true, _) | (_, Some("conflict")) => MergeState::Conflicts,
        (_, Some("mergeable")) => MergeState::Clean,
        (_, Some("checking" | "unchecked" | "preparing" | "approvals_syncing")) | (_, None) => MergeState::Unknown,
        (_, Some(_)) => MergeState::Blocked,
    }
}

/// The numbers of lines are counted: the forge gives the diff alone.
pub fn file(value: &Value) -> Result<ChangedFile> {
    let diff = text(value, "diff")?;
    let count = |sign: char| diff.lines().filter(|line| line.starts_with(sign)).count() as u64;
    Ok(ChangedFile { path: text(value, "new_path")?.to_owned(), additions: count('+'), deletions: count('-') })
}

pub fn pipeline(value: &Value) -> Result<CiRun> {
    let source = value["source"].as_str().unwrap_or("unknown");
    Ok(CiRun {
        id: number(value, "id")?,
        name: format!("pipeline ({source})"),
        head_sha: text(value, "sha")?.to_owned(),
        conclusion: conclusion(text(value, "status")?),
        attempt: 1,
        url: text(value, "web_url")?.to_owned(),
        is_workflow: true,
    })
}

/// What a service said of a commit; None for jobs, which their pipelines stand for, and for the host's own status.
pub fn status(value: &Value, sha: &str) -> Result<Option<CiRun>> {
    let (id, name) = (number(value, "id")?, text(value, "name")?);
    let url = value["target_url"].as_str().unwrap_or_default();
    if is_own_status(name) || url.ends_with(&format!("/-/jobs/{id}")) {
        return Ok(None);
    }
    Ok(Some(CiRun {
        id,
        name: name.to_owned(),
        head_sha: sha.to_owned(),
        conclusion: allowed(value, conclusion(text(value, "status")?)),
        attempt: 1,
        url: url.to_owned(),
        is_workflow: false,
    }))
}

pub fn job(value: &Value) -> Result<CiJob> {
    Ok(CiJob {
        id: number(value, "id")?,
        name: text(value, "name")?.to_owned(),
        conclusion: allowed(value, conclusion(text(value, "status")?)),
        // A job has a script and no named steps.
        failed_step: None,
    })
}

/// A failure that is allowed to be one is no objection.
fn allowed(value: &Value, conclusion: Option<CiConclusion>) -> Option<CiConclusion> {
    match conclusion {
        Some(CiConclusion::Failure) if value["allow_failure"] == true => Some(CiConclusion::Skipped),
        other => other,
    }
}

/// None while it is queued, waiting or at work.
fn conclusion(status: &str) -> Option<CiConclusion> {
    Some(match status {
        "created"
        | "waiting_for_resource"
        | "waiting_for_callback"
        | "preparing"
        | "pending"
        | "running"
        | "scheduled"
        | "canceling" => return None,
        "success" => CiConclusion::Success,
        "failed" => CiConclusion::Failure,
        "canceled" => CiConclusion::Cancelled,
        "skipped" => CiConclusion::Skipped,
        "manual" => CiConclusion::ActionRequired,
        _ => CiConclusion::Unknown,
    })
}
