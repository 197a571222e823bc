//! Requests to the API: who may ask, what goes wrong, what is answered.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use super::faults::FaultKind;
use super::server::{Request, Response};
use super::state::{Pull, State};
use super::{Face, NAME, OWNER, Reply, Shared, app, checks, git, gitea, gitlab, threads};

pub fn answer(face: Face, request: &Request, shared: &Shared) -> Option<Response> {
    let name = format!("{} {}", request.method, request.path);
    let fault = {
        let mut state = shared.state();
        state.requests.push(name.clone());
        state.faults.take(request)
    };
    match fault {
        Some(FaultKind::Status(status, headers, message)) => {
            let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            return Some(Response { status, headers, body: json!({ "message": message }).to_string().into_bytes() });
        }
        Some(FaultKind::Dropped) => return None,
        Some(FaultKind::Lost) => {
            done(face, request, shared);
            return None;
        }
        Some(FaultKind::LostBehindGateway(status)) => {
            done(face, request, shared);
            return Some(Response { status, headers: Vec::new(), body: b"<html>gateway</html>".to_vec() });
        }
        None => {}
    }
    Some(done(face, request, shared))
}

/// Carries a request out, and compares it and its answer with the description.
fn done(face: Face, request: &Request, shared: &Shared) -> Response {
    let is_signed = |request: &Request| app::is_signed(request.header("authorization"));
    let needs_app = request.path.ends_with("/installation") || request.path.starts_with("/app/");
    if !needs_app && request.header("authorization") != face.authorization() || needs_app && !is_signed(request) {
        return Response { status: 401, headers: Vec::new(), body: br#"{"message":"Bad credentials"}"#.to_vec() };
    }
    let schema = shared.description(face);
    let Some(operation) = schema.operation(&request.method, &request.path) else {
        shared
            .state()
            .violations
            .push(format!("{} {}: {face:?} describes no such operation", request.method, request.path));
        return Response { status: 404, headers: Vec::new(), body: br#"{"message":"Not Found"}"#.to_vec() };
    };
    let mut wrong = schema.check_request(operation, &request.query, &request.body);
    let (status, partial) = match face {
        Face::GitHub => handle(request, shared),
        Face::Gitea => gitea::handle(request, shared),
        Face::GitLab => gitlab::handle(request, shared),
    };
    let (body, more) = schema.complete(operation, status, &partial);
    wrong.extend(more);
    let mut state = shared.state();
    state.violations.extend(wrong);
    state.compared += 1;
    let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    if face != Face::GitHub {
        // It has no limits and no ETags, and describes no body of an error. A log is no JSON.
        let body = match (body, &partial) {
            (Some(body), _) => paged(face, request, shared, body, &mut headers),
            (None, Value::String(log)) => log.clone().into_bytes(),
            (None, _) if status >= 400 => partial.to_string().into_bytes(),
            (None, _) => Vec::new(),
        };
        return Response { status, headers, body };
    }
    headers.extend([
        ("x-ratelimit-limit".to_owned(), "5000".to_owned()),
        ("x-ratelimit-remaining".to_owned(), (5000 - state.requests.len()).to_string()),
        ("x-ratelimit-reset".to_owned(), "1800000000".to_owned()),
    ]);
    if status == 302 {
        headers.push(("location".to_owned(), partial.as_str().unwrap_or_default().to_owned()));
    }
    let body = body.map(|body| paged(face, request, shared, body, &mut headers)).unwrap_or_default();
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let etag = format!("W/\"{:016x}\"", hasher.finish());
    if request.method == "GET" && status == 200 {
        headers.push(("etag".to_owned(), etag.clone()));
        if request.header("if-none-match") == etag {
            state.unchanged += 1;
            // An answer without a body need not repeat it.
            headers.retain(|(name, _)| name != "link");
            return Response { status: 304, headers, body: Vec::new() };
        }
    }
    Response { status, headers, body }
}

/// One page of a list, with the address of the next.
fn paged(
    face: Face,
    request: &Request,
    shared: &Shared,
    mut body: Value,
    headers: &mut Vec<(String, String)>,
) -> Vec<u8> {
    let number = |name: &str, default: usize| request.query(name).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (size, page) = (number(face.page_size(), 30), number("page", 1));
    if let Value::Array(entries) = &mut body {
        // A list that is described without pages comes whole.
        if !shared.description(face).is_paged(request) {
            return body.to_string().into_bytes();
        }
        let more = entries.len() > size * page;
        *entries = std::mem::take(entries).into_iter().skip(size * (page - 1)).take(size).collect();
        if more {
            let pairs = request.query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("page="));
            let query = pairs.map(|pair| format!("{pair}&")).collect::<String>();
            let next =
                format!("http://127.0.0.1:{}{}{}?{query}page={}", shared.port, face.path(), request.path, page + 1);
            headers.push(("link".to_owned(), format!("<{next}>; rel=\"next\"")));
        }
    }
    body.to_string().into_bytes()
}

fn handle(request: &Request, shared: &Shared) -> Reply {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let rest = request.path.strip_prefix(&format!("/repos/{OWNER}/{NAME}"));
    let parts: Vec<&str> = rest.unwrap_or(&request.path).trim_start_matches('/').split('/').collect();
    let number = |text: &str| text.parse::<u64>().unwrap_or_default();
    match (request.method.as_str(), parts.as_slice()) {
        ("GET", ["user"]) if shared.state().is_app => {
            (403, json!({ "message": "Resource not accessible by integration" }))
        }
        ("GET", ["user"]) => (200, json!({ "login": "robot", "type": "User", "user_view_type": "public" })),
        ("GET", ["rate_limit"]) => (200, json!({})),
        ("GET", [""]) if rest.is_some() => {
            let permissions = json!({ "admin": false, "push": !shared.state().is_read_only, "pull": true });
            (200, json!({ "default_branch": "main", "name": NAME, "permissions": permissions }))
        }
        ("GET", ["pulls"]) => (200, list(request, shared)),
        ("POST", ["pulls"]) => open(&body, shared),
        ("GET", ["pulls", pull]) => one(number(pull), shared),
        ("PATCH", ["pulls", pull]) => edit(number(pull), &body, shared),
        ("GET", ["pulls", pull, "files"]) => files(number(pull), shared),
        ("GET", ["pulls", pull, "comments"]) => (200, threads::list_inline(number(pull), shared)),
        ("POST", ["pulls", pull, "comments"]) => threads::comment_inline(number(pull), &body, shared),
        ("PATCH", ["pulls", "comments", id]) => threads::edit_inline(number(id), &body, shared),
        ("GET", ["pulls", pull, "reviews"]) => (200, threads::list_reviews(number(pull), shared)),
        ("POST", ["pulls", pull, "reviews"]) => threads::review(number(pull), &body, shared),
        ("PUT", ["pulls", _, "reviews", id]) => threads::edit_review(number(id), &body, shared),
        ("POST", ["code-scanning", "sarifs"]) => {
            let mut state = shared.state();
            if state.has_no_code_scanning {
                return (
                    403,
                    json!({ "message": "Code Security must be enabled for this repository to use code scanning." }),
                );
            }
            state.sarifs.push(body);
            (202, json!({ "id": "47177e22-5596-11eb-80a1-c1e54ef945c6" }))
        }
        ("GET", ["installation"]) => (200, json!({ "id": 41 })),
        ("POST", ["app", "installations", "41", "access_tokens"]) => {
            (201, json!({ "token": super::TOKEN, "expires_at": "2026-11-23T10:00:00Z" }))
        }
        ("GET", ["issues", issue]) => tracked(number(issue), shared),
        ("GET", ["issues", pull, "comments"]) => (200, threads::list(number(pull), shared)),
        ("POST", ["issues", pull, "comments"]) => threads::comment(number(pull), &body, shared),
        ("PATCH", ["issues", "comments", id]) => threads::edit(number(id), &body, shared),
        ("POST", ["issues", pull, "labels"]) => label(number(pull), &body, shared),
        _ => checks::handle(request, &parts, &body, shared),
    }
}

pub fn not_found() -> Reply {
    (404, json!({ "message": "Not Found" }))
}

pub fn invalid(message: &str) -> Reply {
    (
        422,
        json!({ "message": "Validation Failed", "errors": [{ "resource": "PullRequest", "code": "custom", "message": message }] }),
    )
}

/// When it was merged, at a moment that does not matter.
pub fn merged_at(pull: &Pull) -> Option<&'static str> {
    pull.is_merged.then_some("2026-01-01T00:00:00Z")
}

pub fn shown(pull: &Pull, shared: &Shared) -> Value {
    let path = shared.repository();
    let tip = |branch: &str| git::tip(&path, branch).unwrap_or_else(|| "0".repeat(40));
    let (head, base) = (tip(&pull.head), tip(&pull.base));
    let mergeable = if pull.is_open { git::can_merge(&path, &base, &head) } else { None };
    let repository = json!({ "id": 7, "name": NAME, "full_name": format!("{OWNER}/{NAME}"), "default_branch": "main" });
    json!({
        "number": pull.number, "title": pull.title, "body": pull.body, "draft": pull.draft,
        "html_url": format!("http://127.0.0.1:{}/{OWNER}/{NAME}/pull/{}", shared.port, pull.number),
        "state": if pull.is_open { "open" } else { "closed" },
        "head": { "ref": pull.head, "sha": head, "label": format!("{OWNER}:{}", pull.head), "repo": repository },
        "base": { "ref": pull.base, "sha": base, "label": format!("{OWNER}:{}", pull.base), "repo": repository },
        "user": State::user(pull.login()),
        "labels": pull.labels.iter().map(|label| json!({ "name": label })).collect::<Vec<_>>(),
        "mergeable": mergeable,
        "merge_commit_sha": pull.merge_commit.as_ref().unwrap_or(&base),
        "mergeable_state": match mergeable { Some(true) => "clean", Some(false) => "dirty", None => "unknown" },
        "merged_at": merged_at(pull),
    })
}

pub fn list(request: &Request, shared: &Shared) -> Value {
    let state = shared.state();
    let head = request.query("head");
    let is_wanted = |pull: &&Pull| {
        let is_open = request.query("state").is_none_or(|state| state == "all" || (state == "open") == pull.is_open);
        is_open && head.as_ref().is_none_or(|head| *head == format!("{OWNER}:{}", pull.head))
    };
    let mut shown: Vec<Value> = state.pulls.iter().filter(is_wanted).map(|pull| shown(pull, shared)).collect();
    if request.query("direction").as_deref() == Some("desc") {
        shown.reverse();
    }
    // A list says less than a pull request.
    for pull in shown.iter_mut().filter_map(Value::as_object_mut) {
        pull.retain(|key, _| !key.starts_with("mergeable"));
    }
    shown.into()
}

pub fn open(body: &Value, shared: &Shared) -> Reply {
    let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
    let (head, base) = (text("head"), text("base"));
    let path = shared.repository();
    let (Some(head_sha), Some(base_sha)) = (git::tip(&path, &head), git::tip(&path, &base)) else {
        return invalid("head or base is invalid");
    };
    if git::commits(&path, &base_sha, &head_sha).is_empty() {
        return invalid(&format!("No commits between {base} and {head}"));
    }
    let mut state = shared.state();
    if state.pulls.iter().any(|pull| pull.is_open && pull.head == head && pull.base == base) {
        return invalid(&format!("A pull request already exists for {OWNER}:{head}."));
    }
    let pull = Pull {
        number: state.pulls.len() as u64 + 1,
        title: text("title"),
        body: text("body"),
        is_open: true,
        is_merged: false,
        head,
        base,
        draft: body["draft"] == true,
        labels: Vec::new(),
        ..Pull::default()
    };
    let shown = shown(&pull, shared);
    state.pulls.push(pull);
    (201, shown)
}

/// An issue, or the pull request of this number in the form of one.
pub fn tracked(number: u64, shared: &Shared) -> Reply {
    let state = shared.state();
    let url = |kind: &str| format!("http://127.0.0.1:{}/{OWNER}/{NAME}/{kind}/{number}", shared.port);
    let word = |is_open| if is_open { "open" } else { "closed" };
    if let Some(pull) = state.pulls.iter().find(|pull| pull.number == number) {
        let of_pull = json!({ "url": url("pulls"), "html_url": url("pull"), "diff_url": null, "patch_url": null });
        return (
            200,
            json!({ "number": number, "title": pull.title, "body": pull.body, "state": word(pull.is_open),
                "html_url": url("pull"), "pull_request": of_pull }),
        );
    }
    let found = state.issues.iter().find(|issue| issue.number == number);
    found.map_or_else(not_found, |issue| {
        let state = word(issue.is_open);
        (200, json!({ "number": number, "title": issue.title, "body": issue.body, "state": state, "html_url": url("issues") }))
    })
}

fn one(number: u64, shared: &Shared) -> Reply {
    let state = shared.state();
    state.pulls.iter().find(|pull| pull.number == number).map_or_else(not_found, |pull| (200, shown(pull, shared)))
}

pub fn edit(number: u64, body: &Value, shared: &Shared) -> Reply {
    let mut state = shared.state();
    let Some(pull) = state.pulls.iter_mut().find(|pull| pull.number == number) else { return not_found() };
    let set = |field: &mut String, key: &str| {
        if let Some(text) = body[key].as_str() {
            *field = text.to_owned();
        }
    };
    set(&mut pull.title, "title");
    set(&mut pull.body, "body");
    pull.is_open = body["state"].as_str().map_or(pull.is_open, |state| state == "open");
    (200, shown(pull, shared))
}

pub fn files(number: u64, shared: &Shared) -> Reply {
    let found = threads::changes(number, shared);
    let shown = found.iter().map(|file| {
        json!({
            "filename": file.path, "status": file.status, "additions": file.additions, "deletions": file.deletions,
            "changes": file.additions + file.deletions,
        })
    });
    (200, shown.collect())
}

fn label(number: u64, body: &Value, shared: &Shared) -> Reply {
    let mut state = shared.state();
    let Some(pull) = state.pulls.iter_mut().find(|pull| pull.number == number) else { return not_found() };
    for label in body["labels"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !pull.labels.iter().any(|known| known == label) {
            pull.labels.push(label.to_owned());
        }
    }
    (200, pull.labels.iter().map(|label| json!({ "name": label })).collect())
}
