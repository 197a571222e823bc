//! Statuses, check runs and builds.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::{GitHub, read};
use crate::error::{ForgeError, ForgeFailure, Result};
use crate::http::HttpCall;
use crate::json::{MAX_DESCRIPTION_CHARS, MAX_LOG_BYTES, OWN_STATUS, encoded, number};
use crate::model::{CheckRun, CiRun, CommitStatus, StatusState};

impl GitHub {
    pub(super) fn post_status(&self, sha: &str, status: &CommitStatus) -> Result<()> {
        let state = match status.state {
            StatusState::Pending => "pending",
            StatusState::Success => "success",
            StatusState::Failure => "failure",
            StatusState::Error => "error",
        };
        let description: String = status.description.chars().take(MAX_DESCRIPTION_CHARS).collect();
        let body = json!({ "state": state, "context": status.context, "description": description });
        // The newest of a context counts, so a second one changes nothing.
        self.http.json(&HttpCall::put(self.path(&format!("/statuses/{}", encoded(sha))), body)).map(drop)
    }

    /// One check run for each external id.
    pub(super) fn post_check(&self, sha: &str, check: &CheckRun) -> Result<()> {
        let output = json!({ "title": check.title, "summary": check.summary });
        let conclusion = if check.passed { "success" } else { "failure" };
        let body = json!({ "status": "completed", "conclusion": conclusion, "output": output });
        let find = || self.find_check(sha, check);
        if let Some(id) = find()? {
            return self.http.json(&HttpCall::patch(self.path(&format!("/check-runs/{id}")), body)).map(drop);
        }
        let mut new = body;
        new["name"] = json!(check.name);
        new["head_sha"] = json!(sha);
        new["external_id"] = json!(check.external_id);
        let read = |value: &Value| number(value, "id");
        self.http.create(&HttpCall::post(self.path("/check-runs"), new), read, find).map(drop)
    }

    /// As the analysis of a pull request's commit: packed by gzip, then in base64.
    pub(super) fn post_sarif(&self, sha: &str, number: u64, sarif: &[u8]) -> Result<()> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        let written = packed.write_all(sarif).and_then(|()| packed.finish());
        let bytes = written.map_err(|error| ForgeError::protocol(format!("the report cannot be packed: {error}")))?;
        let body = json!({
            "commit_sha": sha, "ref": format!("refs/pull/{number}/head"), "sarif": STANDARD.encode(bytes), "tool_name": OWN_STATUS,
        });
        // The analysis of a tool and a commit takes the place of the one before.
        self.http.json(&HttpCall::put(self.path("/code-scanning/sarifs"), body)).map(drop)
    }

    fn find_check(&self, sha: &str, check: &CheckRun) -> Result<Option<u64>> {
        let path = format!("/commits/{}/check-runs?check_name={}", encoded(sha), encoded(&check.name));
        let found = self.http.list(&self.path(&path), Some("check_runs"))?;
        let ours = found.iter().find(|run| run["external_id"] == check.external_id.as_str());
        ours.map(|run| number(run, "id")).transpose()
    }

    pub(super) fn list_runs(&self, sha: &str) -> Result<Vec<CiRun>> {
        let path = self.path(&format!("/actions/runs?head_sha={}", encoded(sha)));
        let runs = self.http.list(&path, Some("workflow_runs"))?;
        let mut found: Vec<(Option<u64>, CiRun)> = Vec::new();
        for value in &runs {
            let run = read::run(value)?;
            if run.head_sha != sha {
                continue;
            }
            // The newest run of each workflow comes first.
            let workflow = value["workflow_id"].as_u64();
            if workflow.is_none() || found.iter().all(|(known, _)| *known != workflow) {
                found.push((workflow, run));
            }
        }
        let mut found: Vec<CiRun> = found.into_iter().map(|(_, run)| run).collect();
        found.extend(self.others(sha)?);
        Ok(found)
    }

    /// What other apps and services said of a commit: the newest of each name.
    fn others(&self, sha: &str) -> Result<Vec<CiRun>> {
        let commit = format!("/commits/{}", encoded(sha));
        let checks = self.http.list(&self.path(&format!("{commit}/check-runs?filter=latest")), Some("check_runs"))?;
        let statuses = self.http.list(&self.path(&format!("{commit}/statuses")), None)?;
        let checks = checks.iter().map(|value| read::check(value, sha));
        let statuses = statuses.iter().map(|value| read::status(value, sha));
        let mut found: Vec<CiRun> = Vec::new();
        for run in checks.chain(statuses) {
            if let Some(run) = run?
                && found.iter().all(|known| known.name != run.name)
            {
                found.push(run);
            }
        }
        Ok(found)
    }

    pub(super) fn log_of(&self, job: u64) -> Result<String> {
        self.http.redirected_text(&HttpCall::get(self.path(&format!("/actions/jobs/{job}/logs"))), MAX_LOG_BYTES)
    }

    pub(super) fn rerun_failed(&self, run: &CiRun) -> Result<()> {
        let call = HttpCall::post(self.path(&format!("/actions/runs/{}/rerun-failed-jobs", run.id)), json!({}));
        let find = || {
            let now = read::run(&self.http.json(&HttpCall::get(self.path(&format!("/actions/runs/{}", run.id))))?)?;
            Ok((now.attempt > run.attempt).then_some(()))
        };
        match self.http.create(&call, |_| Ok(()), find) {
            Err(ForgeError { class: ForgeFailure::Conflict, .. }) => find()?.ok_or_else(|| {
                ForgeError::new(ForgeFailure::Conflict, format!("the run {} cannot be started again", run.id))
            }),
            done => done,
        }
    }
}
