//! The calls of tools in an object, in whatever envelope a provider puts them.

use serde_json::Value;

use super::super::account::is_reader;
use super::object::{Input, JsonObject};

/// What one call asks for.
pub(super) enum Call {
    /// An edit of a file.
    Edit(Box<JsonObject>),
    /// A patch in another format.
    Text(String),
    /// A command for a shell.
    Command(String),
    /// A tool that nobody reads here.
    Unread(String),
    /// A member that nobody reads, of an object around a call or of the call.
    Member(String),
}

/// Envelopes inside one another. Known ones have three.
const DEPTH: usize = 6;

impl Call {
    /// The calls in `object`, in their order.
    pub fn all_in(object: JsonObject) -> Result<Vec<Call>, String> {
        let mut calls = Vec::new();
        gather(object, DEPTH, &mut calls)?;
        Ok(calls)
    }

    /// The patch that a command line applies: `["apply_patch", "…"]`, `["bash", "-lc", "apply_patch <<'EOF' …"]`.
    pub fn from_argv(argv: &[String]) -> Option<String> {
        argv.iter().find(|argument| holds_patch(argument)).cloned()
    }
}

fn gather(mut object: JsonObject, depth: usize, calls: &mut Vec<Call>) -> Result<(), String> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err("the call of a tool is nested too deep in other objects".into());
    };
    object.take_halves();
    let operation = match object.operation.take() {
        Some(Input::Object(operation)) => Some(operation),
        Some(Input::Text(_) | Input::Other(_)) | None => None,
    };
    let (before, name) = (calls.len(), object.name.as_ref().and_then(Value::as_str).map(str::to_owned));
    let is_call = object.input.is_some() || object.is_arguments;
    calls.extend(object.unread_member().map(|member| Call::Member(member.to_owned())));
    let nested = [object.function.take(), operation].into_iter().flatten().map(|inner| *inner);
    for inner in object.tool_calls.take().into_iter().flatten().chain(nested) {
        gather(inner, depth, calls)?;
    }
    if let Some(text) = object.operation_text()? {
        calls.push(Call::Text(text));
        return Ok(());
    }
    match object.input.take() {
        Some(Input::Object(mut inner)) => {
            // The members of a call whose tool has no name are those of its arguments.
            inner.name = inner.name.or(object.name.take());
            inner.is_arguments = true;
            return gather(*inner, depth, calls);
        }
        Some(Input::Text(text)) if text.trim_start().starts_with('{') => {
            let inner: JsonObject = serde_json::from_str(&text)
                .map_err(|error| format!("the arguments of a call cannot be read: {error}"))?;
            let name = inner.name.or(object.name.take());
            return gather(JsonObject { name, is_arguments: true, ..inner }, depth, calls);
        }
        // A string of a string.
        Some(Input::Text(text)) if text.trim_start().starts_with('"') => {
            let inner: String = serde_json::from_str(&text)
                .map_err(|error| format!("the arguments of a call cannot be read: {error}"))?;
            object.input = Some(Input::Text(inner));
            return gather(object, depth, calls);
        }
        Some(Input::Text(text)) if holds_patch(&text) => calls.push(Call::Text(text)),
        Some(Input::Other(input)) if !input.is_null() => return Err("the arguments of a call cannot be read".into()),
        Some(Input::Text(_) | Input::Other(_)) | None => {}
    }
    let words: &[Value] = match &object.command {
        Some(Value::Array(words)) => words,
        Some(word) => std::slice::from_ref(word),
        None => &[],
    };
    let patch = words.iter().filter_map(Value::as_str).find(|word| holds_patch(word));
    let is_shell = object.path.is_none() && object.old_str.is_none();
    match patch {
        Some(patch) => calls.push(Call::Text(patch.to_owned())),
        None if is_shell && !words.is_empty() => {
            calls.push(Call::Command(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")));
        }
        None => {}
    }
    let path = object.path.clone();
    for mut edit in object.edits.take().into_iter().flatten() {
        edit.take_halves();
        calls.extend(edit.unread_member().map(|member| Call::Member(member.to_owned())));
        calls.push(Call::Edit(Box::new(JsonObject { path: edit.path.clone().or_else(|| path.clone()), ..edit })));
    }
    match object.diff.take() {
        Some(Value::String(text)) => calls.push(Call::Text(text)),
        Some(_) | None if object.is_edit() => calls.push(Call::Edit(Box::new(object))),
        Some(_) | None => {}
    }
    let is_read = calls[before..].iter().any(|call| !matches!(call, Call::Member(_)));
    if let Some(name) = name.filter(|name| is_call && !is_read && !is_reader(name)) {
        calls.push(Call::Unread(name));
    }
    Ok(())
}

fn holds_patch(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "*** Begin Patch")
}

impl JsonObject {
    /// The V4A patch of an operation of OpenAI's `apply_patch` tool: `update_file`, `create_file` or `delete_file`, whose `diff` has no
    /// envelope.
    fn operation_text(&self) -> Result<Option<String>, String> {
        let word = match self.kind.as_ref().and_then(Value::as_str) {
            Some("update_file") => "Update",
            Some("create_file") => "Add",
            Some("delete_file") => "Delete",
            Some(_) | None => return Ok(None),
        };
        let path = self.path.as_deref().filter(|path| !path.is_empty() && !path.contains(['\n', '\r']));
        let path = path.ok_or("an operation of `apply_patch` has no `path`")?;
        let diff = match &self.diff {
            Some(Value::String(diff)) => diff.trim_end_matches('\n'),
            None if word == "Delete" => "",
            Some(_) | None => return Err(format!("the operation of {path} has no `diff`")),
        };
        let line = if diff.is_empty() { "" } else { "\n" };
        Ok(Some(format!("*** Begin Patch\n*** {word} File: {path}\n{diff}{line}*** End Patch\n")))
    }

    fn is_edit(&self) -> bool {
        let is_command = matches!(&self.command, Some(Value::String(text)) if !text.contains(char::is_whitespace));
        self.old_str.is_some()
            || self.new_str.is_some()
            || self.file_text.is_some()
            || (self.search.is_some() && self.replace.is_some())
            || (self.path.is_some() && (is_command || self.content.is_some()))
    }
}
