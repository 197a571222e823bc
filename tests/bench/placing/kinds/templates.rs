//! Calls and files as the chat templates of open models write them, answers of APIs as a whole, and what agents leave in a transcript.

use serde_json::{Value, json};

use super::super::corpus::Source;
use super::super::trial::{Trial, Want};
use super::search::Block;
use super::{Make, fenced};

pub const KINDS: [(&str, Make); 16] = [
    ("tokens of DeepSeek", |source, _| called(source, deepseek)),
    ("tokens of DeepSeek, cut off", |source, _| cut(called(source, deepseek)?)),
    ("arguments of GLM", |source, _| called(source, glm)),
    ("python tag of Llama", |source, _| {
        called(source, |path, edit| format!("<|python_tag|>{}", python("", path, edit)))
    }),
    ("tool code of Gemini", |source, _| {
        called(source, |path, edit| fenced("tool_code", &format!("print({})\n", python("default_api.", path, edit))))
    }),
    ("calls as Python's literals", |source, _| {
        called(source, |path, (old, new)| {
            fenced(
                "python",
                &format!("{{'path': {}, 'old_str': {}, 'new_str': {},}}\n", text(path), text(old), text(new)),
            )
        })
    }),
    ("token before the name of a file", |source, _| {
        let edit = source.plain()?;
        let reply = format!("<filename>{}\n{}<|endoftext|>\n", edit.path, edit.after);
        edit.after.ends_with('\n').then(|| Trial::right(edit, reply))
    }),
    ("answer of an API", |source, _| answered(source, "stop")),
    ("answer of an API, cut off", |source, _| Some(Trial { want: Want::Refusal, ..answered(source, "length")? })),
    ("stream of an API", |source, _| streamed(source)),
    ("stream of an API, cut off", |source, _| {
        let trial = streamed(source)?;
        let text = String::from_utf8_lossy(&trial.reply).into_owned();
        let half: String = text.split_inclusive("\n\n").take(text.matches("\n\n").count() / 2).collect();
        Some(Trial { reply: half.into_bytes(), want: Want::Refusal, ..trial })
    }),
    ("call that failed, and again", |source, _| {
        let trial = called(source, |path, edit| tool_use(path, edit) + EDITED)?;
        let failed = source.plain()?.blocks(3)?.first().map(|block| failed(&source.plain()?.path, block))??;
        Some(Trial { reply: [failed.as_bytes(), &trial.reply].concat(), ..trial })
    }),
    ("call that failed alone", |source, _| {
        let edit = source.plain()?;
        let failed = edit.blocks(3)?.first().and_then(|block| failed(&edit.path, block))?;
        Some(Trial::refused(edit, failed))
    }),
    ("files by name in JSON", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(edit, json!({"reasoning": "so", "files": {&edit.path: edit.after}}).to_string()))
    }),
    ("here-document that appends", |source, _| {
        let edit = source.plain()?;
        let reply = fenced("bash", &format!("cat >> {} <<'EOF'\nlast line of all\nEOF\n", edit.path));
        let trial = Trial::right(edit, reply);
        let mut files = trial.tree.clone();
        files.get_mut(&edit.path)?.bytes.extend_from_slice(b"last line of all\n");
        edit.before.ends_with('\n').then_some(Trial { want: Want::Result(files), ..trial })
    }),
    ("here-document with escapes", |source, _| {
        let edit = source.plain()?;
        let text = edit.after.replace('\\', "\\\\").replace('$', "\\$").replace('`', "\\`");
        let reply = fenced("bash", &format!("cat > {} <<END_OF_FILE\n{text}END_OF_FILE\n", edit.path));
        (edit.after.ends_with('\n') && !edit.after.contains("```")).then(|| Trial::right(edit, reply))
    }),
];

const EDITED: &str = "\n{\"type\": \"tool_result\", \"content\": \"The file has been edited.\"}";

fn tool_use(path: &str, (old, new): &Block) -> String {
    let input = json!({"path": path, "old_str": old, "new_str": new});
    json!({"type": "tool_use", "name": "str_replace", "input": input}).to_string()
}

/// A call that searches for other words, and the result that says so.
fn failed(path: &str, (old, new): &Block) -> Option<String> {
    let misquoted = (format!("{} legacy", old.trim_end()), new.clone());
    let result = json!({"type": "tool_result", "is_error": true, "content": "No replacement was performed."});
    Some(format!("{}\n{result}\n", tool_use(path, &misquoted)))
}

/// A call for each block, one below the other.
fn called(source: &Source, call: fn(&str, &Block) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let reply: String = edit.blocks(3)?.iter().map(|block| format!("{}\n", call(&edit.path, block))).collect();
    Some(Trial::right(edit, reply))
}

fn cut(trial: Trial) -> Option<Trial> {
    let text = String::from_utf8(trial.reply.clone()).ok()?;
    let end = text.len() - text.len() / 8 - "<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n".len();
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end))?;
    Some(Trial { reply: text.as_bytes()[..end].to_vec(), want: Want::Refusal, ..trial })
}

fn deepseek(path: &str, (old, new): &Block) -> String {
    let arguments = json!({"path": path, "old_str": old, "new_str": new});
    format!(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>str_replace\n```json\n{arguments}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    )
}

fn glm(path: &str, (old, new): &Block) -> String {
    let argument = |(key, value): (&str, &str)| format!("<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n");
    let all: String =
        [("file_path", path), ("old_string", old), ("new_string", new)].into_iter().map(argument).collect();
    format!("<tool_call>Edit\n{all}</tool_call>")
}

fn python(module: &str, path: &str, (old, new): &Block) -> String {
    format!("{module}str_replace(path={}, old_str={}, new_str={})", text(path), text(old), text(new))
}

/// A string of Python in single quotation marks.
fn text(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\t', "\\t");
    format!("'{}'", escaped.replace('\r', "\\r"))
}

/// SEARCH/REPLACE blocks, as a model says them.
fn said(source: &Source) -> Option<String> {
    let edit = source.plain()?;
    let block = |(old, new): &Block| format!("{}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n", edit.path);
    let blocks = edit.blocks(3)?;
    blocks
        .iter()
        .all(|(old, new)| old.ends_with('\n') && new.ends_with('\n'))
        .then(|| blocks.iter().map(block).collect())
}

fn answered(source: &Source, reason: &str) -> Option<Trial> {
    let message = json!({"role": "assistant", "content": said(source)?});
    let answer = json!({"id": "1", "choices": [{"index": 0, "message": message, "finish_reason": reason}]});
    Some(Trial::right(source.plain()?, answer.to_string()))
}

fn streamed(source: &Source) -> Option<Trial> {
    /// Characters of a piece.
    const PIECE: usize = 40;
    let text: Vec<char> = said(source)?.chars().collect();
    let event = |delta: Value, reason: Value| {
        format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}))
    };
    let mut reply: String = text
        .chunks(PIECE)
        .map(|piece| event(json!({"content": piece.iter().collect::<String>()}), Value::Null))
        .collect();
    reply.push_str(&event(json!({}), json!("stop")));
    Some(Trial::right(source.plain()?, reply + "data: [DONE]\n"))
}
