//! Edits as the agents of editors and the servers of open models write them out in an answer.

use serde_json::{Value, json};

use super::super::corpus::Source;
use super::super::edit::{Hunk, places};
use super::super::trial::{Files, Trial, Want, file};
use super::search::Block;
use super::{Make, fenced, v4a};

pub const KINDS: [(&str, Make); 18] = [
    ("replace_string_in_file of Copilot", |source, _| {
        let call = |path: &str, (old, new): &Block| json!({"explanation": "fix", "filePath": path, "oldString": old, "newString": new});
        lines_of_calls(source, call)
    }),
    ("replace_string_in_file in an envelope", |source, _| {
        let call = |path: &str, (old, new): &Block| {
            let input = json!({"filePath": path, "oldString": old, "newString": new});
            json!({"name": "replace_string_in_file", "arguments": input.to_string()})
        };
        lines_of_calls(source, call)
    }),
    ("multi_replace_string_in_file of Copilot", |source, _| {
        let edit = source.plain()?;
        let one = |(old, new): &Block| json!({"filePath": edit.path, "oldString": old, "newString": new});
        let all: Vec<Value> = edit.blocks(3)?.iter().map(one).collect();
        Some(Trial::right(edit, json!({"explanation": "fix", "replacements": all}).to_string()))
    }),
    ("edit of OpenCode, of all places", |source, _| {
        // One word that the commit does not touch, everywhere.
        let edit = source.plain()?;
        let word = edit.before.split(|c: char| !c.is_ascii_alphabetic()).find(|word| word.len() > 5)?;
        let changed =
            super::super::edit::Edit::new(&edit.path, &*edit.before, edit.before.replace(word, "renamed_word"));
        let call = json!({"filePath": edit.path, "oldString": word, "newString": "renamed_word", "replaceAll": true});
        Some(Trial::right(&changed, call.to_string()))
    }),
    ("edit_file of MCP's file system", |source, _| {
        let edit = source.plain()?;
        let one = |(old, new): &Block| json!({"oldText": old, "newText": new});
        let all: Vec<Value> = edit.blocks(3)?.iter().map(one).collect();
        Some(Trial::right(edit, json!({"path": edit.path, "edits": all, "dryRun": false}).to_string()))
    }),
    ("replace_file_content of Antigravity", |source, _| {
        let call = |path: &str, (old, new): &Block| {
            json!({"TargetFile": path, "Instruction": "fix", "AllowMultiple": false, "StartLine": 1, "EndLine": 900,
                "TargetContent": old, "ReplacementContent": new})
        };
        lines_of_calls(source, call)
    }),
    ("multi_replace_file_content of Antigravity", |source, _| {
        let edit = source.plain()?;
        let one = |(old, new): &Block| json!({"AllowMultiple": false, "TargetContent": old, "ReplacementContent": new});
        let all: Vec<Value> = edit.blocks(3)?.iter().map(one).collect();
        Some(Trial::right(
            edit,
            json!({"TargetFile": edit.path, "Instruction": "fix", "ReplacementChunks": all}).to_string(),
        ))
    }),
    ("apply_patch_call of OpenAI", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(edit, operation("update_file", &edit.path, Some(&body(source)?)).to_string()))
    }),
    ("apply_patch_calls in a list", |source, _| {
        let edit = source.plain()?;
        let update = operation("update_file", &edit.path, Some(&body(source)?));
        let create = operation("create_file", "notes/new.txt", Some("+one\n+two"));
        let delete = operation("delete_file", "old.txt", None);
        let mut trial = Trial::right(edit, json!([update, create, delete]).to_string());
        trial.tree.insert("old.txt".to_owned(), file("gone\n"));
        if let Want::Result(files) = &mut trial.want {
            files.insert("notes/new.txt".to_owned(), file("one\ntwo\n"));
        }
        Some(trial)
    }),
    ("tool call of Qwen and Hermes", |source, _| {
        let edit = source.plain()?;
        let one = |(old, new): &Block| {
            let call =
                json!({"name": "edit", "arguments": {"file_path": edit.path, "old_string": old, "new_string": new}});
            format!("<tool_call>\n{call}\n</tool_call>\n")
        };
        Some(Trial::right(edit, edit.blocks(3)?.iter().map(one).collect::<String>()))
    }),
    ("function tags of Qwen Coder", |source, _| {
        let edit = source.plain()?;
        let one = |(old, new): &Block| {
            let parameter = |name: &str, text: &str| format!("<parameter={name}>\n{text}</parameter>\n");
            let all = [("file_path", &*format!("{}\n", edit.path)), ("old_string", old), ("new_string", new)];
            let all: String = all.iter().map(|(name, text)| parameter(name, text)).collect();
            format!("<tool_call>\n<function=edit>\n{all}</function>\n</tool_call>\n")
        };
        Some(Trial::right(edit, edit.blocks(3)?.iter().map(one).collect::<String>()))
    }),
    ("old_text and new_text of Zed", |source, _| {
        let edit = source.plain()?;
        let one = |(old, new): &Block| format!("<old_text>\n{old}</old_text>\n<new_text>\n{new}</new_text>\n\n");
        let all: String = edit.blocks(3)?.iter().map(one).collect();
        Some(Trial::right(edit, format!("<path>{}</path>\n<edits>\n{all}</edits>\n", edit.path)))
    }),
    ("end token of ChatML below a fence", |source, _| ended(source, |diff| fenced("diff", diff), "<|im_end|>")),
    ("end token behind the last line", |source, _| ended(source, |diff| diff.trim_end().to_owned(), "<|eot_id|>\n")),
    ("end token on a line of its own", |source, _| ended(source, str::to_owned, "<end_of_turn>\n")),
    ("end token behind V4A", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(edit, v4a::patch(&v4a::update(edit)?).trim_end().to_owned() + "<|return|>"))
    }),
    ("a file named without a dot, beside another", |source, _| {
        let edit = source.plain()?;
        let trial = Trial::right(
            edit,
            format!("{}\n{}\nRakefile\n{}", edit.path, fenced("", &edit.after), fenced("", "two\n")),
        );
        let with = |mut files: Files, text: &str| {
            files.insert("Rakefile".to_owned(), file(text));
            files
        };
        let Want::Result(after) = trial.want else { return None };
        let tree = with(trial.tree, "one\n");
        (edit.path != "Rakefile" && edit.after.lines().count() > 8 && places(&edit.before, &["Rakefile"]) == 0)
            .then(|| Trial { tree, want: Want::Result(with(after, "two\n")), ..trial })
    }),
    ("old_string that is a part of another line", |source, _| {
        // The text ends with a line feed, and the line goes on in the file.
        let edit = source.plain()?;
        let line = edit.before.lines().find(|line| line.len() > 12 && line.is_ascii())?;
        let part = &line[..line.len() - 2];
        let is_line = edit.before.lines().any(|line| line.trim() == part.trim());
        let call = json!({"file_path": edit.path, "old_string": format!("{part}\n"), "new_string": "other\n"});
        (!is_line).then(|| Trial::refused(edit, call.to_string()))
    }),
];

fn lines_of_calls(source: &Source, call: fn(&str, &Block) -> Value) -> Option<Trial> {
    let edit = source.plain()?;
    let text: String = edit.blocks(3)?.iter().map(|block| format!("{}\n", call(&edit.path, block))).collect();
    Some(Trial::right(edit, text))
}

/// The hunks of the first file below bare `@@` lines.
fn body(source: &Source) -> Option<String> {
    let edit = source.plain()?;
    v4a::update(edit)?;
    Some(edit.hunks(3).iter().map(|hunk: &Hunk| format!("@@\n{}", hunk.body())).collect())
}

fn operation(kind: &str, path: &str, diff: Option<&str>) -> Value {
    let mut operation = json!({"type": kind, "path": path});
    if let Some(diff) = diff {
        operation["diff"] = json!(diff);
    }
    json!({"type": "apply_patch_call", "call_id": "call_1", "status": "completed", "operation": operation})
}

fn ended(source: &Source, form: fn(&str) -> String, token: &str) -> Option<Trial> {
    let edit = super::headers::alone(source.plain()?, 3)?;
    Some(Trial::right(edit, form(&edit.unified(3)) + token))
}
