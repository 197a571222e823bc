//! Comments on pull requests and on their lines.

use serde_json::{Value, json};

use super::Gitea;
use crate::error::{ForgeError, ForgeFailure, Result};
use crate::http::HttpCall;
use crate::json::{number, text};
use crate::model::{Comment, DiffSide, InlineComment, NewInline};

impl Gitea {
    pub(super) fn list_comments(&self, pull: u64) -> Result<Vec<Comment>> {
        let found = self.http.whole_list(self.path(&format!("/issues/{pull}/comments")))?;
        found.iter().map(|value| self.read_comment(value)).collect()
    }

    pub(super) fn new_comment(&self, pull: u64, body: &str, marker: &str) -> Result<Comment> {
        let call = HttpCall::post(self.path(&format!("/issues/{pull}/comments")), json!({ "body": body }));
        let find = || {
            let found = self.list_comments(pull)?;
            Ok(found.into_iter().find(|comment| comment.is_own && comment.body.contains(marker)))
        };
        self.http.create(&call, |value| self.read_comment(value), find)
    }

    /// Of both kinds: a comment on a line is edited as every other.
    pub(super) fn edit(&self, id: u64, body: &str) -> Result<()> {
        let call = HttpCall::patch(self.path(&format!("/issues/comments/{id}")), json!({ "body": body }));
        match self.http.send(&call)?.status {
            // The answer for an entry of the pull request that has no text.
            204 => Err(ForgeError::new(ForgeFailure::Rejected, format!("{}: it is no comment", call.name()))),
            _ => Ok(()),
        }
    }

    /// The comments of the credential's own reviews: those of others are not asked for, one request each.
    pub(super) fn list_inline(&self, pull: u64) -> Result<Vec<InlineComment>> {
        let mut found = Vec::new();
        for review in self.http.list(&self.path(&format!("/pulls/{pull}/reviews")), None)? {
            if self.is_own(&review["user"])? && review["comments_count"] != 0 {
                found.extend(self.in_review(pull, number(&review, "id")?)?);
            }
        }
        found.sort_by_key(|comment| comment.id);
        Ok(found)
    }

    fn in_review(&self, pull: u64, review: u64) -> Result<Vec<InlineComment>> {
        let found = self.http.whole_list(self.path(&format!("/pulls/{pull}/reviews/{review}/comments")))?;
        found.iter().map(|value| self.read_inline(value)).collect()
    }

    /// A review with one comment. The forge has no comments on several lines: the last one gets it.
    pub(super) fn new_inline(&self, pull: u64, new: &NewInline) -> Result<InlineComment> {
        let position = match new.side {
            DiffSide::Left => "old_position",
            DiffSide::Right => "new_position",
        };
        let comment = json!({ "path": new.path, "body": new.body, position: new.line });
        let body = json!({ "event": "COMMENT", "commit_id": new.sha, "comments": [comment] });
        let call = HttpCall::post(self.path(&format!("/pulls/{pull}/reviews")), body);
        let ours = |found: Vec<InlineComment>| {
            found.into_iter().find(|comment| comment.is_own && comment.body.contains(&new.marker))
        };
        // The answer to the request names no comment.
        let read = |review: &Value| {
            ours(self.in_review(pull, number(review, "id")?)?)
                .ok_or_else(|| ForgeError::protocol("a new review does not hold its comment"))
        };
        self.http.create(&call, read, || Ok(ours(self.list_inline(pull)?)))
    }

    fn read_comment(&self, value: &Value) -> Result<Comment> {
        Ok(Comment {
            id: number(value, "id")?,
            body: value["body"].as_str().unwrap_or_default().to_owned(),
            is_own: self.is_own(&value["user"])?,
        })
    }

    fn read_inline(&self, value: &Value) -> Result<InlineComment> {
        // A number before the change or after it; the other is 0.
        let line = |key: &str| value[key].as_u64().filter(|line| *line > 0).and_then(|line| line.try_into().ok());
        Ok(InlineComment {
            id: number(value, "id")?,
            path: text(value, "path")?.to_owned(),
            line: line("position").or_else(|| line("original_position")),
            body: value["body"].as_str().unwrap_or_default().to_owned(),
            is_own: self.is_own(&value["user"])?,
        })
    }
}
