//! `host mcp`: its answers on standard output, one request after another.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

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

/// One dialect: what each request has around its parameters.
struct Conversation {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    said: Vec<Value>,
    meta: Option<Value>,
}

impl Conversation {
    fn open(place: &Place, meta: Option<Value>) -> Self {
        let mut child = place.command(&["mcp"]).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Conversation { child, stdin, stdout, said: Vec::new(), meta }
    }

    /// The result, whose text is unfolded.
    fn ask(&mut self, method: &str, mut params: Value) -> Value {
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        let id = self.said.len() / 2 + 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(self.stdin, "{request}").unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let mut answer = parsed(&line);
        unfold(&mut answer);
        let result = answer["result"].clone();
        self.said.extend([request, answer]);
        if method == "initialize" {
            writeln!(self.stdin, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
        }
        result
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    fn keep(mut self, place: &Place, name: &str) {
        drop(self.stdin);
        assert!(self.child.wait().unwrap().success());
        place.keep(name, self.said.into());
    }
}

#[test]
fn an_agent_reads_and_edits() {
    let place = Place::new(&[("x.py", CODE), ("guards.toml", super::RULES)]);
    let mut client = Conversation::open(&place, None);
    let info = json!({ "name": "t", "version": "0" });
    client.ask("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info }));
    client.ask("tools/list", json!({}));
    let mut call = |tool: &str, arguments: Value| client.call(tool, arguments);
    let base = call("read_file", json!({ "path": "x.py" }))["content"][0]["text"]["sha256"].clone();
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
    client.keep(&place, "mcp");
}

/// Since 2026-07-28 there is no introduction: each request says version and capabilities itself.
#[test]
fn an_agent_that_does_not_introduce_itself_reads_and_edits() {
    let place = Place::new(&[("x.py", CODE), ("guards.toml", super::RULES)]);
    let meta = |version: &str| {
        json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        })
    };
    let mut client = Conversation::open(&place, Some(meta("2026-07-28")));
    client.ask("server/discover", json!({}));
    client.ask("tools/list", json!({}));
    let read = client.call("read_file", json!({ "path": "x.py" }));
    let base = read["content"][0]["text"]["sha256"].clone();
    let hunk = "@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (\n";
    client.call("safe_patch", json!({ "path": "x.py", "unified_diff": hunk, "base_content_sha256": base }));
    client.call("write_file", json!({ "path": ".git/hooks/pre-commit", "content": "x" }));
    client.call("check", json!({}));
    client.call("delete_file", json!({}));
    // What a person decides is asked in the answer, and the call comes again.
    let rules = client.call("read_file", json!({ "path": "guards.toml" }))["content"][0]["text"]["sha256"].clone();
    let text = super::RULES.replace("docs-kept", "code-kept");
    let write = json!({ "path": "guards.toml", "content": text, "base_content_sha256": rules });
    let question = client.call("write_file", write.clone());
    let answer = json!({ "allow": { "action": "decline" } });
    let state = question["requestState"].clone();
    let again = json!({ "name": "write_file", "arguments": write, "requestState": state, "inputResponses": answer });
    client.ask("tools/call", again);
    client.ask("ping", json!({}));
    client.ask("resources/read", json!({ "uri": "file:///x" }));
    client.meta = Some(meta("2031-01-01"));
    client.ask("tools/list", json!({}));
    client.meta = Some(json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" }));
    client.ask("tools/list", json!({}));
    client.keep(&place, "mcp-stateless");
}
