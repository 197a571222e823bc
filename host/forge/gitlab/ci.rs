//! Statuses and pipelines.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{GitLab, read};
use crate::error::{ForgeError, ForgeFailure, Result};
use crate::http::HttpCall;
use crate::json::{MAX_DESCRIPTION_CHARS, encoded, text};
use crate::model::{CiRun, CommitStatus, StatusState};

impl GitLab {
    /// A status that is what it is to be stays: the forge refuses to set it again.
    pub(super) fn post_status(&self, sha: &str, status: &CommitStatus) -> Result<()> {
        let state = match status.state {
            StatusState::Pending => "pending",
            StatusState::Success => "success",
            StatusState::Failure | StatusState::Error => "failed",
        };
        let known = format!("{}?name={}", self.statuses(sha), encoded(&status.context));
        let is_set = || -> Result<bool> {
            let found = self.http.list(&known, None)?;
            Ok(found.iter().any(|found| found["name"] == status.context.as_str() && found["status"] == state))
        };
        if is_set()? {
            return Ok(());
        }
        let description: String = status.description.chars().take(MAX_DESCRIPTION_CHARS).collect();
        let body = json!({ "state": state, "name": status.context, "description": description });
        let call = HttpCall::post(self.path(&format!("/statuses/{}", encoded(sha))), body);
        self.http.create(&call, |_| Ok(()), || Ok(is_set()?.then_some(())))
    }

    fn statuses(&self, sha: &str) -> String {
        self.path(&format!("/repository/commits/{}/statuses", encoded(sha)))
    }

    pub(super) fn list_runs(&self, sha: &str) -> Result<Vec<CiRun>> {
        // The base of a merge request whose diff is not made yet.
        if sha.is_empty() {
            return Ok(Vec::new());
        }
        let path = self.path(&format!("/pipelines?sha={}&order_by=id&sort=desc", encoded(sha)));
        let mut found: Vec<(String, CiRun)> = Vec::new();
        for value in self.http.list(&path, None)? {
            // Of each cause (a push, a merge request) the newest counts. One of other services is made of their statuses.
            let source = value["source"].as_str().unwrap_or_default().to_owned();
            if value["sha"] != sha || source == "external" || found.iter().any(|(known, _)| *known == source) {
                continue;
            }
            let mut run = read::pipeline(&value)?;
            run.attempt = self.attempt(run.id)?;
            found.push((source, run));
        }
        let mut found: Vec<CiRun> = found.into_iter().map(|(_, run)| run).collect();
        found.extend(self.others(sha)?);
        Ok(found)
    }

    /// The most often that a job of a pipeline was started.
    fn attempt(&self, pipeline: u64) -> Result<u32> {
        let jobs = self.http.list(&self.path(&format!("/pipelines/{pipeline}/jobs?include_retried=true")), None)?;
        let mut starts: HashMap<String, u32> = HashMap::new();
        for job in &jobs {
            *starts.entry(text(job, "name")?.to_owned()).or_default() += 1;
        }
        Ok(starts.into_values().max().unwrap_or(1))
    }

    /// What other services said of a commit: the newest of each name. Jobs are in the same list.
    fn others(&self, sha: &str) -> Result<Vec<CiRun>> {
        let mut found: Vec<CiRun> = Vec::new();
        for value in self.http.list(&self.statuses(sha), None)? {
            if let Some(status) = read::status(&value, sha)? {
                match found.iter_mut().find(|known| known.name == status.name) {
                    Some(known) if known.id < status.id => *known = status,
                    Some(_) => {}
                    None => found.push(status),
                }
            }
        }
        Ok(found)
    }

    /// Starts the failed jobs of a pipeline again.
    pub(super) fn retry(&self, run: &CiRun) -> Result<()> {
        let call =
            HttpCall { body: None, ..HttpCall::post(self.path(&format!("/pipelines/{}/retry", run.id)), Value::Null) };
        let find = || Ok((self.attempt(run.id)? > run.attempt).then_some(()));
        match self.http.create(&call, |_| Ok(()), find) {
            Err(ForgeError { class: ForgeFailure::Conflict, .. }) => find()?.ok_or_else(|| {
                ForgeError::new(ForgeFailure::Conflict, format!("the pipeline {} cannot be started again", run.id))
            }),
            done => done,
        }
    }
}
