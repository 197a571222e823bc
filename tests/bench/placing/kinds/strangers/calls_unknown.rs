//! Calls that change files and that a reader need not know: beside an edit that it knows, both or none.

use serde_json::json;

use super::super::super::corpus::Source;
use super::super::super::random::Random;
use super::super::super::trial::{Trial, Want};
use super::{Make, diff_fence, one_block, open, or_nothing, with_file};

const OTHER: &str = "lib/other_part.txt";
const TEXT: &str = "one\ntwo\nthree\nfour\n";
const CHANGED: &str = "one\ntwo, changed\nthree\nfour\n";

/// A plain diff and a call that makes of [`OTHER`] what `after` says (none: it is gone).
fn with_call(source: &Source, random: &mut Random, after: Option<&str>, call: &str) -> Option<Trial> {
    let edit = source.plain()?;
    let text = match random.below(2) {
        0 => format!("{}\n{call}\n", diff_fence(edit)),
        _ => format!("{call}\n\n{}", diff_fence(edit)),
    };
    Some(with_file(or_nothing(Trial::right(edit, text)), OTHER, Some(TEXT), after))
}

pub const KINDS: [(&str, Make); 14] = [
    ("Claude Code: NotebookEdit beside an edit", |source, random| {
        let edit = source.plain()?;
        let (old, new) = one_block(edit)?;
        let calls = [
            json!({"name": "NotebookEdit", "input": {"notebook_path": "demo.ipynb", "cell_id": "1", "new_source": "x = 2", "edit_mode": "replace"}}),
            json!({"name": "Edit", "input": {"file_path": edit.path, "old_string": old, "new_string": new}}),
        ];
        let first = random.below(2);
        Some(
            Trial::refused(edit, format!("{}\n{}\n", calls[first], calls[1 - first]))
                .beside("demo.ipynb", "{\"cells\": []}\n"),
        )
    }),
    ("SWE-agent: a window edited by numbers", |source, random| {
        with_call(source, random, Some(CHANGED), &format!("open {OTHER}\nedit 2:2\ntwo, changed\nend_of_edit"))
    }),
    ("Serena: replace_lines", |source, random| {
        let call = json!({"name": "replace_lines", "arguments": {"relative_path": OTHER, "start_line": 1, "end_line": 1, "content": "two, changed\n"}});
        with_call(source, random, Some(CHANGED), &call.to_string())
    }),
    ("Serena: replace_regex", |source, random| {
        let call = json!({"name": "replace_regex", "arguments": {"relative_path": OTHER, "regex": "two", "repl": "two, changed"}});
        with_call(source, random, Some(CHANGED), &call.to_string())
    }),
    ("Zed: delete_path", |source, random| {
        with_call(source, random, None, &json!({"name": "delete_path", "arguments": {"path": OTHER}}).to_string())
    }),
    ("Roo: search_and_replace in tags", |source, random| {
        let call = format!(
            "<search_and_replace>\n<path>{OTHER}</path>\n<search>two</search>\n<replace>two, changed</replace>\n</search_and_replace>"
        );
        with_call(source, random, Some(CHANGED), &call)
    }),
    ("Roo: insert_content", |source, random| {
        let call = format!(
            "<insert_content>\n<path>{OTHER}</path>\n<line>0</line>\n<content>five</content>\n</insert_content>"
        );
        with_call(source, random, Some("one\ntwo\nthree\nfour\nfive\n"), &call)
    }),
    ("Cline: execute_command with rm", |source, random| {
        let call = format!(
            "<execute_command>\n<command>rm {OTHER}</command>\n<requires_approval>false</requires_approval>\n</execute_command>"
        );
        with_call(source, random, None, &call)
    }),
    ("Gemini: print of a call", |source, random| {
        let call = format!(
            "```tool_code\nprint(default_api.replace(file_path=\"{OTHER}\", old_string=\"two\", new_string=\"two, changed\"))\n```"
        );
        with_call(source, random, Some(CHANGED), &call)
    }),
    ("Python: a call of open and write", |source, random| {
        let call = format!(
            "```python\nfrom pathlib import Path\np = Path(\"{OTHER}\")\np.write_text(p.read_text().replace(\"two\", \"two, changed\"))\n```"
        );
        with_call(source, random, Some(CHANGED), &call)
    }),
    ("Lovable: lov-rename", |source, random| {
        let trial = with_call(
            source,
            random,
            None,
            &format!("<lov-rename original_file_path=\"{OTHER}\" new_file_path=\"lib/renamed.txt\" />"),
        )?;
        Some(with_file(trial, "lib/renamed.txt", None, Some(TEXT)))
    }),
    ("bolt: boltAction of a file", |source, random| {
        let call = format!(
            "<boltArtifact id=\"fix\" title=\"Fix\">\n<boltAction type=\"file\" filePath=\"{OTHER}\">\n{CHANGED}</boltAction>\n<boltAction type=\"shell\">npm test</boltAction>\n</boltArtifact>"
        );
        with_call(source, random, Some(CHANGED), &call)
    }),
    ("Cursor: edit_file with a sketch", |source, random| {
        let call = json!({"name": "edit_file", "arguments": {"target_file": OTHER, "instructions": "change two", "code_edit": "// ... existing code ...\ntwo, changed\n// ... existing code ..."}});
        with_call(source, random, Some(CHANGED), &call.to_string())
    }),
    ("LSP: a workspace edit", |source, random| {
        let trial = open(source, random, |edit| {
            let hunk =
                edit.hunks(0).into_iter().next().filter(|hunk| edit.hunks(0).len() == 1 && hunk.count('-') > 0)?;
            let range = json!({"start": {"line": hunk.old - 1, "character": 0}, "end": {"line": hunk.old - 1 + hunk.count('-'), "character": 0}});
            let uri = format!("file:///repository/{}", edit.path);
            Some(json!({"changes": {uri: [{"range": range, "newText": hunk.side_text('+')}]}}).to_string())
        })?;
        matches!(trial.want, Want::AllOrNothing(_)).then_some(trial)
    }),
];
