//! Notes on merge requests, and discussions on their lines.

use serde_json::{Value, json};

use super::GitLab;
use crate::error::{ForgeError, Result};
use crate::http::HttpCall;
use crate::json::{number, text};
use crate::model::{Comment, DiffSide, InlineComment, NewInline};

impl GitLab {
    pub(super) fn list_comments(&self, pull: u64) -> Result<Vec<Comment>> {
        let notes = self.http.list(&self.pull_address(pull, "/notes?order_by=created_at&sort=asc"), None)?;
        // Those of the forge itself ("added 1 commit") and those on lines are among them.
        let own = notes.iter().filter(|note| note["system"] != true && note["position"].is_null());
        own.map(|note| self.read_comment(note)).collect()
    }

    pub(super) fn new_comment(&self, pull: u64, body: &str, marker: &str) -> Result<Comment> {
        let call = HttpCall::post(self.pull_address(pull, "/notes"), json!({ "body": body }));
        let find = || {
            let found = self.list_comments(pull)?;
            Ok(found.into_iter().find(|comment| comment.is_own && comment.body.contains(marker)))
        };
        self.http.create(&call, |note| self.read_comment(note), find)
    }

    /// Of both kinds.
    pub(super) fn edit(&self, pull: u64, id: u64, body: &str) -> Result<()> {
        let call = HttpCall::replace(self.pull_address(pull, &format!("/notes/{id}")), json!({ "body": body }));
        self.http.json(&call).map(drop)
    }

    /// First notes of discussions on lines: what others answered is theirs.
    pub(super) fn list_inline(&self, pull: u64) -> Result<Vec<InlineComment>> {
        let mut found = Vec::new();
        for discussion in self.http.list(&self.pull_address(pull, "/discussions"), None)? {
            let first = &discussion["notes"][0];
            if first["position"]["position_type"] == "text" {
                found.push(self.read_inline(first)?);
            }
        }
        found.sort_by_key(|comment| comment.id);
        Ok(found)
    }

    /// On one line: of several the last, because a range is named by codes of lines that are the forge's own.
    pub(super) fn new_inline(&self, pull: u64, new: &NewInline) -> Result<InlineComment> {
        // The commits of the merge request's diff as the forge computed it: after a push it takes a moment.
        let shown = self.http.json(&HttpCall::get(self.pull_address(pull, "")))?;
        let refs = &shown["diff_refs"];
        let mut position = json!({
            "position_type": "text", "base_sha": text(refs, "base_sha")?, "start_sha": text(refs, "start_sha")?,
            "head_sha": new.sha, "old_path": new.path, "new_path": new.path,
        });
        match new.side {
            DiffSide::Left => position["old_line"] = json!(new.line),
            DiffSide::Right => position["new_line"] = json!(new.line),
        }
        if let Some(old) = new.old_line {
            position["old_line"] = json!(old);
        }
        let call =
            HttpCall::post(self.pull_address(pull, "/discussions"), json!({ "body": new.body, "position": position }));
        let read = |discussion: &Value| match &discussion["notes"][0] {
            Value::Null => Err(ForgeError::protocol("a new discussion has no note")),
            note => self.read_inline(note),
        };
        let find = || {
            let found = self.list_inline(pull)?;
            Ok(found.into_iter().find(|comment| comment.is_own && comment.body.contains(&new.marker)))
        };
        self.http.create(&call, read, find)
    }

    fn read_comment(&self, note: &Value) -> Result<Comment> {
        Ok(Comment {
            id: number(note, "id")?,
            body: note["body"].as_str().unwrap_or_default().to_owned(),
            is_own: self.is_own(&note["author"])?,
        })
    }

    fn read_inline(&self, note: &Value) -> Result<InlineComment> {
        let position = &note["position"];
        let line = |key: &str| position[key].as_u64().and_then(|line| line.try_into().ok());
        let path = position["new_path"].as_str().or(position["old_path"].as_str());
        Ok(InlineComment {
            id: number(note, "id")?,
            path: path.ok_or_else(|| ForgeError::protocol("a position without a path"))?.to_owned(),
            line: line("new_line").or_else(|| line("old_line")),
            body: note["body"].as_str().unwrap_or_default().to_owned(),
            is_own: self.is_own(&note["author"])?,
        })
    }
}
