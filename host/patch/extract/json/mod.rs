//! Patches as JSON: the list `{"commit_message": …, "patches": [{"action": …, "path": …, "content": …}]}` or the bare list, the
//! calls of an editing tool, and a patch in another format inside a string.
//!
//! Only valid JSON is read: `repair` ran before. The outermost object counts, never one inside it.

mod call;
mod edits;
mod escaped;
mod extent;
mod insertion;
mod list;
mod object;
mod transcript;

use bstr::ByteSlice;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;

use super::json_index::HALVES;
use super::lines::{Lines, joined, malformed, quote, skip_blank, truncated};
use super::template::Literal;
use call::Call;
pub(super) use escaped::unescape;
use guardhost_core::change::{FilePatch, NoPatch};
pub(super) use insertion::placed;
use object::JsonObject;

/// What an object or a list is.
pub(super) enum Parsed {
    /// A list of patches, or one entry of such a list.
    List { files: Vec<FilePatch>, message: Option<String> },
    /// Calls of an editing tool.
    Edits(Vec<FilePatch>),
    /// Patches in other formats, each the text of a string.
    Texts(Vec<String>),
    /// Calls that change nothing.
    Reading,
    /// What a call came to, as a transcript has it: its text.
    Result(String),
    /// Not a patch, such as a configuration that the reply shows.
    Other,
}

/// The column at which JSON that may hold a patch begins in this line.
pub(super) fn starts(lines: &Lines, at: usize) -> Option<usize> {
    let line = lines.get(at)?;
    // The token that Mistral's chat template puts before calls is no list.
    let token = if line.starts_with(b"[TOOL_CALLS]") { b"[TOOL_CALLS]".len() } else { 0 };
    let column = token + line[token..].iter().position(|byte| matches!(byte, b'{' | b'['))?;
    // Prose may come before it in the line, the mark of a diff's line may not.
    if matches!(line.first(), Some(b'+' | b'-' | b'@' | b' ')) && !line[..column].trim_ascii().is_empty() {
        return None;
    }
    let mut head = line[column..].to_vec();
    for line in lines[at + 1..].iter().take(3) {
        head.push(b'\n');
        head.extend_from_slice(line);
    }
    let near = |keys: &[&str]| lines.json.is_near(lines, at, keys);
    // The call of a tool that writes files, or one that this cannot do.
    let is_call = || near(&["\"file_path\"", "filePath"]) && near(&["\"content\""]) || near(&["insert_line"]);
    let is_map = || near(&["\"files\": {", "\"files\":{"]);
    let is_list = || near(&["\"changes\": ["]) && near(&["\"path\""]) && near(&["\"content\""]);
    let is_edit = || {
        is_call()
            || near(&["old_str", "file_text", "oldString", "oldText", "old_text", "TargetContent"])
            || near(&["\"search\""]) && near(&["\"replace\""])
            || near(&["\"old\""]) && near(&["\"new\""])
            || near(&["\"new_lines\""])
            || near(&HALVES[..1]) && near(&HALVES[1..])
            || near(&["\"operation\""]) && near(&["\"path\""])
            || near(&["\"diff\"", "\"patch\""]) && near(&["\\n@@ "])
    };
    let Some((key, value)) = first_key(&head) else {
        // `["apply_patch", "…"]`
        let is_argv = head[1..].trim_ascii_start().starts_with(b"\"") && head.starts_with(b"[");
        return (is_argv && near(&["*** Begin Patch"])).then_some(column);
    };
    let ours = match key {
        b"type" if value.starts_with(b"\"tool_result\"") => true,
        b"role" if value.starts_with(b"\"tool\"") => true,
        b"patches" | b"commit_message" => near(&["patches"]),
        b"action" | b"content" => near(&["\"path\"", "'path'"]),
        b"path" => near(&["\"content\"", "'content'", "\"action\"", "'action'", "\"diff\"", "\"patch\""]) || is_edit(),
        b"files" | b"changes" | b"file_changes" => {
            is_map() || near(&["\"content\""]) && near(&["\"path\"", "\"file\"", "\"file_path\""]) || is_edit()
        }
        b"file_path" | b"filename" | b"filePath" | b"TargetFile" | b"relativePath" | b"relative_path" => {
            near(&["\"content\""]) || is_edit()
        }
        b"diff" | b"patch" | b"unified_diff" => value.starts_with(b"\""),
        b"command" | b"cmd" | b"name" | b"type" | b"tool" | b"tool_name" | b"tool_calls" | b"tool_uses"
        | b"function" | b"functionCall" | b"function_call" | b"toolCall" | b"tool_call" | b"tool_use" | b"id"
        | b"input" | b"arguments" | b"parameters" | b"recipient_name" | b"old_str" | b"old_string" | b"new_str"
        | b"new_string" | b"oldString" | b"newString" | b"oldText" | b"newText" | b"file" | b"file_text"
        | b"search" | b"edits" | b"replacements" | b"explanation" | b"operation" | b"replace_all" => {
            is_edit() || near(&["*** Begin Patch"])
        }
        _ => column == token && (near(&["\"patches\"", "*** Begin Patch"]) || is_map() || is_list() || is_edit()),
    };
    ours.then_some(column)
}

/// The first key of the object that `text` begins with, past brackets that open a list, quoted in any way; and what follows it.
fn first_key(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let open = text.iter().take_while(|byte| matches!(byte, b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n')).count();
    if !text[..open].contains(&b'{') {
        return None;
    }
    let text = text[open..].strip_prefix(b"\"").or(text[open..].strip_prefix(b"'")).unwrap_or(&text[open..]);
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let rest = text[len..].trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or(rest.strip_prefix(b"'")).unwrap_or(rest).trim_ascii_start();
    let value = rest.strip_prefix(b":")?.trim_ascii_start();
    (len > 0).then_some((&text[..len], value))
}

/// Reads what begins in the line `start`, and gives the line after it. `commands` gets what calls of a shell run.
pub(super) fn parse(lines: &Lines, start: usize, commands: &mut Vec<String>) -> Result<(Parsed, usize), NoPatch> {
    let column = starts(lines, start).unwrap_or_default();
    if let Some((value, next)) = python_literal(lines, start, column) {
        return Ok((from_value(value, start, commands)?, next));
    }
    let (text, end) = extent::text(lines, start, column);
    let parsed = match text.as_slice() {
        [b'[', rest @ ..] if rest.trim_ascii_start().starts_with(b"\"") => {
            let argv: Vec<String> = read(&text, start)?;
            Call::from_argv(&argv).map_or(Parsed::Other, |text| Parsed::Texts(vec![text]))
        }
        [b'[', ..] => from_list(read::<Vec<JsonObject>>(&text, start)?, start, commands)?,
        _ => from_object(read::<JsonObject>(&text, start)?, start, commands)?,
    };
    // Another object below it is read by itself.
    let goes_on = |(line, column): (usize, usize)| {
        let mut next = skip_blank(lines, line + 1);
        // The tags around each call, as open models have them.
        while lines.get(next).is_some_and(|line| matches!(line.trim_ascii(), b"<tool_call>" | b"</tool_call>")) {
            next = skip_blank(lines, next + 1);
        }
        lines[line][column..].trim_ascii().is_empty() && (starts(lines, next) == Some(0) || next == lines.len())
    };
    if let Some((line, column)) = end
        && lines[line][column..].contains_str("{\"")
    {
        return Err(malformed(
            line,
            "there is more JSON in the line behind this object; put each call on a line of its own",
        ));
    }
    if !end.is_some_and(|end| goes_on(end) || lines.json.closes_nothing(lines, end.0, end.1)) {
        return Err(malformed(
            start,
            "there is more JSON after the end of the object; escape every quote inside strings",
        ));
    }
    Ok((parsed, end.map_or(lines.len(), |(line, _)| line + 1)))
}

/// The calls of a template, each as an object with its name and its arguments.
pub(super) fn calls(values: Vec<Value>, start: usize, commands: &mut Vec<String>) -> Result<Parsed, NoPatch> {
    from_value(Value::Array(values), start, commands)
}

fn from_value(value: Value, start: usize, commands: &mut Vec<String>) -> Result<Parsed, NoPatch> {
    let unreadable = |error: serde_json::Error| malformed(start, format_args!("the call cannot be read: {error}"));
    match value {
        Value::Array(_) => from_list(serde_json::from_value(value).map_err(unreadable)?, start, commands),
        _ => from_object(serde_json::from_value(value).map_err(unreadable)?, start, commands),
    }
}

/// The dictionary or the list of dictionaries that Python writes so, whose names stand in single quotation marks; and the line after it,
/// of which nothing else stands in the last one.
fn python_literal(lines: &Lines, start: usize, column: usize) -> Option<(Value, usize)> {
    let head = &lines[start][column..];
    let first = head.iter().find(|byte| !b"{[ \t".contains(byte)).or_else(|| {
        let next = lines.get(skip_blank(lines, start + 1))?;
        next.iter().find(|byte| !b"{[ \t".contains(byte))
    })?;
    if *first != b'\'' {
        return None;
    }
    let text = joined(&lines[start..]);
    lines.spend(text.len());
    let text = std::str::from_utf8(&text[column..]).ok()?;
    let mut literal = Literal::new(text, 0);
    let value = literal.value()?;
    let rest = text[literal.at()..].lines().next().unwrap_or_default();
    rest.trim().is_empty().then(|| (value, start + text[..literal.at()].matches('\n').count() + 1))
}

/// The value that begins in the line, which is valid JSON, and the line after it.
pub(super) fn value(lines: &Lines, start: usize) -> Option<(Value, usize)> {
    let column = lines.get(start)?.iter().position(|byte| !byte.is_ascii_whitespace())?;
    value_from(lines, start, column)
}

/// The same, of what begins at the column.
pub(super) fn value_from(lines: &Lines, start: usize, column: usize) -> Option<(Value, usize)> {
    let (text, end) = extent::text(lines, start, column);
    lines.spend(text.len());
    Some((serde_json::from_slice(&text).ok()?, end?.0 + 1))
}

fn from_object(mut object: JsonObject, start: usize, commands: &mut Vec<String>) -> Result<Parsed, NoPatch> {
    if object.is_result() {
        let text = object.content.map(|content| content.as_str().map_or_else(|| content.to_string(), str::to_owned));
        return Ok(Parsed::Result(text.unwrap_or_default()));
    }
    object.take_halves();
    match object.patches.take() {
        Some(_) if object.path.is_some() => Err(malformed(start, "`patches` and `path` in one object")),
        Some(entries) => {
            let message = object.commit_message.take();
            if let Some(member) = object.unread_member() {
                return Err(unread(start, member));
            }
            Ok(match from_list(entries, start, commands)? {
                Parsed::List { files, .. } => Parsed::List { files, message },
                parsed => parsed,
            })
        }
        None if object.is_entry() => {
            let message = object.commit_message.take();
            Ok(Parsed::List { files: list::files(vec![object], start)?, message })
        }
        None => from_calls(Call::all_in(object).map_err(|why| malformed(start, why))?, start, commands),
    }
}

fn from_list(mut entries: Vec<JsonObject>, start: usize, commands: &mut Vec<String>) -> Result<Parsed, NoPatch> {
    if entries.is_empty() {
        return Err(malformed(start, "`patches` is empty; if nothing needs to change, answer NO_CHANGES_NEEDED"));
    }
    entries.iter_mut().for_each(JsonObject::take_halves);
    if entries.iter().any(JsonObject::is_call) {
        let failed = transcript::take_failed(&mut entries).map_err(|why| malformed(start, why))?;
        if !failed.is_empty() {
            return from_retried(entries, failed, start, commands);
        }
        let calls: Result<Vec<Vec<Call>>, String> = entries.into_iter().map(Call::all_in).collect();
        let calls = calls.map_err(|why| malformed(start, why))?.into_iter().flatten().collect();
        return from_calls(calls, start, commands);
    }
    Ok(Parsed::List { files: list::files(entries, start)?, message: None })
}

/// The calls of a transcript without those that failed: what these were for is done only if a later one edits the same file.
fn from_retried(
    entries: Vec<JsonObject>,
    failed: Vec<JsonObject>,
    start: usize,
    commands: &mut Vec<String>,
) -> Result<Parsed, NoPatch> {
    let again = || malformed(start, "a call failed, as its result says, and no later one edits the same file");
    if !entries.iter().any(JsonObject::is_call) {
        return Err(again());
    }
    let (made, lost) = (from_list(entries, start, commands)?, from_list(failed, start, &mut Vec::new())?);
    match (made, lost) {
        (Parsed::Edits(made), Parsed::Edits(lost))
            if lost.iter().all(|lost| made.iter().any(|edit| edit.path == lost.path)) =>
        {
            Ok(Parsed::Edits(made))
        }
        (made, Parsed::Reading) => Ok(made),
        (_, _) => Err(again()),
    }
}

/// Calls of one kind; two kinds in one object contradict the rule of one format.
fn from_calls(calls: Vec<Call>, start: usize, commands: &mut Vec<String>) -> Result<Parsed, NoPatch> {
    let mut edits = Vec::new();
    let mut texts = Vec::new();
    let mut members = Vec::new();
    let is_known = calls.iter().any(|call| !matches!(call, Call::Member(_)));
    for call in calls {
        match call {
            Call::Edit(edit) => edits.extend(edits::file(edit).map_err(|why| malformed(start, why))?),
            Call::Text(text) => texts.push(text),
            Call::Command(command) => commands.push(command),
            Call::Member(member) => members.push(member),
            Call::Unread(name) => {
                let why =
                    format_args!("the call of {} is not read here; send the change as a patch", quote(name.as_bytes()));
                return Err(malformed(start, why));
            }
        }
    }
    if let Some(member) = members.first().filter(|_| !edits.is_empty() || !texts.is_empty()) {
        return Err(unread(start, member));
    }
    match (edits.is_empty(), texts.is_empty()) {
        (true, true) if is_known => Ok(Parsed::Reading),
        (true, true) => Ok(Parsed::Other),
        (false, true) => Ok(Parsed::Edits(edits)),
        (true, false) => Ok(Parsed::Texts(texts)),
        (false, false) => Err(malformed(start, "edits and a patch in another format in one answer; use one format")),
    }
}

fn unread(start: usize, member: &str) -> NoPatch {
    let member = quote(member.as_bytes());
    malformed(
        start,
        format_args!("the member {member} of this JSON is not read here, and may change what is meant; leave it out"),
    )
}

fn read<T: DeserializeOwned>(text: &[u8], start: usize) -> Result<T, NoPatch> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<T>();
    match values.next() {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) if error.classify() == Category::Eof => Err(truncated(start, "the JSON is not complete")),
        Some(Err(error)) => {
            let at = start + error.line().saturating_sub(1);
            Err(malformed(at, format_args!("the JSON cannot be read: {error}; escape quotes and newlines in strings")))
        }
        None => Err(malformed(start, "the JSON is empty")),
    }
}
