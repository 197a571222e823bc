//! Calls of tools that edit, as agents and the chat templates of open models write them out.

use serde_json::json;

use super::super::fenced;
use super::{Make, aider_blocks, certain, one_block};

pub const KINDS: [(&str, Make); 15] = [
    ("Claude Code: Edit with an absolute path", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let path = format!("/home/dev/checkout/{}", edit.path);
            let input = json!({"file_path": path, "old_string": old, "new_string": new});
            Some(json!({"type": "tool_use", "id": "toolu_01A", "name": "Edit", "input": input}).to_string())
        })
    }),
    ("Claude: invoke with parameters", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            Some(format!(
                "I'll fix it.\n\n<function_calls>\n<invoke name=\"str_replace_based_edit_tool\">\n<parameter name=\"command\">str_replace</parameter>\n\
                 <parameter name=\"path\">{}</parameter>\n<parameter name=\"old_str\">{old}</parameter>\n<parameter name=\"new_str\">{new}</parameter>\n\
                 </invoke>\n</function_calls>\n",
                edit.path
            ))
        })
    }),
    ("Claude Code: reads, todo and tests around an edit", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let calls = [
                json!({"name": "Read", "input": {"file_path": edit.path, "limit": 80}}),
                json!({"name": "Grep", "input": {"pattern": "def ", "path": "."}}),
                json!({"name": "TodoWrite", "input": {"todos": [{"content": "Fix it", "status": "in_progress", "activeForm": "Fixing"}]}}),
                json!({"name": "Edit", "input": {"file_path": edit.path, "old_string": old, "new_string": new}}),
                json!({"name": "Bash", "input": {"command": "pytest -q", "description": "Run tests"}}),
            ];
            Some(calls.map(|call| call.to_string() + "\n").concat())
        })
    }),
    ("Roo: apply_diff with args, file and CDATA", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let start = edit.hunks(2)[0].old;
            Some(format!(
                "<apply_diff>\n<args>\n<file>\n  <path>{}</path>\n  <diff>\n    <content><![CDATA[\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\
                 ]]></content>\n    <start_line>{start}</start_line>\n  </diff>\n</file>\n</args>\n</apply_diff>\n",
                edit.path
            ))
        })
    }),
    ("Cline: replace_in_file with task progress", |source, random| {
        certain(source, random, |edit| {
            let one = |(old, new): &(String, String)| format!("------- SEARCH\n{old}=======\n{new}+++++++ REPLACE\n");
            let blocks: String = edit.blocks(2)?.iter().map(one).collect();
            Some(format!(
                "<replace_in_file>\n<path>{}</path>\n<diff>\n{blocks}</diff>\n<task_progress>\n- [x] Read the file\n- [ ] Run the tests\n</task_progress>\n\
                 </replace_in_file>\n",
                edit.path
            ))
        })
    }),
    ("OpenHands: function with parameters in /workspace", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            Some(format!(
                "<function=str_replace_editor>\n<parameter=command>str_replace</parameter>\n<parameter=path>/workspace/project/{}</parameter>\n\
                 <parameter=old_str>\n{old}</parameter>\n<parameter=new_str>\n{new}</parameter>\n</function>\n",
                edit.path
            ))
        })
    }),
    ("Qwen: tool_call", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let call =
                json!({"name": "edit_file", "arguments": {"path": edit.path, "old_string": old, "new_string": new}});
            Some(format!("<tool_call>\n{call}\n</tool_call>\n"))
        })
    }),
    ("DeepSeek: tool calls with their tokens", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let call = json!({"path": edit.path, "old_string": old, "new_string": new});
            Some(format!(
                "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>edit_file\n```json\n{call}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n"
            ))
        })
    }),
    ("Llama: python tag", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let input = json!({"path": edit.path, "old_str": old, "new_str": new});
            Some(format!("<|python_tag|>{}<|eom_id|>\n", json!({"name": "str_replace", "parameters": input})))
        })
    }),
    ("Mistral: TOOL_CALLS", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let input = json!({"path": edit.path, "old_str": old, "new_str": new});
            Some(format!("[TOOL_CALLS] {}\n", json!([{"name": "str_replace", "arguments": input}])))
        })
    }),
    ("Gemini CLI: replace with expected_replacements", |source, random| {
        certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let input = json!({"file_path": format!("/workspace/{}", edit.path), "old_string": old, "new_string": new, "expected_replacements": 1});
            Some(json!({"functionCall": {"name": "replace", "args": input}}).to_string())
        })
    }),
    ("gpt-oss: the final channel has the diff", |source, random| {
        certain(source, random, |edit| {
            let draft = edit.unified_with(|hunk| hunk.text().replace('e', "a"));
            Some(format!(
                "<|channel|>analysis<|message|>Maybe:\n\n{}\nNo, that breaks it.<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>\n",
                fenced("diff", &draft),
                fenced("diff", &edit.unified(3))
            ))
        })
    }),
    ("gpt-oss: a call on the commentary channel", |source, random| {
        let trial = certain(source, random, |edit| {
            let (old, new) = one_block(edit)?;
            let input = json!({"path": edit.path, "old_str": old, "new_str": new});
            Some(format!(
                "<|channel|>analysis<|message|>I should edit the file.<|end|><|start|>assistant<|channel|>commentary to=functions.str_replace \
                 <|constrain|>json<|message|>{input}<|call|>\n"
            ))
        })?;
        Some(super::or_nothing(trial))
    }),
    ("aider: fenced blocks with the path inside", |source, random| {
        certain(source, random, |edit| Some(fenced("python", &format!("{}\n{}", edit.path, aider_blocks(edit)?))))
    }),
    ("aider: udiff without numbers", |source, random| {
        let trial = certain(source, random, |edit| {
            edit.blocks(3)?;
            Some(fenced("diff", &edit.unified_with(|hunk| format!("@@ ... @@\n{}", hunk.body()))))
        })?;
        Some(trial)
    }),
];
