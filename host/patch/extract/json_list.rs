//! The JSON list `{"commit_message": …, "patches": [{"action": …, "path": …, "content": …}]}`, or the bare list.
//!
//! Only valid JSON is read: `repair` ran before. The outermost object counts, never one inside it.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::{Value, error::Category};

use super::elision;
use super::lines::{Lines, malformed, quote, truncated};
use guardhost_core::change::{Existence, FileOp, FilePatch, NoPatch, RepoPath};

#[derive(Deserialize)]
struct List {
    #[serde(default, alias = "message")]
    commit_message: Option<String>,
    #[serde(default)]
    patches: Option<Vec<Entry>>,
    // An object that is one entry, without a list around it.
    #[serde(default)]
    action: Option<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default, deserialize_with = "present")]
    content: Option<Value>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    action: Option<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default, deserialize_with = "present")]
    content: Option<Value>,
}

impl List {
    /// An object that is no list of patches, such as a configuration that the reply shows.
    fn is_other(&self) -> bool {
        self.patches.is_none() && self.action.is_none() && self.path.is_none() && self.content.is_none()
    }
}

/// Tells `null` from a missing member.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

pub(super) struct Parsed {
    pub files: Vec<FilePatch>,
    pub message: Option<String>,
    pub next: usize,
}

/// Lines in which all members of one object begin, since newlines in strings are escaped.
const NEAR: usize = 200;

/// The column at which a list begins in this line.
pub(super) fn starts(lines: &Lines, at: usize) -> Option<usize> {
    let line = lines.get(at)?;
    let column = line.iter().position(|byte| matches!(byte, b'{' | b'['))?;
    // Prose may come before it in the line, the mark of a diff's line may not.
    if matches!(line.first(), Some(b'+' | b'-' | b'@' | b' ')) && !line[..column].trim_ascii().is_empty() {
        return None;
    }
    let mut head = line[column..].to_vec();
    for line in lines[at + 1..].iter().take(3) {
        head.push(b'\n');
        head.extend_from_slice(line);
    }
    let key = first_key(&head)?;
    let later = |words: &[&[u8]]| {
        lines[at..]
            .iter()
            .take(NEAR)
            .any(|line| words.iter().any(|word| line.windows(word.len()).any(|text| text == *word)))
    };
    let ours = match key {
        b"patches" | b"commit_message" => later(&[b"patches"]),
        b"action" | b"content" => later(&[b"\"path\"", b"'path'"]),
        b"path" => later(&[b"\"content\"", b"'content'", b"\"action\"", b"'action'"]),
        _ => column == 0 && later(&[b"\"patches\""]),
    };
    ours.then_some(column)
}

/// The first key of the object that `text` begins with, past brackets that open a list; quoted in any way.
fn first_key(text: &[u8]) -> Option<&[u8]> {
    let open = text.iter().take_while(|byte| matches!(byte, b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n')).count();
    if !text[..open].contains(&b'{') {
        return None;
    }
    let text = text[open..].strip_prefix(b"\"").or(text[open..].strip_prefix(b"'")).unwrap_or(&text[open..]);
    let len = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let rest = text[len..].trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or(rest.strip_prefix(b"'")).unwrap_or(rest).trim_ascii_start();
    (len > 0 && rest.starts_with(b":")).then_some(&text[..len])
}

/// Reads the list that begins in the line `start`.
pub(super) fn parse(lines: &Lines, start: usize) -> Result<Parsed, NoPatch> {
    let mut text = lines[start..].join(&b'\n');
    text.drain(..starts(lines, start).unwrap_or_default());
    let (list, end) = if text.starts_with(b"[") {
        let (patches, end) = read::<Vec<Entry>>(&text, start)?;
        (List { commit_message: None, patches: Some(patches), action: None, path: None, content: None }, end)
    } else {
        read::<List>(&text, start)?
    };
    closes_nothing(&text[end..]).map_err(|()| {
        malformed(start, "there is more JSON after the end of the object; escape every quote inside strings")
    })?;
    let next = start + 1 + text[..end].iter().filter(|byte| **byte == b'\n').count();
    if list.is_other() {
        return Ok(Parsed { files: Vec::new(), message: None, next });
    }
    let entries = match list.patches {
        Some(_) if list.path.is_some() => return Err(malformed(start, "`patches` and `path` in one object")),
        Some(entries) => entries,
        None => vec![Entry { action: list.action, path: list.path, content: list.content }],
    };
    if entries.is_empty() {
        return Err(malformed(start, "`patches` is empty; if nothing needs to change, answer NO_CHANGES_NEEDED"));
    }
    let files = entries
        .into_iter()
        .enumerate()
        .map(|(index, entry)| file(entry).map_err(|why| malformed(start, format_args!("patch {}: {why}", index + 1))));
    Ok(Parsed { files: files.collect::<Result<_, _>>()?, message: list.commit_message, next })
}

fn read<T: DeserializeOwned>(text: &[u8], start: usize) -> Result<(T, usize), NoPatch> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<T>();
    match values.next() {
        Some(Ok(value)) => Ok((value, values.byte_offset())),
        Some(Err(error)) if error.classify() == Category::Eof => Err(truncated(start, "the JSON is not complete")),
        Some(Err(error)) => {
            let at = start + error.line().saturating_sub(1);
            Err(malformed(at, format_args!("the JSON cannot be read: {error}; escape quotes and newlines in strings")))
        }
        None => Err(malformed(start, "the JSON is empty")),
    }
}

/// An unescaped quote can end a string, and with it the object, too early. Then the text after it closes what is not open.
fn closes_nothing(rest: &[u8]) -> Result<(), ()> {
    let mut open = 0usize;
    for line in rest.split(|byte| *byte == b'\n').take_while(|line| !line.trim_ascii().starts_with(b"```")) {
        for byte in line {
            match byte {
                b'{' | b'[' => open += 1,
                b'}' | b']' => open = open.checked_sub(1).ok_or(())?,
                _ => {}
            }
        }
    }
    Ok(())
}

fn file(entry: Entry) -> Result<FilePatch, String> {
    let path = entry.path.filter(|path| !path.is_empty()).ok_or("`path` is missing")?;
    let content = |content: Option<Value>| match content {
        Some(Value::String(text)) => match elision::find(text.as_bytes()) {
            Some(line) => Err(elision::refusal(&RepoPath::from(path.as_str()), &line).message),
            None => Ok(text.into_bytes()),
        },
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
    Ok(FilePatch { existence, ..FilePatch::new(RepoPath::from(path.as_str()), op) })
}
