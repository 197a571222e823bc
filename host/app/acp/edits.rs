//! What an agent is about to do, from a request to the editor, as the hooks of agents have it.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::hook::{EditInput, FileEdit, Replacement, ToolCall};

/// `fs/write_text_file`.
///
/// # Errors
/// What is not understood, as a sentence.
pub fn from_write(params: &Value) -> Result<ToolCall, String> {
    let text = |key: &str| params[key].as_str().ok_or_else(|| format!("fs/write_text_file has no `{key}`"));
    let (path, how) = (text("path")?.to_owned(), EditInput::Write(text("content")?.to_owned()));
    Ok(ToolCall::File(FileEdit { path, how, input: Map::new() }))
}

/// `terminal/create`: a program with its arguments, or a line for a shell.
///
/// # Errors
/// What is not understood, as a sentence.
pub fn from_terminal(params: &Value) -> Result<ToolCall, String> {
    let program = params["command"].as_str().ok_or("terminal/create has no `command`")?;
    let args: Vec<&str> = params["args"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let quoted = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
    let mut line = String::new();
    // What a variable turns off counts as if the line said so.
    for variable in params["env"].as_array().into_iter().flatten() {
        if let (Some(name), Some(value)) = (variable["name"].as_str(), variable["value"].as_str()) {
            line += &format!("{name}={} ", quoted(value));
        }
    }
    match args.is_empty() {
        true => line += program,
        false => {
            let words = std::iter::once(program).chain(args).map(quoted);
            line += &words.collect::<Vec<_>>().join(" ");
        }
    }
    ToolCall::read("shell", &Map::from_iter([("command".to_owned(), json!(line))]))
}

/// `session/request_permission`, with the diffs that are known of its tool call. A question about neither a file nor a command is none.
///
/// # Errors
/// What is not understood, as a sentence.
pub fn from_permission(call: &Value, diffs: &[Value], cwd: &Path) -> Result<ToolCall, String> {
    let raw = call["rawInput"].as_object();
    if diffs.is_empty() {
        let is_command = |raw: &&Map<String, Value>| {
            call["kind"] == "execute" && raw.keys().any(|key| key == "command" || key == "cmd")
        };
        return raw.filter(is_command).map_or(Ok(ToolCall::Other), |raw| ToolCall::read("shell", raw));
    }
    let all =
        raw.is_some_and(|raw| ["replace_all", "replaceAll"].iter().any(|key| raw.get(*key) == Some(&json!(true))));
    let edits: Result<Vec<FileEdit>, String> = diffs.iter().map(|diff| from_diff(diff, all, cwd)).collect();
    edits.map(ToolCall::Files)
}

/// The protocol has whole files in a diff; agents also send the lines that they replace.
fn from_diff(diff: &Value, all: bool, cwd: &Path) -> Result<FileEdit, String> {
    let path = diff["path"].as_str().ok_or("a diff names no `path`")?.to_owned();
    let new = diff["newText"].as_str().ok_or("a diff has no `newText`")?.to_owned();
    let is_whole = |old: &str| std::fs::read(cwd.join(&path)).is_ok_and(|now| now == old.as_bytes());
    let how = match diff["oldText"].as_str() {
        None | Some("") => EditInput::Write(new),
        Some(old) if is_whole(old) => EditInput::Write(new),
        Some(old) => EditInput::Replace(vec![Replacement { old: old.to_owned(), new, all }]),
    };
    Ok(FileEdit { path, how, input: Map::new() })
}
