//! Comments on pull requests and on their lines.

use serde_json::{Value, json};

use super::GitHub;
use crate::error::Result;
use crate::http::HttpCall;
use crate::json::{number, text};
use crate::model::{Comment, DiffSide, InlineComment, NewInline, WriteOutcome};
use crate::one_comment::same;

impl GitHub {
    pub(super) fn list_comments(&self, number: u64) -> Result<Vec<Comment>> {
        let found = self.http.list(&self.path(&format!("/issues/{number}/comments")), None)?;
        found.iter().map(|value| self.read_comment(value)).collect()
    }

    pub(super) fn new_comment(&self, number: u64, body: &str, marker: &str) -> Result<Comment> {
        let call = HttpCall::post(self.path(&format!("/issues/{number}/comments")), json!({ "body": body }));
        let find = || {
            let found = self.list_comments(number)?;
            Ok(found.into_iter().find(|comment| comment.is_own && comment.body.contains(marker)))
        };
        self.http.create(&call, |value| self.read_comment(value), find)
    }

    pub(super) fn list_inline(&self, number: u64) -> Result<Vec<InlineComment>> {
        let found = self.http.list(&self.path(&format!("/pulls/{number}/comments")), None)?;
        found.iter().map(|value| self.read_inline(value)).collect()
    }

    pub(super) fn new_inline(&self, number: u64, new: &NewInline) -> Result<InlineComment> {
        let side = match new.side {
            DiffSide::Left => "LEFT",
            DiffSide::Right => "RIGHT",
        };
        let mut body = json!({
            "body": new.body, "commit_id": new.sha, "path": new.path, "line": new.line, "side": side,
        });
        // A first line that is the last one is refused.
        if let Some(start) = new.start_line.filter(|start| *start < new.line) {
            body["start_line"] = json!(start);
            body["start_side"] = json!(side);
        }
        let call = HttpCall::post(self.path(&format!("/pulls/{number}/comments")), body);
        let find = || {
            let found = self.list_inline(number)?;
            Ok(found.into_iter().find(|comment| comment.is_own && comment.body.contains(&new.marker)))
        };
        self.http.create(&call, |value| self.read_inline(value), find)
    }

    /// A forge keeps the reviews of earlier commits; each commit has one of its own.
    pub(super) fn one_review(&self, pull: u64, sha: &str, body: &str, marker: &str) -> Result<WriteOutcome> {
        let path = self.path(&format!("/pulls/{pull}/reviews"));
        let find = || -> Result<Option<Value>> {
            for review in self.http.list(&path, None)? {
                let is_of_commit = review["commit_id"] == sha;
                if is_of_commit
                    && review["body"].as_str().is_some_and(|body| body.contains(marker))
                    && self.is_own(&review["user"])?
                {
                    return Ok(Some(review));
                }
            }
            Ok(None)
        };
        match find()? {
            Some(known) if same(known["body"].as_str().unwrap_or_default(), body) => Ok(WriteOutcome::Unchanged),
            Some(known) => {
                let call = HttpCall::replace(format!("{path}/{}", number(&known, "id")?), json!({ "body": body }));
                self.http.json(&call).map(|_| WriteOutcome::Changed)
            }
            None => {
                let new = json!({ "body": body, "commit_id": sha, "event": "COMMENT" });
                self.http.create(&HttpCall::post(&path, new), |_| Ok(()), || Ok(find()?.map(drop)))?;
                Ok(WriteOutcome::Made)
            }
        }
    }

    fn read_comment(&self, value: &Value) -> Result<Comment> {
        Ok(Comment {
            id: number(value, "id")?,
            body: value["body"].as_str().unwrap_or_default().to_owned(),
            is_own: self.is_own(&value["user"])?,
        })
    }

    fn read_inline(&self, value: &Value) -> Result<InlineComment> {
        Ok(InlineComment {
            id: number(value, "id")?,
            path: text(value, "path")?.to_owned(),
            line: value["line"].as_u64().and_then(|line| line.try_into().ok()),
            body: value["body"].as_str().unwrap_or_default().to_owned(),
            is_own: self.is_own(&value["user"])?,
        })
    }
}
