//! The arguments with which a tool of an agent writes the file that the guards' fixes make, instead of the one that they reject.

use serde_json::{Map, Value, json};

use super::judge_edit::FixedFile;
use super::tool_call::{ALL_KEYS, CONTENT_KEYS, EditInput, FileEdit, PATCH_KEYS, REPLACE_KEYS};

/// None where the tool cannot write that file.
pub(super) fn for_file(edit: &FileEdit, fixed: &FixedFile) -> Option<Value> {
    let after = std::str::from_utf8(&fixed.after).ok()?;
    let mut input = edit.input.clone();
    match &edit.how {
        EditInput::Write(_) => {
            let key = CONTENT_KEYS.iter().find(|key| input.contains_key(**key))?;
            input.insert((*key).to_owned(), json!(after));
        }
        EditInput::Replace(_) => {
            // Agents read and write such files with other line ends than the ones on disk.
            if after.contains('\r') {
                return None;
            }
            let before = std::str::from_utf8(fixed.before.as_deref().unwrap_or_default()).ok()?;
            let (old, new) = smallest(before, after)?;
            match input.get_mut("edits") {
                Some(edits) => *edits = json!([{ "old_string": old, "new_string": new, "replace_all": false }]),
                None => replace(&mut input, &old, &new)?,
            }
        }
        EditInput::Notebook(_) => return None,
    }
    Some(Value::Object(input))
}

fn replace(input: &mut Map<String, Value>, old: &str, new: &str) -> Option<()> {
    let (old_key, new_key) = REPLACE_KEYS.into_iter().find(|(key, _)| input.contains_key(*key))?;
    input.insert(old_key.to_owned(), json!(old));
    input.insert(new_key.to_owned(), json!(new));
    for key in ALL_KEYS {
        if let Some(all) = input.get_mut(key) {
            *all = json!(false);
        }
    }
    if let Some(count) = input.get_mut("expected_replacements") {
        *count = json!(1);
    }
    Some(())
}

/// An `apply_patch` of all these files; `prefix` leads from the agent's folder to the root. None where that form cannot write one of them.
pub(super) fn for_patch(input: &Map<String, Value>, prefix: &str, files: &[FixedFile]) -> Option<Value> {
    let mut patch = "*** Begin Patch\n".to_owned();
    for FixedFile { path, before, after } in files {
        let after = std::str::from_utf8(after).ok()?;
        let path = format!("{prefix}{}", path.as_str()?);
        if after.contains('\r') || path.contains('\n') || !(after.is_empty() || after.ends_with('\n')) {
            return None;
        }
        match before {
            None => {
                patch += &format!("*** Add File: {path}\n");
                after.lines().for_each(|line| patch += &format!("+{line}\n"));
            }
            Some(before) => {
                let (old, new) = smallest(std::str::from_utf8(before).ok()?, after)?;
                patch += &format!("*** Update File: {path}\n@@\n");
                old.lines().for_each(|line| patch += &format!("-{line}\n"));
                new.lines().for_each(|line| patch += &format!("+{line}\n"));
            }
        }
    }
    patch += "*** End Patch";
    let key = PATCH_KEYS.into_iter().find(|key| input.contains_key(*key))?;
    let mut input = input.clone();
    input.insert(key.to_owned(), json!(patch));
    Some(Value::Object(input))
}

/// The fewest whole lines that differ, with as many lines around them as make them the only such place. None for an empty file, in
/// which there is no place.
fn smallest(before: &str, after: &str) -> Option<(String, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let shared = old.len().min(new.len());
    let mut head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let mut tail = old.iter().rev().zip(new.iter().rev()).take(shared - head).take_while(|(a, b)| a == b).count();
    loop {
        let quoted = old[head..old.len() - tail].concat();
        if !quoted.is_empty() && before.matches(&quoted).count() == 1 {
            return Some((quoted, new[head..new.len() - tail].concat()));
        }
        if head == 0 && tail == 0 {
            return None;
        }
        (head, tail) = (head.saturating_sub(1), tail.saturating_sub(1));
    }
}
