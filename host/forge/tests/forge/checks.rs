//! Statuses, check runs, and builds, which end as a test says.

use serde_json::{Value, json};

use super::api::not_found;
use super::server::Request;
use super::state::{JobState, RunState, State};
use super::{Reply, Shared, git};

pub fn handle(request: &Request, parts: &[&str], body: &Value, shared: &Shared) -> Reply {
    let mut state = shared.state();
    let number = |text: &str| text.parse::<u64>().unwrap_or_default();
    match (request.method.as_str(), parts) {
        ("POST", ["statuses", sha]) => {
            state.statuses.push(((*sha).to_owned(), body.clone()));
            (201, json!({ "state": body["state"], "context": body["context"], "description": body["description"] }))
        }
        ("GET", ["commits", sha, "check-runs"]) => {
            let name = request.query("check_name");
            let is_wanted = |(of, _, check): &&(String, u64, Value)| {
                of == sha && name.as_ref().is_none_or(|name| check["name"] == name.as_str())
            };
            let found: Vec<Value> = state.checks.iter().filter(is_wanted).map(shown_check).collect();
            (200, json!({ "total_count": found.len(), "check_runs": found }))
        }
        ("GET", ["commits", sha, "statuses"]) => {
            let of_commit = state.statuses.iter().enumerate().rev().filter(|(_, (of, _))| of == sha);
            let shown = of_commit
                .map(|(id, (_, status))| json!({ "id": id, "state": status["state"], "context": status["context"] }));
            (200, shown.collect())
        }
        // Only an app may write one. The description names no answer for that, so that the one of all others is given.
        ("POST", ["check-runs"]) => {
            let id = state.id();
            let entry = (body["head_sha"].as_str().unwrap_or_default().to_owned(), id, body.clone());
            let shown = shown_check(&entry);
            state.checks.push(entry);
            (201, shown)
        }
        ("PATCH", ["check-runs", id]) => {
            let Some(check) = state.checks.iter_mut().find(|(_, known, _)| *known == number(id)) else {
                return not_found();
            };
            for (key, value) in body.as_object().into_iter().flatten() {
                check.2[key] = value.clone();
            }
            (200, shown_check(check))
        }
        ("GET", ["actions", "runs"]) => {
            let sha = request.query("head_sha");
            let is_head = |sha: &String| {
                let heads = state.pulls.iter().filter(|pull| pull.is_open);
                heads.filter_map(|pull| git::tip(&shared.repository(), &pull.head)).any(|head| head == *sha)
            };
            if let Some(sha) = sha.as_ref().filter(|sha| is_head(sha)) {
                state.begin_builds(sha);
            }
            let is_wanted = |run: &&RunState| sha.as_ref().is_none_or(|sha| run.sha == *sha);
            let found: Vec<Value> = state.runs.iter().rev().filter(is_wanted).map(shown_run).collect();
            (200, json!({ "total_count": found.len(), "workflow_runs": found }))
        }
        ("GET", ["actions", "runs", id]) => run(&state, number(id)).map_or_else(not_found, |run| (200, shown_run(run))),
        ("GET", ["actions", "runs", id, "jobs"]) => {
            let Some(run) = run(&state, number(id)) else { return not_found() };
            let jobs: Vec<Value> = run.jobs.iter().map(|job| shown_job(job, run)).collect();
            (200, json!({ "total_count": jobs.len(), "jobs": jobs }))
        }
        ("POST", ["actions", "runs", id, "rerun-failed-jobs"]) => {
            let Some(run) = state.runs.iter_mut().find(|run| run.id == number(id)) else { return not_found() };
            run.attempt += 1;
            run.conclusion = run.on_rerun.or(run.conclusion);
            let conclusion = run.conclusion;
            run.jobs.iter_mut().for_each(|job| job.conclusion = conclusion);
            (201, json!({}))
        }
        ("GET", ["actions", "jobs", id, "logs"]) => (302, json!(format!("http://127.0.0.1:{}/logs/{id}", shared.port))),
        _ => not_found(),
    }
}

fn run(state: &State, id: u64) -> Option<&RunState> {
    state.runs.iter().find(|run| run.id == id)
}

fn shown_check((sha, id, check): &(String, u64, Value)) -> Value {
    json!({
        "id": id, "head_sha": sha, "name": check["name"], "external_id": check["external_id"], "status": check["status"],
        "conclusion": check["conclusion"],
    })
}

fn shown_run(run: &RunState) -> Value {
    json!({
        "id": run.id, "name": run.name, "workflow_id": run.workflow, "head_sha": run.sha, "status": run.status,
        "conclusion": run.conclusion, "run_attempt": run.attempt,
    })
}

fn shown_job(job: &JobState, run: &RunState) -> Value {
    let step = json!({ "name": "Run tests", "status": "completed", "conclusion": job.conclusion, "number": 1 });
    json!({
        "id": job.id, "run_id": run.id, "head_sha": run.sha, "name": job.name, "status": run.status, "conclusion": job.conclusion,
        "steps": [step],
    })
}
