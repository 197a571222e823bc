//! Every member that an object of a patch list or of a tool's call may have.

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::super::account::{is_out_of_force, is_withheld};
use super::super::labels::{TextSide, half_of_member};
use super::super::names;

/// An object with one member twice, in two of its spellings too, cannot be read: either may be meant.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct JsonObject {
    #[serde(alias = "message")]
    pub commit_message: Option<String>,
    #[serde(alias = "files", alias = "changes", alias = "file_changes", deserialize_with = "list_or_text")]
    pub patches: Option<Vec<JsonObject>>,
    pub action: Option<String>,
    #[serde(
        alias = "file_path",
        alias = "filename",
        alias = "file",
        alias = "filePath",
        alias = "TargetFile",
        alias = "relativePath",
        alias = "relative_path"
    )]
    pub path: Option<String>,
    #[serde(deserialize_with = "present")]
    pub content: Option<Value>,

    /// The tool's name.
    #[serde(alias = "tool", alias = "tool_name", alias = "recipient_name")]
    pub name: Option<Value>,
    #[serde(alias = "arguments", alias = "parameters", alias = "args", alias = "tool_input")]
    pub input: Option<Input>,
    #[serde(
        alias = "functionCall",
        alias = "function_call",
        alias = "toolCall",
        alias = "tool_call",
        alias = "tool_use"
    )]
    pub function: Option<Box<JsonObject>>,
    #[serde(alias = "tool_uses", alias = "calls", deserialize_with = "list_or_text")]
    pub tool_calls: Option<Vec<JsonObject>>,
    /// The command of an editing tool, or one for a shell, as text or as a list of its words.
    #[serde(alias = "cmd")]
    pub command: Option<Value>,

    #[serde(
        alias = "old_string",
        alias = "oldString",
        alias = "oldText",
        alias = "old_text",
        alias = "TargetContent",
        alias = "old",
        alias = "old_lines",
        alias = "original_lines",
        deserialize_with = "text_or_lines"
    )]
    pub old_str: Option<String>,
    #[serde(
        alias = "new_string",
        alias = "newString",
        alias = "newText",
        alias = "new_text",
        alias = "ReplacementContent",
        alias = "new",
        alias = "new_lines",
        deserialize_with = "text_or_lines"
    )]
    pub new_str: Option<String>,
    pub search: Option<Value>,
    pub replace: Option<Value>,
    pub file_text: Option<String>,
    /// The line below which `insert` puts its text, from 1; 0 is the beginning of the file.
    #[serde(alias = "insertLine")]
    pub insert_line: Option<Value>,
    pub insert_text: Option<String>,
    #[serde(alias = "allow_multiple", alias = "replaceAll", alias = "AllowMultiple")]
    pub replace_all: Option<Value>,
    #[serde(
        alias = "replacements",
        alias = "modifications",
        alias = "ReplacementChunks",
        deserialize_with = "list_or_text"
    )]
    pub edits: Option<Vec<JsonObject>>,
    #[serde(alias = "patch", alias = "unified_diff")]
    pub diff: Option<Value>,
    /// What a call of OpenAI's `apply_patch` tool does; `kind` is what that is.
    pub operation: Option<Input>,
    #[serde(rename = "type")]
    pub kind: Option<Value>,
    /// It is the arguments of a call.
    #[serde(skip)]
    pub is_arguments: bool,
    /// Members that are not known: each may change what is meant.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// Members that change nothing: names of calls and words about them.
const HARMLESS: [&str; 40] = [
    "id",
    "index",
    "call_id",
    "tool_call_id",
    "tool_use_id",
    "caller",
    "role",
    "status",
    "model",
    "title",
    "summary",
    "explanation",
    "description",
    "reason",
    "reasoning",
    "thought",
    "thoughts",
    "thinking",
    "rationale",
    "comment",
    "note",
    "notes",
    "language",
    "lang",
    "instruction",
    "instructions",
    "complexity",
    "confidence",
    "toolaction",
    "toolsummary",
    "codemarkdownlanguage",
    "targetlinterrorids",
    "overwrite",
    "timestamp",
    "stop_reason",
    "finish_reason",
    "usage",
    "task_progress",
    "security_risk",
    "requires_approval",
];

/// Members with words about an edit, which may take it back.
const SAID: [&str; 11] = [
    "title",
    "summary",
    "explanation",
    "description",
    "reason",
    "rationale",
    "comment",
    "note",
    "notes",
    "instruction",
    "instructions",
];

/// Whether the value of a member that is harmless by its name says that the edit is not meant.
fn is_said_against(name: &str, value: &Value) -> bool {
    value.as_str().is_some_and(|text| match name {
        "status" => is_out_of_force(text),
        name => SAID.contains(&name) && is_withheld(text),
    })
}

/// Whether the member says that an edit is agreed to, or is to be made: without it, it is not.
fn is_consent(name: &str) -> bool {
    const BEGINNINGS: [&str; 10] =
        ["appl", "approv", "enabl", "accept", "includ", "valid", "activ", "commit", "merg", "confirm"];
    BEGINNINGS.iter().any(|begin| name.starts_with(begin) || name.starts_with(&format!("is_{begin}")))
}

/// Numbers of lines, which are harmless beside the text that is searched for.
const LINES: [&str; 8] =
    ["startline", "endline", "start_line", "end_line", "line", "line_number", "line_start", "line_end"];

/// The arguments of a call: an object, or its text.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Input {
    Text(String),
    Object(Box<JsonObject>),
    Other(Value),
}

impl JsonObject {
    /// Whether it is an entry of a patch list: `{"action": …, "path": …, "content": …}`.
    pub fn is_entry(&self) -> bool {
        !self.is_call() && (self.action.is_some() || self.path.is_some() || self.content.is_some())
    }

    /// Takes the old and the new text from members whose names say which of them they are, if there is one of each.
    pub fn take_halves(&mut self) {
        if self.old_str.is_some() || self.new_str.is_some() || self.replace.is_some() && self.search.is_some() {
            return;
        }
        let named = |half: TextSide| {
            let is_half = |(name, value): &(&String, &Value)| half_of_member(name) == Some(half) && value.is_string();
            let mut members = self.others.iter().filter(is_half).map(|(name, _)| name.clone());
            members.next().filter(|_| members.next().is_none())
        };
        let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
        if let (Some(old), Some(new)) = (named(TextSide::Old), named(TextSide::New)) {
            self.old_str = text(self.others.remove(&old));
            self.new_str = text(self.others.remove(&new));
        }
    }

    /// A member that is not known and says something.
    pub fn unread_member(&self) -> Option<&str> {
        let searches = self.old_str.is_some() || self.search.is_some();
        let is_harmless = |name: &str, value: &Value| {
            let name = name.to_ascii_lowercase();
            // The root of the repository is where a command runs anyway.
            let is_root = matches!(name.as_str(), "workdir" | "cwd") && value.as_str().is_some_and(is_root);
            let is_time = name.starts_with("timeout") && value.is_number();
            let is_empty = match value {
                Value::Null => true,
                Value::Bool(false) => !is_consent(&name),
                Value::Bool(true) => false,
                Value::Number(_) => name == "expected_replacements" && value.as_u64() == Some(1),
                // Arguments in tags have no numbers.
                Value::String(text) => text.is_empty() || name == "expected_replacements" && text == "1",
                Value::Array(entries) => entries.is_empty(),
                Value::Object(members) => members.is_empty(),
            };
            is_empty
                || is_root
                || is_time
                || HARMLESS.contains(&name.as_str()) && !is_said_against(&name, value)
                || (searches && LINES.contains(&name.as_str()))
        };
        self.others.iter().find(|(name, value)| !is_harmless(name, value)).map(|(name, _)| name.as_str())
    }

    /// Whether it is what a tool gave back, in a transcript.
    pub fn is_result(&self) -> bool {
        let role = self.others.get("role").and_then(Value::as_str);
        self.kind.as_ref().and_then(Value::as_str) == Some("tool_result") || role == Some("tool")
    }

    /// Whether it has a member that only calls have.
    pub fn is_call(&self) -> bool {
        self.name.is_some()
            || self.input.is_some()
            || self.function.is_some()
            || self.tool_calls.is_some()
            || self.command.is_some()
            || self.old_str.is_some()
            || self.new_str.is_some()
            || self.search.is_some()
            || self.file_text.is_some()
            || self.edits.is_some()
            || self.diff.is_some()
            || self.operation.is_some()
    }
}

/// Whether a folder can only be the root of the repository: an absolute one without another above it is below none.
fn is_root(folder: &str) -> bool {
    let name = folder.trim_end_matches('/').strip_prefix('/');
    matches!(folder, "." | "./") || name.is_some_and(|name| !name.is_empty() && !name.contains(['/', '\\']))
}

/// A list, or its text, or an object of files: arguments are made into strings, and some models do so with the lists in them too.
fn list_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<JsonObject>>, D::Error> {
    struct ListOrText;
    impl<'de> Visitor<'de> for ListOrText {
        type Value = Option<Vec<JsonObject>>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            Map::deserialize(MapAccessDeserializer::new(map)).map(contents)
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            serde_json::from_str(text).map(Some).map_err(E::custom)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list)).map(Some)
        }
    }
    deserializer.deserialize_any(ListOrText)
}

/// Files as the members of one object, each with its content: `{"src/a.py": "…"}`; `null` takes the file away, as in a merge patch.
/// An object with other members is none.
fn contents(files: Map<String, Value>) -> Option<Vec<JsonObject>> {
    let file = |(path, content): (String, Value)| {
        names::plausible(path.as_bytes(), &[])?;
        let entry = JsonObject { path: Some(path), ..JsonObject::default() };
        match content {
            Value::String(_) => Some(JsonObject { content: Some(content), ..entry }),
            Value::Null => Some(JsonObject { action: Some("delete".to_owned()), ..entry }),
            _ => None,
        }
    };
    files.into_iter().map(file).collect()
}

/// A text, or its lines: each of them ends in a line feed, so that none at all is no line.
fn text_or_lines<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum TextOrLines {
        Text(String),
        Lines(Vec<String>),
    }
    let text = |read| match read {
        TextOrLines::Text(text) => text,
        TextOrLines::Lines(lines) => lines.into_iter().map(|line| line + "\n").collect(),
    };
    Ok(Option::deserialize(deserializer)?.map(text))
}

/// Tells `null` from a missing member.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
