//! Lists of changes as JSON.

use serde_json::{Value, json};

use super::super::corpus::Source;
use super::super::edit::Edit;
use super::super::trial::{Files, Trial, Want, file};
use super::{Make, fenced};

pub const KINDS: [(&str, Make); 20] = [
    ("patches with content", |source, _| formed(source, |edit| json!({"patches": [modify(edit)]}).to_string())),
    ("bare list", |source, _| formed(source, |edit| json!([modify(edit)]).to_string())),
    ("one object", |source, _| formed(source, |edit| json!({"path": edit.path, "content": edit.after}).to_string())),
    ("files with content", |source, _| {
        formed(source, |edit| json!({"files": [{"path": edit.path, "content": edit.after}]}).to_string())
    }),
    ("changes with file and content", |source, _| {
        formed(source, |edit| json!({"changes": [{"file": edit.path, "content": edit.after}]}).to_string())
    }),
    ("pretty, in a fence, with prose", |source, _| {
        formed(source, |edit| {
            let text = serde_json::to_string_pretty(&json!({"patches": [modify(edit)]})).expect("JSON");
            format!("Here is the change:\n\n{}\nIt keeps the old behaviour.\n", fenced("json", &text))
        })
    }),
    ("escaped twice", |source, _| {
        formed(source, |edit| Value::String(json!({"patches": [modify(edit)]}).to_string()).to_string())
    }),
    ("line feeds not escaped", |source, _| {
        formed(source, |edit| json!({"patches": [modify(edit)]}).to_string().replace("\\n", "\n"))
    }),
    ("trailing commas", |source, _| {
        formed(source, |edit| {
            json!({"patches": [modify(edit)]}).to_string().trim_end_matches("}]}").to_owned() + "},],}"
        })
    }),
    ("quotation marks not escaped", |source, _| {
        let edit = source.plain().filter(|edit| edit.after.contains('"'))?;
        Some(Trial::right(edit, json!({"patches": [modify(edit)]}).to_string().replace("\\\"", "\"")))
    }),
    ("diff as a member", |source, _| {
        formed(source, |edit| json!({"path": edit.path, "diff": edit.unified(3)}).to_string())
    }),
    ("list of diffs", |source, _| {
        formed(source, |edit| json!({"patches": [{"path": edit.path, "diff": edit.unified(3)}]}).to_string())
    }),
    ("diff alone", |source, _| formed(source, |edit| json!({"diff": edit.unified(3)}).to_string())),
    ("search and replace members", |source, _| {
        let edit = source.plain()?;
        let edits: Vec<Value> = edit
            .blocks(3)?
            .iter()
            .map(|(old, new)| json!({"path": edit.path, "search": old, "replace": new}))
            .collect();
        Some(Trial::right(edit, json!({"edits": edits}).to_string()))
    }),
    ("created", |source, _| {
        let edit = source.plain()?;
        let text = json!({"patches": [{"action": "create", "path": edit.path, "content": edit.after}]}).to_string();
        let mut trial = Trial::right(edit, text).beside("README", "here\n");
        trial.tree.remove(&edit.path);
        Some(trial)
    }),
    ("deleted", |source, _| {
        let edit = source.plain()?;
        let text = json!({"patches": [{"action": "delete", "path": edit.path}]}).to_string();
        let trial = Trial::right(edit, text).beside("README", "here\n");
        Some(Trial { want: Want::Result(Files::from([("README".to_owned(), file("here\n"))])), ..trial })
    }),
    ("modification at a path of no file", |source, _| {
        let edit = source.plain()?;
        let other = Edit { path: format!("project/{}", edit.path), ..edit.clone() };
        Some(Trial::refused(edit, json!({"patches": [modify(&other)]}).to_string()))
    }),
    ("one path with two contents", |source, _| {
        let edit = source.plain()?;
        let other = Edit { after: format!("{}# and more\n", edit.after), ..edit.clone() };
        Some(Trial::refused(edit, json!({"patches": [modify(edit), modify(&other)]}).to_string()))
    }),
    ("unknown action", |source, _| {
        let edit = source.plain()?;
        let text = json!({"patches": [{"action": "prepend", "path": edit.path, "content": edit.after}]}).to_string();
        Some(Trial::refused(edit, text))
    }),
    ("empty list", |source, _| Some(Trial::refused(source.plain()?, json!({"patches": []}).to_string()))),
];

fn modify(edit: &Edit) -> Value {
    json!({"action": "modify", "path": edit.path, "content": edit.after})
}

fn formed(source: &Source, form: fn(&Edit) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    (edit.after.lines().count() > 5).then(|| Trial::right(edit, form(edit)))
}
