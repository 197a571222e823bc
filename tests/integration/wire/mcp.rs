//! `host mcp`: its answers on standard output, one request after another.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use super::CODE;
use super::place::{Place, parsed};

/// The text of a result is JSON in itself.
fn unfold(answer: &mut Value) {
    let parts = answer["result"]["content"].as_array_mut().into_iter().flatten();
    for part in parts {
        let text = part["text"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(value) = text.filter(Value::is_object) {
            part["text"] = value;
        }
    }
}

#[test]
fn an_agent_reads_and_edits() {
    let place = Place::new(&[("x.py", CODE), ("guards.toml", super::RULES)]);
    let mut child = place.command(&["mcp"]).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut said = Vec::new();
    let mut ask = |method: &str, params: Value| {
        let id = said.len() / 2 + 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(stdin, "{request}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let mut answer = parsed(&line);
        unfold(&mut answer);
        let sha256 = answer["result"]["content"][0]["text"]["sha256"].clone();
        said.extend([request, answer]);
        if method == "initialize" {
            writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
        }
        sha256
    };
    let client = json!({ "name": "t", "version": "0" });
    ask("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }));
    ask("tools/list", json!({}));
    let mut call = |tool: &str, arguments: Value| ask("tools/call", json!({ "name": tool, "arguments": arguments }));
    let base = call("read_file", json!({ "path": "x.py" }));
    call("read_file", json!({ "path": "y.py" }));
    let hunk = |to: &str| format!("@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    {to}\n");
    let patch = |diff: &str, base: &Value| json!({ "path": "x.py", "unified_diff": diff, "base_content_sha256": base });
    call("safe_patch", patch("nonsense", &base));
    call("safe_patch", patch(&hunk("return 2"), &json!("0".repeat(64))));
    call("safe_patch", patch(&hunk("return ("), &base));
    call("safe_patch", patch(&hunk("return 2"), &base));
    call("write_file", json!({ "path": ".git/hooks/pre-commit", "content": "x" }));
    call("write_file", json!({ "path": "new.txt", "content": "new\n" }));
    call("write_file", json!({ "path": "new.txt" }));
    call("check", json!({}));
    call("check", json!({ "staged": true }));
    let step = |hint: &str| json!({ "title": "Change it", "file_hints": [hint], "action": "modify" });
    call("plan", json!({ "tasks": [{ "title": "x", "subtasks": [step("x.py"), step("lib/x.py")] }], "scope": "docs" }));
    call("plan", json!({ "tasks": [] }));
    call("audit", json!({ "metrics": ["license"] }));
    call("delete_file", json!({}));
    drop(stdin);
    assert!(child.wait().unwrap().success());
    place.keep("mcp", said.into());
}
