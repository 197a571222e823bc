//! What an agent is about to do, from a request to the editor, as the hooks of agents have it. What has another form than the protocol
//! gives it is not understood.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::shown::{ToolCallUpdate, ToolDiff};
use crate::hook::{EditInput, FileEdit, Replacement, ToolCall};

#[derive(Deserialize)]
struct WriteTextFile {
    path: String,
    content: String,
}

#[derive(Deserialize)]
struct CreateTerminal {
    command: String,
    args: Option<Vec<String>>,
    env: Option<Vec<EnvVariable>>,
    cwd: Option<String>,
}

#[derive(Deserialize)]
struct EnvVariable {
    name: String,
    value: String,
}

/// The parameters of a method.
///
/// # Errors
/// What is not understood, as a sentence.
pub fn read<T: DeserializeOwned>(method: &str, params: &Value) -> Result<T, String> {
    // The members of a list would be taken in the order in which they are written here.
    match params.is_object() {
        true => T::deserialize(params).map_err(|why| format!("{method} has another form: {why}")),
        false => Err(format!("the parameters of {method} are no object")),
    }
}

/// `fs/write_text_file`.
///
/// # Errors
/// What is not understood, as a sentence.
pub fn from_write(params: &Value) -> Result<ToolCall, String> {
    let WriteTextFile { path, content } = read("fs/write_text_file", params)?;
    Ok(ToolCall::File(FileEdit { path, how: EditInput::Write(content), input: Map::new() }))
}

/// `terminal/create`: a program with its arguments, or a line for a shell; and the folder that it names.
///
/// # Errors
/// What is not understood, as a sentence.
pub fn from_terminal(params: &Value) -> Result<(ToolCall, Option<String>), String> {
    let CreateTerminal { command, args, env, cwd } = read("terminal/create", params)?;
    let quoted = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
    let mut line = String::new();
    // What a variable turns off counts as if the line said so.
    for EnvVariable { name, value } in env.unwrap_or_default() {
        line += &format!("{name}={} ", quoted(&value));
    }
    match args.unwrap_or_default() {
        args if args.is_empty() => line += &command,
        args => {
            let words = std::iter::once(&command).chain(&args).map(|word| quoted(word));
            line += &words.collect::<Vec<_>>().join(" ");
        }
    }
    Ok((ToolCall::read("shell", &Map::from_iter([("command".to_owned(), json!(line))]))?, cwd))
}

/// `session/request_permission`, with what is known of its tool call: a command, whatever kind the agent says that it is, and edits. A
/// question about neither is none.
///
/// # Errors
/// What is not understood, as a sentence.
pub fn from_permission(call: &ToolCallUpdate, cwd: &Path) -> Result<Vec<ToolCall>, String> {
    let mut calls = Vec::new();
    let raw = call.raw_input.as_ref().and_then(Value::as_object);
    if let Some(raw) = raw.filter(|raw| raw.contains_key("command") || raw.contains_key("cmd")) {
        calls.push(ToolCall::read("shell", raw)?);
    }
    let all =
        raw.is_some_and(|raw| ["replace_all", "replaceAll"].iter().any(|key| raw.get(*key) == Some(&json!(true))));
    let edits: Vec<FileEdit> = call.diffs().map(|diff| from_diff(diff, all, cwd)).collect();
    if !edits.is_empty() {
        calls.push(ToolCall::Files(edits));
    }
    Ok(calls)
}

/// The protocol has whole files in a diff; agents also send the lines that they replace.
fn from_diff(diff: &ToolDiff, all: bool, cwd: &Path) -> FileEdit {
    let new = diff.new_text.clone();
    let is_whole = |old: &str| {
        let now = guardhost_os::read_regular(&cwd.join(&diff.path), old.len() as u64);
        now.is_ok_and(|now| now == old.as_bytes())
    };
    let how = match diff.old_text.as_deref() {
        None | Some("") => EditInput::Write(new),
        Some(old) if is_whole(old) => EditInput::Write(new),
        Some(old) => EditInput::Replace(vec![Replacement { old: old.to_owned(), new, all }]),
    };
    FileEdit { path: diff.path.clone(), how, input: Map::new() }
}
