//! The content that a file will have after a tool of an agent has changed it.

use serde_json::{Map, Value, json};

use super::tool_call::{CellMode, EditInput, NotebookEdit, Replacement};

impl EditInput {
    /// The file after the edit; `before` is None when there is none.
    ///
    /// # Errors
    /// A sentence that says why the edit does not fit the file. An agent's own tool may be more generous, so the caller denies.
    pub fn applied(&self, before: Option<&[u8]>) -> Result<Vec<u8>, String> {
        match self {
            EditInput::Write(content) => Ok(content.clone().into_bytes()),
            EditInput::Replace(replacements) => {
                let text = std::str::from_utf8(before.unwrap_or_default())
                    .map_err(|_| "the file is not UTF-8; only a whole file can replace it".to_owned())?;
                if before.is_none() && replacements.first().is_some_and(|first| !first.old.is_empty()) {
                    return Err("there is no such file".to_owned());
                }
                replacements.iter().try_fold(text.to_owned(), replace).map(String::into_bytes)
            }
            EditInput::Notebook(edit) => notebook(edit, before.ok_or("there is no such notebook")?),
        }
    }
}

/// Models write line feeds for whatever ends the lines of the file.
fn replace(text: String, replacement: &Replacement) -> Result<String, String> {
    let Replacement { old, new, all } = replacement;
    if old.is_empty() {
        return match text.is_empty() {
            true => Ok(new.clone()),
            false => Err("old_string is empty, and the file is not".to_owned()),
        };
    }
    if !text.contains(old) && text.contains("\r\n") && !old.contains('\r') {
        let (old, new) = (old.replace('\n', "\r\n"), new.replace("\r\n", "\n").replace('\n', "\r\n"));
        return replace_exactly(&text, &old, &new, *all);
    }
    replace_exactly(&text, old, new, *all)
}

fn replace_exactly(text: &str, old: &str, new: &str, all: bool) -> Result<String, String> {
    match text.matches(old).count() {
        0 => Err("old_string is not in the file as it is now; read the file again".to_owned()),
        1 => Ok(text.replacen(old, new, 1)),
        _ if all => Ok(text.replace(old, new)),
        many => Err(format!("old_string is in the file {many} times; quote more lines around it")),
    }
}

/// As Claude Code writes notebooks: indented by one space.
fn notebook(edit: &NotebookEdit, before: &[u8]) -> Result<Vec<u8>, String> {
    let mut notebook: Value =
        serde_json::from_slice(before).map_err(|error| format!("the notebook is no JSON: {error}"))?;
    let cells = notebook.get_mut("cells").and_then(Value::as_array_mut).ok_or("the notebook has no cells")?;
    let at = edit.cell.as_deref().map(|id| position(cells, id).ok_or_else(|| format!("no cell is called {id}")));
    let at = at.transpose()?;
    match edit.mode {
        CellMode::Insert => {
            let kind = edit.kind.as_deref().unwrap_or("code");
            let mut cell = json!({ "cell_type": kind, "metadata": {}, "source": edit.source });
            if kind == "code" {
                cell["execution_count"] = Value::Null;
                cell["outputs"] = json!([]);
            }
            cells.insert(at.map_or(0, |at| at + 1), cell);
        }
        CellMode::Delete => drop(cells.remove(at.ok_or("the edit names no cell")?)),
        CellMode::Replace => {
            let cell = cells.get_mut(at.unwrap_or(0)).and_then(Value::as_object_mut).ok_or("there is no such cell")?;
            set_source(cell, edit);
        }
    }
    let mut bytes = Vec::new();
    let mut writer =
        serde_json::Serializer::with_formatter(&mut bytes, serde_json::ser::PrettyFormatter::with_indent(b" "));
    serde::Serialize::serialize(&notebook, &mut writer).map_err(|error| error.to_string())?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Cells without an id are called `cell-N`, from 0.
fn position(cells: &[Value], id: &str) -> Option<usize> {
    let named = cells.iter().position(|cell| cell["id"] == id);
    named.or_else(|| id.strip_prefix("cell-")?.parse().ok().filter(|at| *at < cells.len()))
}

fn set_source(cell: &mut Map<String, Value>, edit: &NotebookEdit) {
    cell.insert("source".to_owned(), json!(edit.source));
    if let Some(kind) = &edit.kind {
        cell.insert("cell_type".to_owned(), json!(kind));
    }
    if cell.get("cell_type").is_some_and(|kind| kind == "code") {
        cell.insert("execution_count".to_owned(), Value::Null);
        cell.insert("outputs".to_owned(), json!([]));
    }
}
