//! Calls of tools and elements that no parser has read: those that only look at files are harmless, any other may change them.

use bstr::ByteSlice;
use serde_json::{Map, Value};

use super::super::lines::{Lines, blank, quote};
use super::super::{json, names};
use super::Known;
use super::shell;
use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;

/// Tools that change no file, by the last word of their names.
const READERS: [&str; 44] = [
    "view",
    "read",
    "read_file",
    "readfile",
    "read_files",
    "read_many_files",
    "cat",
    "open",
    "open_file",
    "grep",
    "grep_search",
    "search",
    "search_files",
    "search_code",
    "search_file_content",
    "codebase_search",
    "file_search",
    "semantic_search",
    "glob",
    "ls",
    "list",
    "list_dir",
    "list_files",
    "list_directory",
    "find",
    "find_file",
    "view_file",
    "think",
    "thinking",
    "todo_write",
    "todowrite",
    "update_plan",
    "update_todo_list",
    "attempt_completion",
    "ask_followup_question",
    "finish",
    "submit",
    "done",
    "web_search",
    "web_fetch",
    "fetch",
    "diagnostics",
    "get_errors",
    "run_tests",
];

/// Tools that run a command, which is judged by itself.
const SHELLS: [&str; 10] = [
    "bash",
    "shell",
    "execute_command",
    "run_command",
    "run_terminal_cmd",
    "run_in_terminal",
    "run_shell_command",
    "execute_bash",
    "terminal",
    "local_shell",
];

/// Elements of a text.
const MARKUP: [&str; 28] = [
    "a", "p", "b", "i", "em", "li", "ul", "ol", "td", "tr", "th", "table", "summary", "details", "h1", "h2", "h3",
    "h4", "kbd", "br", "sub", "sup", "hr", "img", "strong", "span", "think", "thinking",
];

/// What is known of the tool's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Reader,
    Shell,
    Unknown,
}

fn tool(name: &str) -> Tool {
    let name = name.to_ascii_lowercase();
    let last = name.rsplit(['.', ':']).next().unwrap_or_default();
    let last = last.rsplit("__").next().unwrap_or_default();
    match last {
        last if READERS.contains(&last) => Tool::Reader,
        last if SHELLS.contains(&last) => Tool::Shell,
        _ => Tool::Unknown,
    }
}

/// Whether a tool of this name is known to change no file.
pub(in super::super) fn is_reader(name: &str) -> bool {
    tool(name) == Tool::Reader
}

/// What a line begins that no parser has read.
pub(super) enum UnreadCall {
    Nothing,
    /// Lines up to this one belong to a call that changes nothing.
    Reading(usize),
    /// Why it may change a file.
    Change(String),
}

/// Elements that are longer are not looked through.
const LONGEST: usize = 400;

/// `is_frame`: whether lines from one to another hold an edit that was read, or stand right above one and may be its name.
pub(super) fn at(
    lines: &Lines,
    at: usize,
    files: &Known,
    is_frame: impl Fn(usize, usize, bool) -> bool,
) -> Result<UnreadCall> {
    let first = lines[at].trim_ascii_start().first();
    if matches!(first, Some(b'<' | b'{' | b'[')) && !lines.spend(lines[at].len()) {
        return Ok(UnreadCall::Change("stands in a reply with more of the kind than is looked through".into()));
    }
    match first {
        Some(b'<') => element(lines, at, files, is_frame),
        Some(b'{' | b'[') => {
            let Some((value, next)) = json::value(lines, at) else { return within(lines, at, files) };
            Ok(match change(&value, files)? {
                Some(why) => UnreadCall::Change(why),
                None => UnreadCall::Reading(next),
            })
        }
        _ => within(lines, at, files),
    }
}

/// JSON behind something else in its line: a token of a chat template, or a word.
fn within(lines: &Lines, at: usize, files: &Known) -> Result<UnreadCall> {
    let line = lines[at];
    let Some(column) = line.find("{\"").or_else(|| line.find("[{")) else { return Ok(UnreadCall::Nothing) };
    if !lines.spend(line.len()) {
        return Ok(UnreadCall::Change("stands in a reply with more of the kind than is looked through".into()));
    }
    let value = json::value_from(lines, at, column).map(|(value, _)| change(&value, files)).transpose()?.flatten();
    Ok(value.map_or(UnreadCall::Nothing, UnreadCall::Change))
}

fn element(
    lines: &Lines,
    at: usize,
    files: &Known,
    is_frame: impl Fn(usize, usize, bool) -> bool,
) -> Result<UnreadCall> {
    let text = String::from_utf8_lossy(lines[at].trim_ascii());
    let inner = text.trim_start_matches('<');
    let tag: String = inner.chars().take_while(|c| c.is_alphanumeric() || "_-:".contains(*c)).collect();
    if tag.is_empty() || MARKUP.contains(&tag.as_str()) {
        return Ok(UnreadCall::Nothing);
    }
    let close = format!("</{tag}");
    let end = (at..lines.len().min(at + LONGEST)).find(|&at| lines[at].contains_str(&close));
    let last = end.unwrap_or(at);
    lines.spend(lines[at..end.unwrap_or(lines.len().min(at + LONGEST))].iter().map(|line| line.len() + 16).sum());
    // An element that ends above an edit is its frame only if it is a name.
    let may_name = last == at || tag == "parameter";
    if is_frame(at, last, may_name) {
        return Ok(UnreadCall::Nothing);
    }
    let name = match tag.as_str() {
        "invoke" => inner.split('"').nth(1).map(str::to_owned),
        "function" => inner.strip_prefix("function=").map(|name| name.trim_end_matches('>').to_owned()),
        // An action of bolt.new: whatever is no file is run in a shell.
        "boltAction" => Some("shell".to_owned()),
        _ => None,
    };
    let is_call = name.is_some();
    let name = name.unwrap_or(tag);
    // Anthropic's editor says with a parameter what it is to do.
    let is_view = |line: &&[u8]| {
        let text = line.trim_ascii();
        text == b"<parameter name=\"command\">view</parameter>" || text == b"<command>view</command>"
    };
    match tool(&name) {
        _ if is_call && lines[at..=last].iter().any(is_view) => return Ok(UnreadCall::Reading(last + 1)),
        Tool::Reader => return Ok(UnreadCall::Reading(last + 1)),
        Tool::Shell => {
            let bare: Vec<Vec<u8>> = lines[at..=last].iter().map(|line| untagged(line)).collect();
            let bare: Vec<&[u8]> = bare.iter().map(Vec::as_slice).collect();
            return Ok(match shell::changes(&bare, files)?.is_empty() {
                true => UnreadCall::Reading(last + 1),
                false => UnreadCall::Change("is a command that changes files, and is not run here".into()),
            });
        }
        Tool::Unknown if is_call => return Ok(UnreadCall::Change(unread(&name))),
        Tool::Unknown => {}
    }
    // Words in an element may speak of files; an element with the name of one in an element of its own is a call.
    let names_file = |at: &usize| names::in_tag(lines[*at]).or_else(|| names::in_element(lines[*at])).is_some();
    let is_named = (at..=last).find(names_file).is_some();
    Ok(match is_named || !files.mentioned(lines[at])?.is_empty() {
        true => UnreadCall::Change("names a file, and what it does to it is not read here".into()),
        false => UnreadCall::Nothing,
    })
}

fn unread(name: &str) -> String {
    format!("the call of {} is not read here", quote(name.as_bytes()))
}

/// The line without its tags.
fn untagged(line: &[u8]) -> Vec<u8> {
    let mut is_tag = false;
    let text = line.iter().filter(|byte| match byte {
        b'<' => {
            is_tag = true;
            false
        }
        b'>' if is_tag => {
            is_tag = false;
            false
        }
        _ => !is_tag,
    });
    text.copied().collect()
}

/// Why the JSON value may change a file: it is a call that nobody reads, or names a file of the repository as a whole key or string.
pub(super) fn change(value: &Value, files: &Known) -> Result<Option<String>> {
    let names = |text: &str| names_file(text, files);
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(None),
        Value::String(text) => {
            Ok(names(text)?.then(|| format!("the JSON names {}, and is not read here", quote(text.as_bytes()))))
        }
        Value::Array(entries) => {
            for entry in entries {
                if let Some(why) = change(entry, files)? {
                    return Ok(Some(why));
                }
            }
            Ok(None)
        }
        Value::Object(object) => {
            match called(object, files)? {
                Called::Reader => return Ok(None),
                Called::Change(why) => return Ok(Some(why)),
                Called::No => {}
            }
            for (key, value) in object {
                if names(key)? {
                    return Ok(Some(format!("the JSON names {}, and is not read here", quote(key.as_bytes()))));
                }
                if let Some(why) = change(value, files)? {
                    return Ok(Some(why));
                }
            }
            Ok(None)
        }
    }
}

/// Whether the text is the name of a file of the repository: its path, an absolute one, or an address.
fn names_file(text: &str, files: &Known) -> Result<bool> {
    if text.is_empty() || text.contains(char::is_whitespace) {
        return Ok(!text.is_empty() && files.exists(&RepoPath::from(text))?);
    }
    for path in files.mentioned(text.as_bytes())? {
        if files.exists(&path)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What an object is as the call of a tool.
enum Called {
    No,
    /// It changes nothing.
    Reader,
    Change(String),
}

fn called(object: &Map<String, Value>, files: &Known) -> Result<Called> {
    const NAMES: [&str; 8] = ["name", "tool", "tool_name", "recipient_name", "action", "op", "type", "command"];
    const ARGUMENTS: [&str; 6] = ["input", "arguments", "parameters", "args", "params", "tool_input"];
    const CHANGES: [&str; 7] = ["delet", "remov", "renam", "mov", "new_", "creat", "edit"];
    let name = NAMES.iter().find_map(|key| object.get(*key)?.as_str());
    let has_arguments = ARGUMENTS.iter().any(|key| object.contains_key(*key));
    if let (Some(name), true) = (name, has_arguments) {
        return Ok(match tool(name) {
            Tool::Reader => Called::Reader,
            Tool::Shell => {
                let text =
                    ARGUMENTS.iter().filter_map(|key| object.get(*key)).map(commands).collect::<Vec<_>>().concat();
                match command_changes(&text, files)? {
                    true => Called::Change(format!("{} runs a command that changes files", quote(name.as_bytes()))),
                    false => Called::Reader,
                }
            }
            Tool::Unknown => Called::Change(unread(name)),
        });
    }
    for (key, value) in object {
        let lower = key.to_ascii_lowercase();
        let is_of_file = lower.contains("file") || lower.contains("path");
        let is_change =
            name.is_some_and(|name| tool(name) == Tool::Unknown) || CHANGES.iter().any(|word| lower.contains(word));
        if is_of_file && is_change && !files.mentioned(value.to_string().as_bytes())?.is_empty() {
            return Ok(Called::Change(format!(
                "the member {} names a file, and is not read here",
                quote(key.as_bytes())
            )));
        }
    }
    Ok(Called::No)
}

/// The texts of a call's arguments, which may be a string of JSON.
fn commands(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(inner @ (Value::Object(_) | Value::Array(_))) => commands(&inner),
            _ => vec![text.clone()],
        },
        Value::Array(entries) => vec![entries.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")],
        Value::Object(object) => object.values().flat_map(commands).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// Whether one of the commands changes files of the repository.
pub(super) fn command_changes(commands: &[String], files: &Known) -> Result<bool> {
    for command in commands {
        let command = command.trim_start_matches("bash -lc ").trim_start_matches("bash -c ");
        let lines: Vec<&[u8]> = command.lines().map(str::as_bytes).filter(|line| !blank(line)).collect();
        if !shell::changes(&lines, files)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
