//! Calls of editing tools, written out as JSON or tags.

use serde_json::{Value, json};

use super::super::corpus::Source;
use super::super::edit::{letters, places};
use super::super::trial::Trial;
use super::context::misquoted;
use super::pair::Pair;
use super::search::Block;
use super::{Make, fenced, pick};

pub const KINDS: [(&str, Make); 17] = [
    ("str_replace", |source, _| called(source, |path, (old, new)| str_replace(path, old, new))),
    ("str_replace in a fence", |source, _| {
        let trial = called(source, |path, (old, new)| str_replace(path, old, new))?;
        let text = fenced("json", &String::from_utf8_lossy(&trial.reply));
        Some(Trial { reply: text.into_bytes(), ..trial })
    }),
    ("str_replace as a tool use", |source, _| {
        called(
            source,
            |path, (old, new)| json!({"type": "tool_use", "name": "str_replace_based_edit_tool", "input": str_replace(path, old, new)}),
        )
    }),
    ("list of str_replace", |source, _| {
        let edit = source.plain()?;
        let calls: Vec<Value> = edit.blocks(3)?.iter().map(|(old, new)| str_replace(&edit.path, old, new)).collect();
        Some(Trial::right(edit, Value::Array(calls).to_string()))
    }),
    ("str_replace without final line feeds", |source, _| {
        called(source, |path, (old, new)| str_replace(path, old.trim_end_matches('\n'), new.trim_end_matches('\n')))
    }),
    ("Edit of Claude Code", |source, _| {
        called(source, |path, (old, new)| json!({"file_path": path, "old_string": old, "new_string": new}))
    }),
    ("Edit as a tool call", |source, _| {
        called(
            source,
            |path, (old, new)| json!({"name": "Edit", "input": {"file_path": path, "old_string": old, "new_string": new, "replace_all": false}}),
        )
    }),
    ("MultiEdit", |source, _| {
        let edit = source.plain()?;
        let edits: Vec<Value> =
            edit.blocks(3)?.iter().map(|(old, new)| json!({"old_string": old, "new_string": new})).collect();
        Some(Trial::right(edit, json!({"file_path": edit.path, "edits": edits}).to_string()))
    }),
    ("replace of Gemini", |source, _| {
        called(
            source,
            |path, (old, new)| json!({"name": "replace", "args": {"file_path": path, "instruction": "fix", "old_string": old, "new_string": new}}),
        )
    }),
    ("create", |source, _| {
        let edit = source.plain()?;
        let text = json!({"command": "create", "path": edit.path, "file_text": edit.after}).to_string();
        let mut trial = Trial::right(edit, text).beside("README", "here\n");
        trial.tree.remove(&edit.path);
        (edit.after.lines().count() > 3).then_some(trial)
    }),
    ("Write of a whole file", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(
            edit,
            json!({"name": "Write", "input": {"file_path": edit.path, "content": edit.after}}).to_string(),
        ))
    }),
    ("function call with arguments in a string", |source, _| {
        called(source, |path, (old, new)| {
            let arguments = json!({"path": path, "old_str": old, "new_str": new}).to_string();
            json!({"type": "function", "function": {"name": "str_replace", "arguments": arguments}})
        })
    }),
    ("tags of a tool call", |source, _| {
        let edit = source.plain()?;
        let one = |(old, new): &Block| {
            let parameter = |name: &str, text: &str| format!("<parameter name=\"{name}\">{text}</parameter>\n");
            let all = [("command", "str_replace"), ("path", &edit.path), ("old_str", old), ("new_str", new)];
            let all: String = all.iter().map(|(name, text)| parameter(name, text)).collect();
            format!("<invoke name=\"str_replace_editor\">\n{all}</invoke>\n")
        };
        Some(Trial::right(edit, edit.blocks(3)?.iter().map(one).collect::<String>()))
    }),
    ("str_replace of twins", |source, random| {
        let pair = Pair::new(source, random)?;
        let edit = pair.edit();
        Some(Trial::refused(
            &edit,
            str_replace(&edit.path, &pair.hunk.side_text('-'), &pair.hunk.side_text('+')).to_string(),
        ))
    }),
    ("Edit of twins with replace_all", |source, random| {
        let pair = Pair::new(source, random)?;
        let edit = pair.edit_with(&pair.applied(&pair.own), &pair.applied(&pair.copy));
        let (old, new) = (pair.hunk.side_text('-'), pair.hunk.side_text('+'));
        let call = json!({"file_path": edit.path, "old_string": old, "new_string": new, "replace_all": true});
        Some(Trial::right(&edit, call.to_string()))
    }),
    ("str_replace misquoted", |source, random| {
        let edit = source.plain()?;
        let mut hunk = edit.hunks(3).swap_remove(0);
        let at = *pick(random, &hunk.positions('-', |text| letters(text) > 8))?;
        hunk.lines[at].text = misquoted(&hunk.lines[at].text, random)?;
        let call = str_replace(&edit.path, &hunk.side_text('-'), &hunk.side_text('+')).to_string();
        (places(&edit.before, &hunk.side('-')) == 0).then(|| Trial::refused(edit, call))
    }),
    ("str_replace at an absolute path", |source, _| {
        called(source, |path, (old, new)| str_replace(&format!("/home/user/project/{path}"), old, new))
    }),
];

fn str_replace(path: &str, old: &str, new: &str) -> Value {
    json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new})
}

/// A call for each block, one a line.
fn called(source: &Source, call: fn(&str, &Block) -> Value) -> Option<Trial> {
    let edit = source.plain()?;
    let text: String = edit.blocks(3)?.iter().map(|block| format!("{}\n", call(&edit.path, block))).collect();
    Some(Trial::right(edit, text))
}
