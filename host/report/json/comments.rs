//! What became of comments on the lines of a pull request.

use serde_json::{Value, json};

use crate::CommentCounts;

pub fn comments(counts: &CommentCounts) -> Value {
    json!({
        "new": counts.new,
        "kept": counts.kept,
        "reopened": counts.reopened,
        "resolved": counts.resolved,
        "summarised": counts.summarised,
        "refused": counts.refused,
    })
}
