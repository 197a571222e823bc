//! JSON, YAML and tags that no tool is known for.

use serde_json::json;

use super::super::fenced;
use super::{Make, certain, one_block, open};

pub const KINDS: [(&str, Make); 14] = [
    ("file and changes with search and replace", |source, random| {
        open(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            Some(json!({"file": edit.path, "changes": [{"search": old, "replace": new}]}).to_string())
        })
    }),
    ("an object by path", |source, random| {
        open(source, random, |edit| Some(json!({edit.path.clone(): edit.after}).to_string()))
    }),
    ("an object by path below files", |source, random| {
        open(source, random, |edit| Some(json!({"files": {edit.path.clone(): {"content": edit.after}}}).to_string()))
    }),
    ("a unified diff in a member", |source, random| {
        open(source, random, |edit| Some(json!({"explanation": "fixed", "unified_diff": edit.unified(3)}).to_string()))
    }),
    ("a diff escaped twice", |source, random| {
        open(source, random, |edit| {
            Some(format!("\"{}\"\n", edit.unified(3).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")))
        })
    }),
    ("YAML with block texts", |source, random| {
        open(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let block = |text: &str| text.lines().map(|line| format!("      {line}\n")).collect::<String>();
            Some(fenced(
                "yaml",
                &format!(
                    "edits:\n  - path: {}\n    search: |\n{}    replace: |\n{}",
                    edit.path,
                    block(&old),
                    block(&new)
                ),
            ))
        })
    }),
    ("JSON with real line feeds in texts", |source, random| {
        open(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            (!old.contains(['"', '\\']) && !new.contains(['"', '\\']))
                .then(|| format!("{{\"path\": \"{}\", \"old_str\": \"{old}\", \"new_str\": \"{new}\"}}\n", edit.path))
        })
    }),
    ("JSON with a comma too many", |source, random| {
        open(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            Some(fenced(
                "json",
                &format!(
                    "{{\"path\": {}, \"old_str\": {}, \"new_str\": {},}}",
                    json!(edit.path),
                    json!(old),
                    json!(new)
                ),
            ))
        })
    }),
    ("a dictionary of Python", |source, random| {
        open(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let quoted =
                |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"));
            Some(fenced(
                "python",
                &format!(
                    "{{'path': {}, 'old_str': {}, 'new_str': {}}}",
                    quoted(&edit.path),
                    quoted(&old),
                    quoted(&new)
                ),
            ))
        })
    }),
    ("insert of Anthropic's editor", |source, random| {
        open(source, random, |edit| {
            let hunk =
                edit.hunks(0).into_iter().next().filter(|hunk| edit.hunks(0).len() == 1 && hunk.count('-') == 0)?;
            Some(json!({"command": "insert", "path": edit.path, "insert_line": hunk.old, "new_str": hunk.side_text('+')}).to_string())
        })
    }),
    ("JSON Lines of two formats", |source, random| {
        open(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            Some(format!(
                "{}\n{}\n",
                json!({"type": "message", "text": "editing"}),
                json!({"type": "edit", "path": edit.path, "old_str": old, "new_str": new})
            ))
        })
    }),
    ("edit tags with find and with", |source, random| {
        open(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            Some(format!("<edit file=\"{}\">\n<find>\n{old}</find>\n<with>\n{new}</with>\n</edit>\n", edit.path))
        })
    }),
    ("change tags with original and modified", |source, random| {
        open(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            Some(format!(
                "<change>\n<file>{}</file>\n<original>\n{old}</original>\n<modified>\n{new}</modified>\n</change>\n",
                edit.path
            ))
        })
    }),
    ("V4A with the header of unified hunks", |source, random| {
        certain(source, random, |edit| {
            edit.blocks(3)?;
            let hunks: String = edit.hunks(3).iter().map(super::Hunk::text).collect();
            Some(format!("*** Begin Patch\n*** Update File: {}\n{hunks}*** End Patch\n", edit.path))
        })
        .map(super::or_nothing)
    }),
];
