//! Comments. One on a line is taken only where git says that the line is in the diff.

use serde_json::{Value, json};

use super::api::{invalid, not_found};
use super::git::{self, FileChange};
use super::state::{CommentState, Inline, State, WholeReview};
use super::{Reply, Shared};

/// GitHub's limit, in characters.
const LONGEST: usize = 65_536;

pub fn changes(number: u64, shared: &Shared) -> Vec<FileChange> {
    let path = shared.repository();
    let state = shared.state();
    let Some(pull) = state.pulls.iter().find(|pull| pull.number == number) else { return Vec::new() };
    let tip = |branch: &str| git::tip(&path, branch).expect("a branch");
    git::changes(&path, &tip(&pull.base), &tip(&pull.head))
}

pub fn list(number: u64, shared: &Shared) -> Value {
    let state = shared.state();
    state.comments.iter().filter(|comment| comment.pull == number).map(shown).collect()
}

fn shown(comment: &CommentState) -> Value {
    json!({ "id": comment.id, "body": comment.body, "user": State::user(&comment.user) })
}

pub fn comment(number: u64, body: &Value, shared: &Shared) -> Reply {
    let body = body["body"].as_str().unwrap_or_default().to_owned();
    if body.chars().count() > LONGEST {
        return invalid("body is too long");
    }
    let mut state = shared.state();
    let user = state.own_user();
    state.add_comment(number, user, &body);
    (201, state.comments.last().map(shown).unwrap_or_default())
}

pub fn edit(id: u64, body: &Value, shared: &Shared) -> Reply {
    let mut state = shared.state();
    let Some(comment) = state.comments.iter_mut().find(|comment| comment.id == id) else { return not_found() };
    comment.body = body["body"].as_str().unwrap_or_default().to_owned();
    (200, shown(comment))
}

pub fn list_inline(number: u64, shared: &Shared) -> Value {
    let files = changes(number, shared);
    let state = shared.state();
    let of_pull = state.inline.iter().filter(|comment| comment.pull == number);
    of_pull.map(|comment| shown_inline(comment, &files, shared)).collect()
}

/// A comment whose line is no longer in the diff has none: it is outdated.
fn shown_inline(comment: &Inline, files: &[FileChange], shared: &Shared) -> Value {
    let path = shared.repository();
    let text = git::line(&path, &comment.commit, &comment.path, comment.line);
    let file = files.iter().find(|file| file.path == comment.path);
    let side = |file: &FileChange| if comment.is_left { file.left.clone() } else { file.right.clone() };
    let line = file.and_then(|file| {
        let lines = side(file);
        let is_there =
            |(line, found): &&(u64, String)| comment.is_left && *line == comment.line || Some(found) == text.as_ref();
        lines.iter().find(is_there).map(|(line, _)| *line)
    });
    let mut shown = json!({
        "id": comment.id, "body": comment.body, "path": comment.path, "commit_id": comment.commit,
        "original_line": comment.line, "side": if comment.is_left { "LEFT" } else { "RIGHT" },
        "user": State::user(&comment.user),
    });
    // The description knows no line that is null.
    if let Some(line) = line {
        shown["line"] = json!(line);
    }
    shown
}

pub fn comment_inline(number: u64, body: &Value, shared: &Shared) -> Reply {
    let files = changes(number, shared);
    let text = |key: &str| body[key].as_str().unwrap_or_default();
    let (is_left, line) = (text("side") == "LEFT", body["line"].as_u64().unwrap_or_default());
    let start_line = body["start_line"].as_u64();
    let Some(file) = files.iter().find(|file| file.path == text("path")) else {
        return invalid("pull_request_review_thread.path diff too large or not part of the diff");
    };
    let lines = if is_left { &file.left } else { &file.right };
    let at = |line: u64| lines.iter().position(|(number, _)| *number == line);
    let Some(last) = at(line) else { return invalid("pull_request_review_thread.line must be part of the diff") };
    if let Some(start) = start_line {
        let same_hunk = |first: usize| is_left || file.hunks[first] == file.hunks[last];
        if start >= line || !at(start).is_some_and(same_hunk) {
            return invalid("pull_request_review_thread.start_line must precede the end line, in its hunk");
        }
    }
    let mut state = shared.state();
    let id = state.id();
    let user = state.own_user().to_owned();
    let comment = Inline {
        id,
        pull: number,
        path: file.path.clone(),
        commit: text("commit_id").to_owned(),
        is_left,
        start_line,
        line,
        body: text("body").to_owned(),
        user,
    };
    let shown = shown_inline(&comment, &files, shared);
    state.inline.push(comment);
    (201, shown)
}

pub fn edit_inline(id: u64, body: &Value, shared: &Shared) -> Reply {
    let pull = shared.state().inline.iter().find(|comment| comment.id == id).map(|comment| comment.pull);
    let Some(pull) = pull else { return not_found() };
    let files = changes(pull, shared);
    let mut state = shared.state();
    let comment = state.inline.iter_mut().find(|comment| comment.id == id).expect("it was there");
    comment.body = body["body"].as_str().unwrap_or_default().to_owned();
    (200, shown_inline(comment, &files, shared))
}

pub fn list_reviews(number: u64, shared: &Shared) -> Value {
    let state = shared.state();
    state.whole_reviews.iter().filter(|review| review.pull == number).map(shown_review).collect()
}

fn shown_review(review: &WholeReview) -> Value {
    json!({
        "id": review.id, "body": review.body, "state": "COMMENTED", "commit_id": review.commit, "user": State::user(&review.user),
    })
}

pub fn review(number: u64, body: &Value, shared: &Shared) -> Reply {
    let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
    let mut state = shared.state();
    if text("event") != "COMMENT" {
        state.violations.push(format!("a review approves or refuses: {body}"));
    }
    let (id, user) = (state.id(), state.own_user().to_owned());
    let made = WholeReview { id, pull: number, commit: text("commit_id"), body: text("body"), user };
    let shown = shown_review(&made);
    state.whole_reviews.push(made);
    (200, shown)
}

pub fn edit_review(id: u64, body: &Value, shared: &Shared) -> Reply {
    let mut state = shared.state();
    let Some(review) = state.whole_reviews.iter_mut().find(|review| review.id == id) else { return not_found() };
    review.body = body["body"].as_str().unwrap_or_default().to_owned();
    (200, shown_review(review))
}
