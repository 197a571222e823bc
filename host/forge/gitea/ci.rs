//! Statuses and builds.

use serde_json::{Value, json};

use super::{Gitea, read};
use crate::error::{ForgeError, ForgeFailure, Result};
use crate::http::HttpCall;
use crate::json::{MAX_DESCRIPTION_CHARS, encoded};
use crate::model::{CiRun, CommitStatus, StatusState};

impl Gitea {
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

    pub(super) fn list_runs(&self, sha: &str) -> Result<Vec<CiRun>> {
        let mut found: Vec<(Option<(String, String)>, CiRun)> = Vec::new();
        for value in self.workflow_runs(sha)? {
            let run = read::run(&value)?;
            if run.head_sha != sha {
                continue;
            }
            // The newest run of each workflow and event counts.
            let key = value["event"].as_str().map(|event| (run.name.clone(), event.to_owned()));
            match found.iter_mut().find(|(known, _)| key.is_some() && *known == key) {
                Some((_, known)) if known.id < run.id => *known = run,
                Some(_) => {}
                None => found.push((key, run)),
            }
        }
        let mut found: Vec<CiRun> = found.into_iter().map(|(_, run)| run).collect();
        found.extend(self.others(sha, &found)?);
        Ok(found)
    }

    /// None where the server has no such list, or one of another form, as Forgejo: there the statuses of the commit say how its builds ended.
    fn workflow_runs(&self, sha: &str) -> Result<Vec<Value>> {
        let path = self.path(&format!("/actions/runs?head_sha={}", encoded(sha)));
        match self.http.list(&path, Some("workflow_runs")) {
            Ok(runs) if runs.iter().all(|run| run["head_sha"].is_string()) => Ok(runs),
            Ok(_) => Ok(Vec::new()),
            Err(error) if error.class == ForgeFailure::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// What other services said of a commit: the newest of each name. The statuses of a run's jobs are not repeated.
    fn others(&self, sha: &str, runs: &[CiRun]) -> Result<Vec<CiRun>> {
        let path = self.path(&format!("/commits/{}/statuses?sort=highestindex", encoded(sha)));
        let mut found: Vec<CiRun> = Vec::new();
        for value in self.http.list(&path, None)? {
            let is_job = |run: &CiRun| read::is_of_run(&value, &run.url);
            if let Some(status) = read::status(&value, sha)?
                && found.iter().all(|known| known.name != status.name)
                && !runs.iter().any(is_job)
            {
                found.push(status);
            }
        }
        Ok(found)
    }

    pub(super) fn rerun_failed(&self, run: &CiRun) -> Result<()> {
        let path = self.path(&format!("/actions/runs/{}", run.id));
        let call = HttpCall { body: None, ..HttpCall::post(format!("{path}/rerun-failed-jobs"), Value::Null) };
        let find = || {
            let now = read::run(&self.http.json(&HttpCall::get(&path))?)?;
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
