//! What agents send, and what they are told. `agents.rs` has the agents themselves.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::cli::{Ran, command, host, host_with};
use crate::support::repo::TestRepo;

const GOOD: &str = "def x():\n    return 1\n";

fn repo() -> TestRepo {
    TestRepo::with(&[("x.py", GOOD), ("src/crlf.py", "def y():\r\n    return 1\r\n"), (".gitignore", "*.out\n")])
}

fn ask(dir: &Path, agent: &str, event: &str, input: &Value) -> Ran {
    host_with(dir, &["hook", agent, event], input.to_string().as_bytes(), &[])
}

/// Claude Code's question before a tool.
fn claude(repo: &TestRepo, tool: &str, input: Value) -> Ran {
    let event = json!({ "hook_event_name": "PreToolUse", "cwd": repo.path(), "tool_name": tool, "tool_input": input });
    ask(repo.path(), "claude", "PreToolUse", &event)
}

#[track_caller]
fn denied(ran: Ran, words: &str) {
    let ran = ran.expect(2);
    assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    assert_eq!(ran.json()["hookSpecificOutput"]["permissionDecision"], "deny", "{ran:?}");
}

#[track_caller]
fn allowed(ran: Ran) {
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""), "{ran:?}");
}

/// What the host cannot judge is denied, unless the settings of the user say otherwise; those of a repository cannot.
#[test]
fn an_error_of_the_host_denies_unless_the_settings_allow_it() {
    let repo = TestRepo::with(&[("x.py", GOOD), ("guards.toml", "schema = 1\n[[guard]]\nid = \"no-such-guard\"\n")]);
    let settings = tempfile::tempdir().unwrap();
    let file = settings.path().join("guardhost/config.toml");
    std::fs::create_dir(settings.path().join("guardhost")).unwrap();
    let folder = settings.path().to_str().unwrap();
    let input = json!({ "file_path": repo.path().join("x.py"), "content": "def x():\n    return 2\n" });
    let event =
        json!({ "hook_event_name": "PreToolUse", "cwd": repo.path(), "tool_name": "Write", "tool_input": input });
    let event = event.to_string();
    repo.write("x.py", "def x():\n    return 2\n");
    repo.stage_all();
    let ask = |args: &[&str]| host_with(repo.path(), args, event.as_bytes(), &[("XDG_CONFIG_HOME", folder)]);
    let (agent, git) = (["hook", "claude", "PreToolUse"], ["hook", "git", "pre-commit"]);
    for text in [None, Some("[hooks]\non_error = \"deny\"\n"), Some("[hooks]\non_error = \"allow\"\nmore = 1\n")] {
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        denied(ask(&agent), "could not judge this");
        assert!(ask(&git).expect(1).stderr.contains("could not judge this"), "{text:?}");
    }
    std::fs::write(&file, "[hooks]\non_error = \"allow\"\n").unwrap();
    for args in [agent, git] {
        let ran = ask(&args).expect(0);
        assert!(ran.stdout.is_empty() && ran.stderr.contains("It passes unjudged"), "{ran:?}");
    }
    // What the guards reject is no error.
    let judged = self::repo();
    let bad = json!({ "file_path": judged.path().join("x.py"), "content": "def x(:\n" });
    let event =
        json!({ "hook_event_name": "PreToolUse", "cwd": judged.path(), "tool_name": "Write", "tool_input": bad });
    let ran = host_with(judged.path(), &agent, event.to_string().as_bytes(), &[("XDG_CONFIG_HOME", folder)]);
    denied(ran, "x.py:1");
}

#[test]
fn an_edit_is_judged_before_it_is_made() {
    let repo = repo();
    let (status, before) = (repo.status(), repo.snapshot());
    let file = repo.path().join("x.py");
    let edit = |old: &str, new: &str| json!({ "file_path": file, "old_string": old, "new_string": new });
    allowed(claude(&repo, "Edit", edit("return 1", "return 2")));
    denied(claude(&repo, "Edit", edit("def x():", "def x(:")), "x.py:1");
    denied(claude(&repo, "Edit", edit("return 7", "return 2")), "is not in the file");
    denied(claude(&repo, "Edit", edit("r", "y")), "in the file 2 times");
    denied(claude(&repo, "Edit", edit("", "y")), "old_string is empty");
    let many =
        json!([{ "old_string": "return 1", "new_string": "return 2" }, { "old_string": "2", "new_string": "(2" }]);
    denied(claude(&repo, "MultiEdit", json!({ "file_path": file, "edits": many })), "x.py:3");
    denied(claude(&repo, "Write", json!({ "file_path": "x.py", "content": "def x(:\n" })), "x.py:1");
    allowed(claude(&repo, "Write", json!({ "file_path": "new/y.py", "content": GOOD })));
    // Agents write line feeds for lines that end otherwise.
    let crlf =
        |new: &str| json!({ "file_path": "src/crlf.py", "old_string": "def y():\n    return 1", "new_string": new });
    allowed(claude(&repo, "Edit", crlf("def y():\n    return 2")));
    denied(claude(&repo, "Edit", crlf("def y(:\n    return 2")), "src/crlf.py:1");
    assert_eq!((repo.status(), repo.snapshot()), (status, before));
}

#[test]
fn files_that_are_no_business_of_the_repository() {
    let repo = repo();
    let outside = tempfile::tempdir().unwrap();
    let write = |path: &Path| json!({ "file_path": path, "content": "def x(:\n" });
    allowed(claude(&repo, "Write", write(&outside.path().join("x.py"))));
    allowed(claude(&repo, "Write", write(&repo.path().join("made.out"))));
    allowed(claude(&repo, "Read", json!({ "file_path": "x.py" })));
    allowed(claude(&repo, "TodoWrite", json!({})));
    // A link from outside leads in.
    std::os::unix::fs::symlink(repo.path(), outside.path().join("link")).unwrap();
    denied(claude(&repo, "Write", write(&outside.path().join("link/x.py"))), "x.py:1");
    denied(claude(&repo, "Write", write(&repo.path().join("src/../x.py"))), "x.py:1");
}

#[test]
fn what_says_who_judges_is_not_edited() {
    let repo = repo();
    for path in [
        ".git/hooks/pre-commit",
        ".git/config",
        "guards.toml",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
    ] {
        denied(claude(&repo, "Write", json!({ "file_path": path, "content": "{}" })), path);
        let patch = format!("*** Begin Patch\n*** Add File: {path}\n+{{}}\n*** End Patch");
        let event = json!({ "hook_event_name": "PreToolUse", "cwd": repo.path(), "tool_name": "apply_patch", "tool_input": { "command": patch } });
        denied(ask(repo.path(), "codex", "PreToolUse", &event), "");
    }
    // The user's own settings, if the host is in them.
    let home = tempfile::tempdir().unwrap();
    let settings = home.path().join(".claude/settings.json");
    std::fs::create_dir(settings.parent().unwrap()).unwrap();
    let write = || claude(&repo, "Write", json!({ "file_path": settings, "content": "{}" }));
    std::fs::write(&settings, "{}").unwrap();
    allowed(write());
    host_with(home.path(), &["install", "claude", "--scope", "user"], b"", &[("HOME", home.path().to_str().unwrap())])
        .expect(0);
    denied(write(), "only people change it");
}

#[test]
fn a_mended_edit_is_handed_back() {
    let repo = repo();
    let fenced = format!("```python\n{GOOD}```\n");
    let answer = claude(&repo, "Write", json!({ "file_path": "y.py", "content": fenced })).expect(0).json();
    let output = &answer["hookSpecificOutput"];
    assert_eq!(output["updatedInput"], json!({ "file_path": "y.py", "content": GOOD }));
    // The user's own permissions decide whether the tool runs.
    assert!(
        output["permissionDecision"].is_null() && output["additionalContext"].to_string().contains("fence"),
        "{answer}"
    );
    let edit =
        json!({ "file_path": "x.py", "old_string": GOOD, "new_string": fenced.replace('1', "3"), "replace_all": true });
    let answer = claude(&repo, "Edit", edit.clone()).expect(0).json();
    let smallest = json!({ "file_path": "x.py", "old_string": "    return 1\n", "new_string": "    return 3\n", "replace_all": false });
    assert_eq!(answer["hookSpecificOutput"]["updatedInput"], smallest);
    // One error has no fix: then the whole edit is denied.
    let worse = fenced.replace("return 1", "return (1");
    denied(claude(&repo, "Write", json!({ "file_path": "y.py", "content": worse })), "");
    let patch = format!(
        "*** Begin Patch\n*** Add File: z.py\n{}*** Update File: x.py\n@@\n-    return 1\n+    return 2\n*** End Patch",
        fenced.lines().map(|line| format!("+{line}\n")).collect::<String>()
    );
    let event = json!({ "hook_event_name": "PreToolUse", "cwd": repo.path().join("src"), "tool_name": "apply_patch",
        "tool_input": { "command": patch.replace("File: ", "File: ../") } });
    let answer = ask(repo.path(), "codex", "PreToolUse", &event).expect(0).json();
    let mended = answer["hookSpecificOutput"]["updatedInput"]["command"].as_str().unwrap().to_owned();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "allow");
    assert!(mended.contains("*** Add File: ../z.py\n+def x():\n+    return 1\n"), "{mended}");
    assert!(mended.contains("*** Update File: ../x.py\n@@\n-    return 1\n+    return 2\n"), "{mended}");
}

#[test]
fn a_notebook_is_judged_as_it_will_be() {
    let notebook = "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\": \"a\",\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": \"x = 1\"\n  }\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n";
    let repo = TestRepo::with(&[("n.ipynb", notebook)]);
    let edit = |cell: &str| json!({ "notebook_path": "n.ipynb", "cell_id": cell, "new_source": "x = 2" });
    allowed(claude(&repo, "NotebookEdit", edit("a")));
    allowed(claude(&repo, "NotebookEdit", edit("cell-0")));
    denied(claude(&repo, "NotebookEdit", edit("b")), "no cell is called b");
}

#[test]
fn what_is_not_understood_is_denied() {
    let repo = repo();
    for (input, words) in [
        ("", "no JSON"),
        ("[]", "no JSON object"),
        ("{}", "tool_name"),
        ("{\"tool_name\":\"Edit\",\"tool_input\":{}}", "old_string"),
        ("{\"tool_name\":\"Write\",\"tool_input\":{\"content\":\"x\"}}", "file_path"),
        (
            "{\"tool_name\":\"NotebookEdit\",\"tool_input\":{\"new_source\":\"x\",\"edit_mode\":\"dream\"}}",
            "new_source",
        ),
        ("{\"hook_event_name\":\"Stop\",\"tool_name\":\"Edit\"}", "Stop"),
    ] {
        for (agent, event) in [
            ("claude", "PreToolUse"),
            ("codex", "PreToolUse"),
            ("cursor", "preToolUse"),
            ("gemini", "BeforeTool"),
            ("copilot", "preToolUse"),
            ("opencode", "tool.execute.before"),
            ("qwen", "PreToolUse"),
        ] {
            let ran = host_with(repo.path(), &["hook", agent, event], input.as_bytes(), &[]).expect(2);
            assert!(ran.stderr.contains(words) && !ran.stdout.is_empty(), "{agent} {input}: {ran:?}");
        }
    }
    let ran = host_with(repo.path(), &["hook", "claude", "PreDream"], b"{}", &[]).expect(2);
    assert!(ran.stderr.contains("no event `PreDream`"), "{ran:?}");
    host(repo.path(), &["hook", "someone", "PreToolUse"]).expect(2);
    // Rules that are broken reject as well.
    repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"no-such-guard\"\n");
    repo.commit("broken rules");
    denied(
        claude(&repo, "Write", json!({ "file_path": "x.py", "content": GOOD.replace('1', "2") })),
        "could not judge this",
    );
}

#[test]
fn a_turn_is_held_once() {
    let repo = repo();
    let stop = |agent: &str, event: &str, more: Value| {
        let mut input = json!({ "cwd": repo.path() });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask(repo.path(), agent, event, &input).expect(0)
    };
    assert_eq!(stop("claude", "Stop", json!({ "stop_hook_active": false })).stdout, "");
    repo.write("new.py", "def x(:\n");
    for (agent, event, key, word) in [
        ("claude", "Stop", "decision", "block"),
        ("codex", "Stop", "decision", "block"),
        ("gemini", "AfterAgent", "decision", "deny"),
    ] {
        let answer = stop(agent, event, json!({ "stop_hook_active": false })).json();
        assert!(answer[key] == word && answer["reason"].as_str().unwrap().contains("new.py:1"), "{answer}");
        assert_eq!(stop(agent, event, json!({ "stop_hook_active": true })).stdout, "");
    }
    let answer = stop("cursor", "stop", json!({ "status": "completed", "loop_count": 0 })).json();
    assert!(answer["followup_message"].as_str().unwrap().contains("new.py:1"), "{answer}");
    assert_eq!(stop("cursor", "stop", json!({ "status": "completed", "loop_count": 1 })).stdout, "");
}

#[test]
fn after_a_shell_command_the_work_tree_is_judged_once() {
    let repo = repo();
    let after = || {
        let event = json!({ "hook_event_name": "PostToolUse", "cwd": repo.path(), "tool_name": "Bash", "tool_input": { "command": "make" } });
        ask(repo.path(), "claude", "PostToolUse", &event).expect(0)
    };
    assert_eq!(after().stdout, "");
    repo.write("x.py", "def x(:\n");
    let answer = after().json();
    assert!(answer["decision"] == "block" && answer["reason"].as_str().unwrap().contains("x.py:1"), "{answer}");
    assert_eq!(after().stdout, "", "the model knows");
    repo.write("x.py", "def x(::\n");
    assert!(after().stdout.contains("x.py"));
}

#[test]
fn the_words_of_each_agent() {
    let repo = repo();
    let bad = json!({ "file_path": "x.py", "content": "def x(:\n" });
    let gemini =
        json!({ "hook_event_name": "BeforeTool", "cwd": repo.path(), "tool_name": "write_file", "tool_input": bad });
    let answer = ask(repo.path(), "gemini", "BeforeTool", &gemini).expect(2).json();
    assert!(answer["decision"] == "deny" && answer["reason"].as_str().unwrap().contains("x.py:1"), "{answer}");
    let cursor = json!({ "hook_event_name": "preToolUse", "workspace_roots": [repo.path()], "tool_name": "Write",
        "tool_input": { "path": "x.py", "contents": "def x(:\n" } });
    let answer = ask(Path::new("/"), "cursor", "preToolUse", &cursor).expect(2).json();
    assert!(answer["permission"] == "deny" && answer["agent_message"].as_str().unwrap().contains("x.py:1"), "{answer}");
    let shell = json!({ "hook_event_name": "beforeShellExecution", "cwd": repo.path(), "command": "git commit -n" });
    let answer = ask(repo.path(), "cursor", "beforeShellExecution", &shell).expect(2).json();
    assert!(answer["agent_message"].as_str().unwrap().contains("--no-verify"), "{answer}");
}

/// Hooks of a user stand outside of every repository.
#[test]
fn the_users_own_hooks_are_not_edited() {
    let (repo, home) = (repo(), tempfile::tempdir().unwrap());
    let variables = [("HOME", home.path().to_str().unwrap())];
    let install = ["install", "--scope", "user", "claude", "codex", "gemini", "cursor", "copilot", "opencode", "qwen"];
    host_with(repo.path(), &install, b"", &variables).expect(0);
    for file in [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".cursor/hooks.json",
        ".copilot/hooks/guardhost.json",
        ".config/opencode/plugins/guardhost.js",
        ".qwen/settings.json",
    ] {
        let input = json!({ "file_path": home.path().join(file), "content": "{}\n" });
        denied(claude(&repo, "Write", input), "only people change it");
    }
}

/// Copilot's command line sends fields of its own, and text where the model sent text; VS Code sends those of Claude Code with its own tools.
#[test]
fn the_two_dialects_of_copilot() {
    let repo = repo();
    let cli = |tool: &str, args: Value| json!({ "cwd": repo.path(), "toolName": tool, "toolArgs": args });
    let editor = |tool: &str, input: Value| json!({ "hook_event_name": "PreToolUse", "cwd": repo.path(), "tool_name": tool, "tool_input": input });
    let ask = |event: &str, question: &Value| ask(repo.path(), "copilot", event, question);
    let patch = |line: &str| {
        format!("*** Begin Patch\n*** Update File: x.py\n@@\n-def x():\n+{line}\n     return 1\n*** End Patch")
    };
    let replaced = |new: &str| json!({ "filePath": "x.py", "oldString": "def x():", "newString": new });
    for (event, good, bad) in [
        (
            "preToolUse",
            cli("edit", json!({ "path": "x.py", "old_str": "def x():", "new_str": "def y():" })),
            cli("edit", json!({ "path": "x.py", "old_str": "def x():", "new_str": "def x(:" })),
        ),
        ("preToolUse", cli("apply_patch", json!(patch("def y():"))), cli("apply_patch", json!(patch("def x(:")))),
        (
            "preToolUse",
            editor("replace_string_in_file", replaced("def y():")),
            editor("replace_string_in_file", replaced("def x(:")),
        ),
        (
            "PreToolUse",
            editor("view", json!({})),
            editor("create_file", json!({ "filePath": "x.py", "content": "def x(:\n" })),
        ),
        ("preToolUse", editor("list_dir", json!({})), editor("insert_edit_into_file", json!({ "filePath": "x.py" }))),
        (
            "preToolUse",
            cli("bash", json!({ "command": "git log" })),
            cli("bash", json!({ "command": "git commit -n" })),
        ),
    ] {
        allowed(ask(event, &good));
        let answer = ask(event, &bad).expect(2).json();
        let inside = &answer["hookSpecificOutput"];
        assert!(answer["permissionDecision"] == "deny" && inside["permissionDecision"] == "deny", "{bad}: {answer}");
        assert!(answer["permissionDecisionReason"] == inside["permissionDecisionReason"], "{answer}");
    }
    let fenced = "```python\ndef y():\n    return 1\n```\n";
    let answer = ask("preToolUse", &cli("create", json!({ "path": "y.py", "file_text": fenced }))).expect(0).json();
    assert_eq!(answer["modifiedArgs"]["file_text"], "def y():\n    return 1\n", "{answer}");
    assert_eq!(answer["hookSpecificOutput"]["updatedInput"], answer["modifiedArgs"], "{answer}");
    // What a tool said stays, and the model is told beside it.
    repo.write("x.py", "def x(:\n");
    let answer = ask("postToolUse", &cli("bash", json!({ "command": "make" }))).expect(0).json();
    assert!(
        answer["decision"].is_null() && answer["additionalContext"].as_str().unwrap().contains("x.py:1"),
        "{answer}"
    );
    let answer = ask("agentStop", &json!({ "cwd": repo.path(), "stop_hook_active": false })).expect(0).json();
    assert!(answer["decision"] == "block" && answer["hookSpecificOutput"]["decision"] == "block", "{answer}");
    assert_eq!(ask("agentStop", &json!({ "cwd": repo.path(), "stop_hook_active": true })).expect(0).stdout, "");
}

/// An agent that never ends its question is told no in time, and not by its own clock.
#[test]
fn an_answer_comes_before_the_agent_goes_on() {
    let repo = repo();
    let mut child = command(repo.path(), &["hook", "claude", "PreToolUse"], &[]).spawn().unwrap();
    let held = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(held);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("did not judge this within"), "{said}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
}
