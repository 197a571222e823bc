//! What a tool of an agent is about to do, from its name and its arguments.

use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq)]
pub enum ToolCall {
    File(FileEdit),
    /// Edits that one question to a person is about; those of one file are made one after the other.
    Files(Vec<FileEdit>),
    /// A patch in the form of `apply_patch`.
    Patch {
        text: String,
        input: Map<String, Value>,
    },
    /// A command for a shell, and the arguments as they came.
    Shell {
        command: String,
        input: Map<String, Value>,
    },
    /// A tool that changes no file by itself.
    Other,
}

/// A tool that changes one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileEdit {
    /// As the model wrote it.
    pub path: String,
    pub how: EditInput,
    /// The arguments as they came.
    pub input: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum EditInput {
    /// One after the other.
    Replace(Vec<Replacement>),
    /// The whole content.
    Write(String),
    Notebook(NotebookEdit),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pub old: String,
    pub new: String,
    /// Every place, instead of the only one.
    pub all: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotebookEdit {
    /// The id of the cell; for an insertion, of the cell before the new one.
    pub cell: Option<String>,
    pub kind: Option<String>,
    pub source: String,
    pub mode: CellMode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellMode {
    Replace,
    Insert,
    Delete,
}

pub(super) const PATH_KEYS: [&str; 5] = ["file_path", "path", "target_file", "notebook_path", "filePath"];
pub(super) const CONTENT_KEYS: [&str; 3] = ["content", "contents", "file_text"];
pub(super) const PATCH_KEYS: [&str; 4] = ["command", "input", "patch", "patchText"];
/// What a replacement takes out, and what it puts in.
pub(super) const REPLACE_KEYS: [(&str, &str); 3] =
    [("old_string", "new_string"), ("old_str", "new_str"), ("oldString", "newString")];
/// Each says that every place is meant.
pub(super) const ALL_KEYS: [&str; 3] = ["replace_all", "allow_multiple", "replaceAll"];

impl ToolCall {
    /// # Errors
    /// Arguments of a tool that changes files, in a form that the host does not know.
    pub fn read(tool: &str, input: &Map<String, Value>) -> Result<Self, String> {
        let how = match tool {
            "Bash" | "bash" | "Shell" | "run_shell_command" | "shell" | "exec_command" | "run_in_terminal"
            | "monitor" => {
                let command = command(input).ok_or_else(|| unknown(tool, "command"))?;
                return Ok(ToolCall::Shell { command, input: input.clone() });
            }
            "apply_patch" => {
                let text = PATCH_KEYS.iter().find_map(|key| input.get(*key)?.as_str());
                let text = text.ok_or_else(|| unknown(tool, "command"))?.to_owned();
                return Ok(ToolCall::Patch { text, input: input.clone() });
            }
            "Write" | "write_file" | "write" | "create" | "create_file" => {
                let content = CONTENT_KEYS.iter().find_map(|key| input.get(*key)?.as_str());
                EditInput::Write(content.ok_or_else(|| unknown(tool, "content"))?.to_owned())
            }
            "Edit" | "replace" | "StrReplace" | "search_replace" | "edit" | "replace_string_in_file"
                if !input.contains_key("edits") =>
            {
                EditInput::Replace(vec![replacement(input).ok_or_else(|| unknown(tool, "old_string"))?])
            }
            "Edit" | "MultiEdit" => {
                let edits = input.get("edits").and_then(Value::as_array).ok_or_else(|| unknown(tool, "edits"))?;
                let all: Option<Vec<_>> = edits.iter().map(|edit| replacement(edit.as_object()?)).collect();
                EditInput::Replace(all.ok_or_else(|| unknown(tool, "old_string"))?)
            }
            // VS Code's tools for several places: how they find them is not known here, and each has one for a single place.
            "multi_replace_string_in_file" | "insert_edit_into_file" => {
                return Err(format!("{tool} is not judged; make the edits one by one with replace_string_in_file"));
            }
            "NotebookEdit" | "notebook_edit" => {
                EditInput::Notebook(notebook(input).ok_or_else(|| unknown(tool, "new_source"))?)
            }
            _ => return Ok(ToolCall::Other),
        };
        let path = PATH_KEYS.iter().find_map(|key| input.get(*key)?.as_str());
        let path = path.ok_or_else(|| unknown(tool, "file_path"))?.to_owned();
        Ok(ToolCall::File(FileEdit { path, how, input: input.clone() }))
    }
}

/// The arguments of a tool that takes plain text.
impl ToolCall {
    /// # Errors
    /// As [`ToolCall::read`].
    pub fn read_text(tool: &str, text: &str) -> Result<Self, String> {
        match serde_json::from_str(text) {
            Ok(Value::Object(input)) => Self::read(tool, &input),
            Ok(_) | Err(_) => Self::read(tool, &Map::from_iter([("input".to_owned(), Value::from(text))])),
        }
    }
}

fn unknown(tool: &str, key: &str) -> String {
    format!("the arguments of {tool} have no `{key}` that the host understands")
}

/// A command line, or a list of words.
fn command(input: &Map<String, Value>) -> Option<String> {
    match input.get("command").or_else(|| input.get("cmd"))? {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            // The quotes that a shell needs, so that one reader is enough.
            Some(words?.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}

fn replacement(input: &Map<String, Value>) -> Option<Replacement> {
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let flag = |key: &str| input.get(key).and_then(Value::as_bool).unwrap_or(false);
    let many = input.get("expected_replacements").and_then(Value::as_u64).is_some_and(|count| count > 1);
    let all = ALL_KEYS.into_iter().any(flag) || many;
    let (old, new) = REPLACE_KEYS.into_iter().find(|(old, _)| input.contains_key(*old))?;
    Some(Replacement { old: text(old)?, new: text(new)?, all })
}

fn notebook(input: &Map<String, Value>) -> Option<NotebookEdit> {
    let text = |key: &str| input.get(key).and_then(Value::as_str).map(str::to_owned);
    let mode = match text("edit_mode").as_deref() {
        None | Some("replace") => CellMode::Replace,
        Some("insert") => CellMode::Insert,
        Some("delete") => CellMode::Delete,
        Some(_) => return None,
    };
    let source = match mode {
        CellMode::Replace | CellMode::Insert => text("new_source")?,
        CellMode::Delete => text("new_source").unwrap_or_default(),
    };
    Some(NotebookEdit { cell: text("cell_id"), kind: text("cell_type"), source, mode })
}
