//! Requests to Gitea's API, answered from the same state as those to GitHub's.
//!
//! A review of Gitea holds one comment here. Gitea takes comments on lines that are beside the diff; here they are a violation.

use serde_json::{Value, json};

use super::server::Request;
use super::state::{Inline, Pull, Review, State};
use super::{NAME, OWNER, Reply, Shared, api, checks, threads};

pub fn handle(request: &Request, shared: &Shared) -> Reply {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let rest = request.path.strip_prefix(&format!("/repos/{OWNER}/{NAME}"));
    let parts: Vec<&str> = rest.unwrap_or(&request.path).trim_start_matches('/').split('/').collect();
    let number = |text: &str| text.parse::<u64>().unwrap_or_default();
    match (request.method.as_str(), parts.as_slice()) {
        ("GET", ["user"]) => (200, user("robot")),
        ("GET", [""]) if rest.is_some() => {
            let permissions = json!({ "admin": false, "push": !shared.state().is_read_only, "pull": true });
            (200, json!({ "default_branch": "main", "name": NAME, "permissions": permissions }))
        }
        ("GET", ["pulls"]) => {
            let (state, wanted) = (shared.state(), request.query("state"));
            let is_wanted = |pull: &&Pull| pull.is_open || wanted.as_deref() == Some("all");
            let mut found: Vec<Value> =
                state.pulls.iter().filter(is_wanted).map(|pull| shown(pull, &state, shared)).collect();
            // Newest first, unless another order is asked for.
            if request.query("sort").is_none() {
                found.reverse();
            }
            (200, found.into())
        }
        ("POST", ["pulls"]) => open(&body, shared),
        ("GET", ["pulls", pull]) => one(200, number(pull), shared),
        ("PATCH", ["pulls", pull]) => match api::edit(number(pull), &body, shared) {
            (200, _) => one(201, number(pull), shared),
            other => other,
        },
        ("GET", ["pulls", pull, "files"]) => api::files(number(pull), shared),
        ("GET", ["pulls", pull, "reviews"]) => {
            let state = shared.state();
            (200, state.reviews.iter().filter(|review| review.pull == number(pull)).map(review).collect())
        }
        ("POST", ["pulls", pull, "reviews"]) => new_review(number(pull), &body, shared),
        ("GET", ["pulls", _, "reviews", id, "comments"]) => {
            let state = shared.state();
            let of_review = state.reviews.iter().filter(|review| review.id == number(id));
            let comments = of_review.flat_map(|review| state.inline.iter().filter(|found| found.id == review.comment));
            (200, comments.map(inline).collect())
        }
        ("GET", ["issues", issue]) => match api::tracked(number(issue), shared) {
            // What it is as a pull request, it says in words of its own.
            (200, mut found) if found["pull_request"].is_object() => {
                found["pull_request"] = json!({ "html_url": found["html_url"] });
                (200, found)
            }
            other => other,
        },
        ("GET", ["issues", pull, "comments"]) => {
            let state = shared.state();
            let of_pull = state.comments.iter().filter(|comment| comment.pull == number(pull));
            (200, of_pull.map(|found| comment(found.id, &found.body, &found.user)).collect())
        }
        ("POST", ["issues", pull, "comments"]) => match threads::comment(number(pull), &body, shared) {
            (201, made) => (201, comment(made["id"].as_u64().expect("an id"), text(&made, "body"), "robot")),
            other => other,
        },
        ("PATCH", ["issues", "comments", id]) => edit(number(id), text(&body, "body"), shared),
        ("GET", ["labels"]) => {
            (200, shared.state().labels.iter().enumerate().map(|(at, name)| label(at, name)).collect())
        }
        ("POST", ["labels"]) => {
            let mut state = shared.state();
            state.labels.push(text(&body, "name").to_owned());
            (201, label(state.labels.len() - 1, text(&body, "name")))
        }
        ("POST", ["issues", pull, "labels"]) => add_labels(number(pull), &body, shared),
        _ => builds(request, &parts, &body, shared),
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn user(login: &str) -> Value {
    json!({ "login": login, "id": 3 })
}

fn label(at: usize, name: &str) -> Value {
    json!({ "id": at + 1, "name": name, "color": "1d76db" })
}

fn comment(id: u64, body: &str, login: &str) -> Value {
    json!({ "id": id, "body": body, "user": user(login) })
}

fn shown(pull: &Pull, state: &State, shared: &Shared) -> Value {
    let known = api::shown(pull, shared);
    let end = |key: &str| json!({ "ref": known[key]["ref"], "sha": known[key]["sha"], "label": known[key]["ref"], "repo_id": 7 });
    let labels = pull
        .labels
        .iter()
        .filter_map(|name| state.labels.iter().position(|known| known == name).map(|at| label(at, name)));
    json!({
        "number": pull.number, "title": pull.title, "body": pull.body, "html_url": known["html_url"], "state": known["state"],
        "draft": pull.title.starts_with("WIP:"), "head": end("head"), "base": end("base"), "user": user(pull.login()),
        "labels": labels.collect::<Vec<_>>(), "mergeable": known["mergeable"] == true, "merged": pull.is_merged,
        "merged_at": api::merged_at(pull), "merge_commit_sha": pull.is_merged.then(|| known["merge_commit_sha"].clone()),
    })
}

fn one(status: u16, number: u64, shared: &Shared) -> Reply {
    let state = shared.state();
    let found = state.pulls.iter().find(|pull| pull.number == number);
    found.map_or_else(api::not_found, |pull| (status, shown(pull, &state, shared)))
}

fn open(body: &Value, shared: &Shared) -> Reply {
    match api::open(body, shared) {
        (201, made) => one(201, made["number"].as_u64().expect("a number"), shared),
        (422, said) if said.to_string().contains("already exists") => {
            (409, json!({ "message": "pull request already exists for these targets" }))
        }
        other => other,
    }
}

fn review(review: &Review) -> Value {
    json!({ "id": review.id, "state": "COMMENT", "body": "", "comments_count": 1, "user": user(&review.user) })
}

fn inline(comment: &Inline) -> Value {
    let (new, old) = if comment.is_left { (0, comment.line) } else { (comment.line, 0) };
    json!({
        "id": comment.id, "body": comment.body, "path": comment.path, "commit_id": comment.commit, "position": new,
        "original_position": old, "user": user(&comment.user),
    })
}

fn new_review(pull: u64, body: &Value, shared: &Shared) -> Reply {
    let comments = body["comments"].as_array().cloned().unwrap_or_default();
    let ([comment], "COMMENT") = (comments.as_slice(), text(body, "event")) else {
        return api::invalid("a review of one comment is expected");
    };
    let (side, line) = match comment["old_position"].as_u64().filter(|line| *line > 0) {
        Some(line) => ("LEFT", json!(line)),
        None => ("RIGHT", comment["new_position"].clone()),
    };
    let as_github = json!({
        "body": comment["body"], "path": comment["path"], "commit_id": body["commit_id"], "line": line, "side": side,
    });
    let (status, made) = threads::comment_inline(pull, &as_github, shared);
    let mut state = shared.state();
    if status != 201 {
        state.violations.push(format!("a comment is beside the diff: {comment}"));
        return (status, made);
    }
    let id = state.id();
    let made = Review { id, pull, comment: made["id"].as_u64().expect("an id"), user: "robot".to_owned() };
    let shown = review(&made);
    state.reviews.push(made);
    (200, shown)
}

/// Of both kinds.
fn edit(id: u64, body: &str, shared: &Shared) -> Reply {
    let mut state = shared.state();
    if let Some(found) = state.comments.iter_mut().find(|found| found.id == id) {
        found.body = body.to_owned();
        return (200, comment(id, body, &found.user));
    }
    let Some(found) = state.inline.iter_mut().find(|found| found.id == id) else { return api::not_found() };
    found.body = body.to_owned();
    (200, comment(id, body, &found.user))
}

fn add_labels(pull: u64, body: &Value, shared: &Shared) -> Reply {
    let mut state = shared.state();
    let ids = body["labels"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let names: Vec<String> = ids.filter_map(|id| state.labels.get(id as usize - 1).cloned()).collect();
    let Some(pull) = state.pulls.iter_mut().find(|known| known.number == pull) else { return api::not_found() };
    for name in names {
        if !pull.labels.contains(&name) {
            pull.labels.push(name);
        }
    }
    let names = pull.labels.clone();
    (200, names.iter().enumerate().map(|(at, name)| label(at, name)).collect())
}

fn builds(request: &Request, parts: &[&str], body: &Value, shared: &Shared) -> Reply {
    if let ["commits", sha, "statuses"] = parts {
        return (200, statuses(sha, &shared.state()));
    }
    if let ["actions", "jobs", id, "logs"] = parts {
        let state = shared.state();
        let job = state.runs.iter().flat_map(|run| &run.jobs).find(|job| job.id.to_string() == *id);
        return job.map_or_else(api::not_found, |job| (200, json!(job.log)));
    }
    let (status, mut known) = checks::handle(request, parts, body, shared);
    match parts {
        ["statuses", _] => (status, json!({ "id": 1, "status": known["state"], "context": known["context"] })),
        ["actions", "runs"] => {
            for run in known["workflow_runs"].as_array_mut().expect("runs") {
                *run = shown_run(run, shared);
            }
            (status, known)
        }
        ["actions", "runs", _] if status == 200 => (status, shown_run(&known, shared)),
        _ => (status, known),
    }
}

fn shown_run(run: &Value, shared: &Shared) -> Value {
    json!({
        "id": run["id"], "path": format!("{}.yml@refs/heads/work", text(run, "name")), "head_sha": run["head_sha"],
        "status": run["status"], "conclusion": run["conclusion"], "run_attempt": run["run_attempt"], "event": "push",
        "display_title": "Change", "html_url": format!("http://127.0.0.1:{}{}", shared.port, run_path(&run["id"])),
    })
}

fn run_path(id: &Value) -> String {
    format!("/{OWNER}/{NAME}/actions/runs/{id}")
}

/// Newest first: what was posted, and one for each job.
fn statuses(sha: &str, state: &State) -> Value {
    let posted = state.statuses.iter().enumerate().rev().filter(|(_, (of, _))| of == sha);
    let posted = posted.map(|(id, (_, status))| {
        json!({ "id": id + 1, "status": status["state"], "context": status["context"], "target_url": "" })
    });
    let jobs = state.runs.iter().filter(|run| run.sha == sha).flat_map(|run| {
        run.jobs.iter().map(|job| {
            json!({
                "id": job.id, "status": job.conclusion.unwrap_or("pending"), "context": format!("{} / {} (push)", run.name, job.name),
                "target_url": format!("{}/jobs/0", run_path(&json!(run.id))),
            })
        })
    });
    posted.chain(jobs).collect()
}
