//! Requests to GitLab's API, answered from the same state as those to GitHub's. What is answered is what its documentation shows.

use serde_json::{Value, json};

use super::server::Request;
use super::state::{Inline, Pull, RunState, State};
use super::{NAME, OWNER, Reply, Shared, api, checks, threads};

pub fn handle(request: &Request, shared: &Shared) -> Reply {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let rest = request.path.strip_prefix(&format!("/projects/{OWNER}%2F{NAME}"));
    let parts: Vec<&str> = rest.unwrap_or(&request.path).trim_start_matches('/').split('/').collect();
    let number = |text: &str| text.parse::<u64>().unwrap_or_default();
    match (request.method.as_str(), parts.as_slice()) {
        ("GET", ["user"]) => (200, user("robot")),
        ("GET", [""]) if rest.is_some() => {
            let level = if shared.state().is_read_only { 20 } else { 30 };
            let permissions = json!({ "project_access": { "access_level": level }, "group_access": null });
            (200, json!({ "default_branch": "main", "permissions": permissions }))
        }
        ("GET", ["merge_requests"]) => {
            let state = shared.state();
            let branch = request.query("source_branch");
            let is_all = request.query("state").as_deref() == Some("all");
            let wanted =
                |pull: &&Pull| (pull.is_open || is_all) && branch.as_ref().is_none_or(|branch| *branch == pull.head);
            let mut found: Vec<Value> = state.pulls.iter().filter(wanted).map(|pull| shown(pull, shared)).collect();
            for one in found.iter_mut().filter_map(Value::as_object_mut) {
                one.remove("diff_refs");
            }
            if request.query("sort").as_deref() == Some("desc") {
                found.reverse();
            }
            (200, found.into())
        }
        ("POST", ["merge_requests"]) => open(&body, shared),
        ("GET", ["merge_requests", pull]) => one(200, number(pull), shared),
        ("GET", ["issues", issue]) => issue_of(number(issue), &shared.state()),
        ("PUT", ["merge_requests", pull]) => change(number(pull), &body, shared),
        ("GET", ["merge_requests", pull, "diffs"]) => (200, diffs(number(pull), shared)),
        ("GET", ["merge_requests", pull, "notes"]) => (200, notes(number(pull), &shared.state())),
        ("POST", ["merge_requests", pull, "notes"]) => {
            let mut state = shared.state();
            state.add_comment(number(pull), "robot", text(&body, "body"));
            let made = state.comments.last().expect("a comment");
            (201, note(made.id, &made.body, &made.user))
        }
        ("PUT", ["merge_requests", _, "notes", id]) => edit(number(id), text(&body, "body"), &mut shared.state()),
        ("GET", ["merge_requests", pull, "discussions"]) => {
            let state = shared.state();
            let inline = state.inline.iter().filter(|found| found.pull == number(pull)).map(discussion);
            let whole = state.comments.iter().filter(|found| found.pull == number(pull));
            let whole = whole.map(|found| json!({ "id": "c", "individual_note": true, "notes": [note(found.id, &found.body, &found.user)] }));
            (200, whole.chain(inline).collect())
        }
        ("POST", ["merge_requests", pull, "discussions"]) => discuss(number(pull), &body, shared),
        _ => builds(request, &parts, &body, shared),
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn user(name: &str) -> Value {
    json!({ "id": 3, "username": name })
}

fn note(id: u64, body: &str, name: &str) -> Value {
    json!({ "id": id, "body": body, "author": user(name), "system": false, "noteable_iid": 1 })
}

/// Merge requests have numbers of their own.
fn issue_of(number: u64, state: &State) -> Reply {
    let found = state.issues.iter().find(|issue| issue.number == number);
    found.map_or_else(api::not_found, |issue| {
        let state = if issue.is_open { "opened" } else { "closed" };
        let url = format!("https://forge.example/{OWNER}/{NAME}/-/issues/{number}");
        let labels = Vec::<String>::new();
        (
            200,
            json!({ "id": 70 + number, "iid": number, "project_id": 7, "title": issue.title, "description": issue.body,
                "state": state, "labels": labels, "web_url": url }),
        )
    })
}

fn shown(pull: &Pull, shared: &Shared) -> Value {
    let known = api::shown(pull, shared);
    let (head, start) = (&known["head"]["sha"], &known["base"]["sha"]);
    let status = match known["mergeable"].as_bool() {
        Some(true) => "mergeable",
        Some(false) => "conflict",
        None => "unchecked",
    };
    json!({
        "id": 90 + pull.number, "iid": pull.number, "title": pull.title, "description": pull.body, "labels": pull.labels,
        "state": if pull.is_merged { "merged" } else if pull.is_open { "opened" } else { "closed" }, "source_branch": pull.head, "target_branch": pull.base,
        "source_project_id": 7, "target_project_id": 7, "project_id": 7, "draft": pull.title.starts_with("Draft:"),
        "sha": head, "web_url": known["html_url"], "has_conflicts": status == "conflict", "detailed_merge_status": status,
        "author": user(pull.login()), "merge_commit_sha": pull.is_merged.then(|| known["merge_commit_sha"].clone()), "squash_commit_sha": null,
        // Where the branch left its base does not matter here: the forge of the tests does not look at it.
        "diff_refs": { "base_sha": start, "head_sha": head, "start_sha": start },
    })
}

fn one(status: u16, number: u64, shared: &Shared) -> Reply {
    let state = shared.state();
    let found = state.pulls.iter().find(|pull| pull.number == number);
    found.map_or_else(api::not_found, |pull| (status, shown(pull, shared)))
}

fn open(body: &Value, shared: &Shared) -> Reply {
    let as_github = json!({
        "head": body["source_branch"], "base": body["target_branch"], "title": body["title"], "body": body["description"],
    });
    match api::open(&as_github, shared) {
        (201, made) => one(201, made["number"].as_u64().expect("a number"), shared),
        (422, said) if said.to_string().contains("already exists") => {
            (409, json!({ "message": ["Another open merge request already exists for this source branch: !1"] }))
        }
        (_, said) => (422, json!({ "message": said["message"] })),
    }
}

fn change(number: u64, body: &Value, shared: &Shared) -> Reply {
    {
        let mut state = shared.state();
        let Some(pull) = state.pulls.iter_mut().find(|pull| pull.number == number) else { return api::not_found() };
        let set = |field: &mut String, key: &str| {
            if let Some(text) = body[key].as_str() {
                *field = text.to_owned();
            }
        };
        set(&mut pull.title, "title");
        set(&mut pull.body, "description");
        pull.is_open = pull.is_open && body["state_event"] != "close";
        for label in text(body, "add_labels").split(',').filter(|label| !label.is_empty()) {
            if !pull.labels.iter().any(|known| known == label) {
                pull.labels.push(label.to_owned());
            }
        }
    }
    one(200, number, shared)
}

fn diffs(number: u64, shared: &Shared) -> Value {
    let shown = threads::changes(number, shared).into_iter().map(|file| {
        let mut diff = String::from("@@ -1 +1 @@\n");
        (0..file.additions).for_each(|_| diff.push_str("+new\n"));
        (0..file.deletions).for_each(|_| diff.push_str("-old\n"));
        json!({ "old_path": file.path, "new_path": file.path, "diff": diff })
    });
    shown.collect()
}

/// Those on lines are among them, as at GitLab, and one of the forge itself.
fn notes(pull: u64, state: &State) -> Value {
    let mut system = note(1, "added 1 commit", "robot");
    system["system"] = json!(true);
    let whole =
        state.comments.iter().filter(|found| found.pull == pull).map(|found| note(found.id, &found.body, &found.user));
    let inline = state.inline.iter().filter(|found| found.pull == pull).map(inline);
    std::iter::once(system).chain(whole).chain(inline).collect()
}

fn inline(found: &Inline) -> Value {
    let mut shown = note(found.id, &found.body, &found.user);
    let (old, new) = if found.is_left { (json!(found.line), Value::Null) } else { (Value::Null, json!(found.line)) };
    shown["type"] = json!("DiffNote");
    shown["position"] = json!({
        "position_type": "text", "new_path": found.path, "old_path": found.path, "head_sha": found.commit, "old_line": old, "new_line": new,
    });
    shown
}

fn discussion(found: &Inline) -> Value {
    json!({ "id": format!("d{}", found.id), "individual_note": false, "notes": [inline(found)] })
}

/// An unchanged line needs both its numbers, a new one and a deleted one only theirs.
fn discuss(pull: u64, body: &Value, shared: &Shared) -> Reply {
    let position = &body["position"];
    let (old, new) = (position["old_line"].as_u64(), position["new_line"].as_u64());
    let files = threads::changes(pull, shared);
    let file = files.iter().find(|file| file.path == text(position, "new_path"));
    let unchanged =
        |new| file.and_then(|file| file.unchanged.iter().find(|(line, _)| *line == new).map(|(_, old)| *old));
    let fits = match (old, new) {
        (old, Some(new)) => unchanged(new) == old,
        (Some(_), None) => true,
        (None, None) => false,
    };
    let (side, line) = if new.is_some() { ("RIGHT", new) } else { ("LEFT", old) };
    let as_github = json!({
        "body": body["body"], "path": position["new_path"], "commit_id": position["head_sha"], "line": line, "side": side,
    });
    let refused = || {
        (
            400,
            json!({ "message": "400 Bad request - Note {:line_code=>[\"can't be blank\", \"must be a valid line code\"]}" }),
        )
    };
    if !fits {
        return refused();
    }
    match threads::comment_inline(pull, &as_github, shared) {
        (201, made) => {
            let state = shared.state();
            let found = state.inline.iter().find(|found| Some(found.id) == made["id"].as_u64()).expect("it was made");
            (201, discussion(found))
        }
        _ => refused(),
    }
}

/// Of both kinds.
fn edit(id: u64, body: &str, state: &mut State) -> Reply {
    if let Some(found) = state.comments.iter_mut().find(|found| found.id == id) {
        found.body = body.to_owned();
        return (200, note(id, body, &found.user));
    }
    let Some(found) = state.inline.iter_mut().find(|found| found.id == id) else { return api::not_found() };
    found.body = body.to_owned();
    (200, inline(found))
}

fn builds(request: &Request, parts: &[&str], body: &Value, shared: &Shared) -> Reply {
    let number = |text: &str| text.parse::<u64>().unwrap_or_default();
    match (request.method.as_str(), parts) {
        ("POST", ["statuses", sha]) => {
            let mut state = shared.state();
            let known = state.statuses.iter_mut().find(|(of, known)| of == sha && known["name"] == body["name"]);
            match known {
                Some((_, known)) if known["state"] == body["state"] => {
                    let state = text(body, "state");
                    return (400, json!({ "message": format!("Cannot transition status via :enqueue from :{state}") }));
                }
                Some((_, known)) => *known = body.clone(),
                None => state.statuses.push(((*sha).to_owned(), body.clone())),
            }
            (201, json!({ "sha": sha, "name": body["name"], "status": body["state"] }))
        }
        ("GET", ["repository", "commits", sha, "statuses"]) => {
            let name = request.query("name");
            let all: Vec<Value> = statuses(sha, &shared.state());
            let wanted = |status: &Value| name.as_ref().is_none_or(|name| status["name"] == name.as_str());
            (200, all.into_iter().filter(wanted).collect())
        }
        ("GET", ["pipelines"]) => {
            let as_github = Request {
                method: "GET".into(),
                path: String::new(),
                query: format!("head_sha={}", request.query("sha").unwrap_or_default()),
                headers: Default::default(),
                body: Vec::new(),
            };
            checks::handle(&as_github, &["actions", "runs"], body, shared);
            let (state, sha) = (shared.state(), request.query("sha"));
            let of_commit = state.runs.iter().rev().filter(|run| Some(&run.sha) == sha.as_ref());
            (200, of_commit.map(|run| pipeline(run, shared)).collect())
        }
        ("GET", ["pipelines", id, "jobs"]) => {
            let state = shared.state();
            let Some(run) = state.runs.iter().find(|run| run.id == number(id)) else { return api::not_found() };
            let times = if request.query("include_retried").is_some() { run.attempt } else { 1 };
            let jobs = (0..times).flat_map(|_| &run.jobs);
            (200, jobs.map(|job| json!({ "id": job.id, "name": job.name, "status": status(job.conclusion) })).collect())
        }
        ("POST", ["pipelines", id, "retry"]) => {
            let (status, _) = checks::handle(request, &["actions", "runs", id, "rerun-failed-jobs"], body, shared);
            let state = shared.state();
            let run = state.runs.iter().find(|run| run.id == number(id));
            run.map_or_else(api::not_found, |run| (status, pipeline(run, shared)))
        }
        ("GET", ["jobs", id, "trace"]) => {
            let state = shared.state();
            let job = state.runs.iter().flat_map(|run| &run.jobs).find(|job| job.id == number(id));
            job.map_or_else(api::not_found, |job| (200, json!(job.log)))
        }
        _ => api::not_found(),
    }
}

fn status(conclusion: Option<&str>) -> &str {
    match conclusion {
        Some("success") => "success",
        Some("failure") => "failed",
        Some("cancelled") => "canceled",
        Some("action_required") => "manual",
        Some(_) => "skipped",
        None => "running",
    }
}

fn pipeline(run: &RunState, shared: &Shared) -> Value {
    let url = format!("http://127.0.0.1:{}/{OWNER}/{NAME}/-/pipelines/{}", shared.port, run.id);
    json!({ "id": run.id, "sha": run.sha, "ref": "work", "status": status(run.conclusion), "source": "push", "web_url": url })
}

/// What was posted, and the jobs.
fn statuses(sha: &str, state: &State) -> Vec<Value> {
    let posted = state.statuses.iter().enumerate().filter(|(_, (of, _))| of == sha);
    let posted = posted
        .map(|(id, (_, known))| json!({ "id": id + 1, "sha": sha, "name": known["name"], "status": known["state"] }));
    let jobs = state.runs.iter().filter(|run| run.sha == sha).flat_map(|run| &run.jobs);
    let jobs = jobs.map(|job| {
        let url = format!("https://forge.invalid/{OWNER}/{NAME}/-/jobs/{}", job.id);
        json!({ "id": job.id, "sha": sha, "name": job.name, "status": status(job.conclusion), "target_url": url })
    });
    posted.chain(jobs).collect()
}
