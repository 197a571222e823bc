//! Every member that an object of a patch list or of a tool's call may have.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// An object with one member twice, in two of its spellings too, cannot be read: either may be meant. Unknown members are left out.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Object {
    #[serde(alias = "message")]
    pub commit_message: Option<String>,
    #[serde(alias = "files", alias = "changes", alias = "file_changes")]
    pub patches: Option<Vec<Object>>,
    pub action: Option<String>,
    #[serde(alias = "file_path", alias = "filename", alias = "file", alias = "filePath", alias = "TargetFile")]
    pub path: Option<String>,
    #[serde(deserialize_with = "present")]
    pub content: Option<Value>,

    /// The tool's name.
    #[serde(alias = "tool", alias = "tool_name", alias = "recipient_name")]
    pub name: Option<Value>,
    #[serde(alias = "arguments", alias = "parameters", alias = "args", alias = "tool_input")]
    pub input: Option<Input>,
    pub function: Option<Box<Object>>,
    #[serde(alias = "tool_uses", alias = "calls")]
    pub tool_calls: Option<Vec<Object>>,
    /// The command of an editing tool, or one for a shell, as text or as a list of its words.
    #[serde(alias = "cmd")]
    pub command: Option<Value>,

    #[serde(alias = "old_string", alias = "oldString", alias = "oldText", alias = "TargetContent")]
    pub old_str: Option<String>,
    #[serde(alias = "new_string", alias = "newString", alias = "newText", alias = "ReplacementContent")]
    pub new_str: Option<String>,
    pub search: Option<Value>,
    pub replace: Option<Value>,
    pub file_text: Option<String>,
    #[serde(alias = "allow_multiple", alias = "replaceAll", alias = "AllowMultiple")]
    pub replace_all: Option<Value>,
    #[serde(alias = "replacements", alias = "ReplacementChunks")]
    pub edits: Option<Vec<Object>>,
    #[serde(alias = "patch", alias = "unified_diff")]
    pub diff: Option<Value>,
    /// What a call of OpenAI's `apply_patch` tool does; `kind` is what that is.
    pub operation: Option<Input>,
    #[serde(rename = "type")]
    pub kind: Option<Value>,
}

/// The arguments of a call: an object, or its text.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Input {
    Text(String),
    Object(Box<Object>),
    Other(Value),
}

impl Object {
    /// Whether it is an entry of a patch list: `{"action": …, "path": …, "content": …}`.
    pub fn is_entry(&self) -> bool {
        !self.is_call() && (self.action.is_some() || self.path.is_some() || self.content.is_some())
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

/// Tells `null` from a missing member.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
