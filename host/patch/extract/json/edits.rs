//! The calls of editing tools: `str_replace` and `create` as Anthropic's text editor has them, `Edit`, `MultiEdit` and `Write` of
//! Claude Code, `replace` of Gemini CLI, and `{"path": …, "search": …, "replace": …}`.

use serde_json::Value;

use super::super::lines::quote;
use super::super::search_replace::hunk;
use super::object::JsonObject;
use guardhost_core::change::{Author, FileOp, FilePatch, Hunk, Line, RepoPath};

/// What the call makes of its file; None when it only looks at it.
pub(super) fn file(edit: Box<JsonObject>) -> Result<Option<FilePatch>, String> {
    let path = edit.path.as_deref().filter(|path| !path.is_empty()).ok_or("an edit has no `path`")?;
    let name = edit.name.as_ref().and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    if let Some(word) = ["append", "insert", "prepend", "delete", "remove", "rename", "move", "regex", "undo"]
        .iter()
        .find(|word| name.contains(**word))
    {
        return Err(format!("the call of {} for {path} is not read here: it may {word} lines", quote(name.as_bytes())));
    }
    let whole = |op| Ok(Some(made(path, op)));
    match (edit.command.as_ref().and_then(Value::as_str), &edit.file_text, &edit.content) {
        (Some("view"), _, _) => Ok(None),
        (Some("str_replace") | None, None, None) => whole(FileOp::Modify(vec![replaced(&edit, path)?])),
        (Some("create" | "write") | None, Some(text), None) => whole(FileOp::Write(text.clone().into_bytes())),
        (Some("create" | "write") | None, None, Some(Value::String(text))) => {
            whole(FileOp::Write(text.clone().into_bytes()))
        }
        (Some("insert"), None, None) => whole(FileOp::Modify(vec![inserted(&edit, path)?])),
        (Some(command), _, _) => {
            Err(format!("the command {} of {path} cannot be read here", quote(command.as_bytes())))
        }
        (None, _, _) => Err(format!("the edit of {path} has neither `old_str` nor the text of a file")),
    }
}

/// The lines that `insert` adds, and the number of the line above them. The number alone is no proof of the place.
fn inserted(edit: &JsonObject, path: &str) -> Result<Hunk, String> {
    let number = edit.insert_line.as_ref().and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    let text = edit.new_str.as_deref().xor(edit.insert_text.as_deref());
    let (Some(number), Some(text), None) = (number, text, &edit.old_str) else {
        return Err(format!("an `insert` into {path} needs `insert_line` and `new_str`"));
    };
    let lines = whole_lines(text).into_iter().map(|line| Line::Add(line.strip_suffix('\r').unwrap_or(line).into()));
    Ok(Hunk { old_start: Some(number), lines: lines.collect(), ..Hunk::default() })
}

fn made(path: &str, op: FileOp) -> FilePatch {
    FilePatch { written_by: Author::Model { says_whole: true }, ..FilePatch::new(RepoPath::from(path), op) }
}

fn replaced(edit: &JsonObject, path: &str) -> Result<Hunk, String> {
    let is_everywhere = match &edit.replace_all {
        None | Some(Value::Bool(false) | Value::Null) => false,
        Some(Value::Bool(true)) => true,
        Some(Value::String(text)) if text == "false" => false,
        Some(Value::String(text)) if text == "true" => true,
        Some(_) => return Err(format!("`replace_all` of an edit of {path} must be true or false")),
    };
    Ok(Hunk { is_everywhere, ..once(edit, path)? })
}

fn once(edit: &JsonObject, path: &str) -> Result<Hunk, String> {
    if let (Some(search), Some(replace)) = (&edit.search, &edit.replace) {
        let (Value::String(search), Value::String(replace)) = (search, replace) else {
            return Err(format!("`search` and `replace` of {path} must be strings"));
        };
        return between(whole_lines(search), whole_lines(replace), path);
    }
    let old = edit.old_str.as_deref().ok_or_else(|| format!("an edit of {path} has no `old_str`"))?;
    let new = edit.new_str.as_deref().ok_or_else(|| format!("an edit of {path} has no `new_str`"))?;
    // A line feed at the end of both belongs to the last line. Without `new_str` the lines go, with theirs.
    let ends_line = old.ends_with('\n');
    let (old, new) = match (old.strip_suffix('\n'), new.strip_suffix('\n')) {
        (Some(old), Some(new)) => (old.split('\n').collect(), new.split('\n').collect()),
        (Some(old), None) if new.is_empty() => (old.split('\n').collect(), Vec::new()),
        (Some(_), None) => {
            return Err(format!(
                "`old_str` of {path} ends with a line feed and `new_str` does not: its last line would be joined to the next"
            ));
        }
        (None, _) => (old.split('\n').collect(), new.split('\n').collect()),
    };
    Ok(Hunk { ends_line, ..between(old, new, path)? })
}

/// The lines of a text; a line feed at its end opens no further one.
fn whole_lines(text: &str) -> Vec<&str> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}

fn between(old: Vec<&str>, new: Vec<&str>, path: &str) -> Result<Hunk, String> {
    if old.iter().all(|line| line.trim().is_empty()) {
        return Err(format!("an edit of {path} has nothing to search for; quote the lines that it replaces"));
    }
    fn bytes<'t>(line: &&'t str) -> &'t [u8] {
        line.strip_suffix('\r').unwrap_or(line).as_bytes()
    }
    Ok(hunk(&old.iter().map(bytes).collect::<Vec<_>>(), &new.iter().map(bytes).collect::<Vec<_>>()))
}
