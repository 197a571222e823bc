//! The entries of a patch list: `{"action": …, "path": …, "content": …}`.

use serde_json::Value;

use super::super::lines::{malformed, quote};
use super::object::JsonObject;
use guardhost_core::change::{Author, Existence, FileOp, FilePatch, NoPatch, RepoPath};

/// `start`: the line at which the list begins.
pub(super) fn files(entries: Vec<JsonObject>, start: usize) -> Result<Vec<FilePatch>, NoPatch> {
    let numbered = entries.into_iter().enumerate();
    let files = numbered
        .map(|(index, entry)| file(entry).map_err(|why| malformed(start, format_args!("patch {}: {why}", index + 1))));
    files.collect()
}

fn file(entry: JsonObject) -> Result<FilePatch, String> {
    if let Some(member) = entry.unread_member() {
        return Err(format!("the member {} is not read here, and may change what is meant", quote(member.as_bytes())));
    }
    let path = entry.path.filter(|path| !path.is_empty()).ok_or("`path` is missing")?;
    let content = |content: Option<Value>| match content {
        Some(Value::String(text)) => Ok(text.into_bytes()),
        Some(_) => Err(format!("the `content` of {path} must be a string")),
        None => Err(format!("{path} has no `content`; send the complete file")),
    };
    let (op, existence) = match entry.action.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("create" | "add") => (FileOp::Create(content(entry.content)?), Existence::AsOperation),
        Some("modify" | "update" | "edit" | "replace") => {
            (FileOp::Write(content(entry.content)?), Existence::MustExist)
        }
        Some("write") | None => (FileOp::Write(content(entry.content)?), Existence::Unsaid),
        Some("delete" | "remove") => (FileOp::Delete(Vec::new()), Existence::AsOperation),
        Some(other) => {
            return Err(format!("the action {} of {path} is none of create, modify, delete", quote(other.as_bytes())));
        }
    };
    let written_by = Author::Model { says_whole: false };
    Ok(FilePatch { written_by, existence, ..FilePatch::new(RepoPath::from(path.as_str()), op) })
}
