//! `host mcp` as a real client meets it: the MCP SDK for Python, from the package index.

mod revision;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const CODE: &str = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";
const HUNK: &str = "@@ -4,3 +4,3 @@\n \n def two():\n-    return 2\n+    return 3\n";

/// Python with the SDK.
fn python() -> Option<PathBuf> {
    needs(Tool::McpClient).map(|environment| environment.join("bin/python"))
}

/// A connected client.
struct Client {
    child: Child,
    told: BufReader<ChildStdout>,
    /// What the server said of itself.
    hello: Value,
}

impl Client {
    fn connect(python: &Path, mode: &str, repo: &TestRepo) -> Self {
        Self::start(Self::command(python, mode).arg("--repo").arg(repo.path()))
    }

    fn command(python: &Path, mode: &str) -> Command {
        let mut command = Command::new(python);
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/mcp_client.py"));
        command.args([mode, env!("CARGO_BIN_EXE_host"), "mcp"]);
        command
    }

    fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let told = BufReader::new(child.stdout.take().unwrap());
        let mut client = Client { child, told, hello: Value::Null };
        client.hello = client.hear();
        client
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.told.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("the client said {line:?}: {error}"))
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.send(json!({ "tool": tool, "arguments": arguments }))
    }

    fn send(&mut self, call: Value) -> Value {
        let mut stdin = self.child.stdin.as_ref().unwrap();
        writeln!(stdin, "{call}").unwrap();
        self.hear()
    }

    /// The result, as the first block of text says it. What did not succeed is an error to the client, too.
    #[track_caller]
    fn ask(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        let said: Value = serde_json::from_str(result["content"][0]["text"].as_str().expect("text")).expect("JSON");
        assert_eq!(result["isError"] == json!(true), said["success"] == json!(false), "{result}");
        // Clients show a model the structured content instead of the text, so it must not hide the text of a file.
        match result["content"].get(1) {
            None => assert_eq!(result["structuredContent"], said),
            Some(_) => assert_eq!(result.get("structuredContent").unwrap_or(&Value::Null), &Value::Null),
        }
        said
    }
}

#[test]
fn a_client_edits_a_repository_under_guard() {
    let Some(python) = python() else { return };
    let repo = TestRepo::with(&[("src/x.py", CODE)]);
    let mut client = Client::connect(&python, "auto", &repo);
    let tools: Vec<_> = client.hello["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(tools, ["read_file", "safe_patch", "write_file", "check", "audit", "plan", "log", "review", "fix"]);
    for tool in client.hello["tools"].as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(!tool.to_string().contains("\"format\""), "clients warn of formats that they do not know: {tool}");
    }
    let instructions = client.hello["instructions"].as_str().unwrap();
    assert!(instructions.contains("highest version") && instructions.contains("3 lines of context"), "{instructions}");

    let result = client.call("read_file", json!({ "path": "src/x.py" }));
    assert_eq!(result["content"][1]["text"], CODE, "line feeds are line feeds for a model");
    assert_eq!(result.get("structuredContent").unwrap_or(&Value::Null), &Value::Null, "clients would show it instead");
    let read: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!((read.get("content"), &read["version"]), (None, &json!(1)));
    let base = read["sha256"].clone();

    let patch =
        |diff: &str, base: &Value| json!({ "path": "src/x.py", "unified_diff": diff, "base_content_sha256": base });
    let invalid = client.ask("safe_patch", patch("nonsense", &base));
    assert_eq!((&invalid["error_type"], invalid.get("latest_file_state")), (&json!("INVALID_PATCH"), None));
    let limit = client.ask("safe_patch", patch("@@ -1 +1 @@\n-no such line\n+x\n", &base));
    assert_eq!(limit["error_type"], "INVALID_PATCH_LIMIT_EXCEEDED");
    assert!(limit["message"].as_str().unwrap().ends_with("and then use write_file to overwrite it."), "{limit}");

    let stale = client.ask("safe_patch", patch(HUNK, &json!("0".repeat(64))));
    assert_eq!((&stale["error_type"], &stale["latest_file_state"]["sha256"]), (&json!("HASH_MISMATCH"), &base));
    let stale = client.call("safe_patch", patch(HUNK, &json!("0".repeat(64))));
    assert_eq!(stale["content"][1]["text"], CODE);

    let rejected = client.ask("safe_patch", patch(&HUNK.replace("return 3", "return ("), &base));
    assert_eq!(rejected["error_type"], "REJECTED_BY_GUARDS");
    assert_eq!(rejected["findings"][0]["guard"], "syntax-holds");
    let refused = client.ask("write_file", json!({ "path": ".git/hooks/pre-commit", "content": "x" }));
    assert_eq!(refused["error_type"], "REFUSED");
    assert_eq!(repo.status(), "", "nothing was written so far");

    let patched = client.ask("safe_patch", patch(HUNK, &base));
    assert_eq!(patched["message"], "Patch applied successfully.");
    assert_eq!(patched["latest_file_state"].get("content"), None, "the model knows what it wrote");
    assert_eq!(repo.read("src/x.py"), CODE.replace("return 2", "return 3").as_bytes());
    let made = client.ask("write_file", json!({ "path": "bytes", "content": "Y2Fm6Q==", "encoding": "base64" }));
    assert_eq!((&made["success"], repo.read("bytes")), (&json!(true), b"caf\xe9".to_vec()));
    let check = client.ask("check", json!({}));
    assert_eq!((&check["schema_version"], &check["verdict"]), (&json!(1), &json!("pass")));
    repo.write("src/x.py", "def one(:\n");
    assert_eq!(client.ask("check", json!({}))["verdict"], "reject", "whoever wrote it");
    assert_eq!(client.ask("check", json!({ "staged": true }))["verdict"], "pass");

    let nonsense = client.call("safe_patch", json!({ "path": "src/x.py" }));
    assert!(nonsense["content"][0]["text"].as_str().unwrap().contains("unified_diff"), "{nonsense}");
    assert!(client.call("delete_file", json!({})).get("protocol_error").is_some());
    drop(client.child.stdin.take());
    assert!(client.child.wait().unwrap().success());
}

#[test]
fn a_client_of_the_older_protocol_reads() {
    let Some(python) = python() else { return };
    let repo = TestRepo::with(&[("x", "x\n")]);
    let mut client = Client::connect(&python, "legacy", &repo);
    assert_eq!(client.call("read_file", json!({ "file_path": "x" }))["content"][1]["text"], "x\n");
}

/// A client that asks for progress hears of each guard, and the answer names only what found something.
#[test]
fn a_check_tells_how_far_it_is_and_says_little() {
    let Some(python) = python() else { return };
    let repo = TestRepo::with(&[("src/x.py", CODE), ("README.md", "# x\n")]);
    repo.write("src/x.py", CODE.replace("def two():", "def two(:"));
    for mode in ["auto", "legacy"] {
        let mut client = Client::connect(&python, mode, &repo);
        let result = client.send(json!({ "tool": "check", "arguments": {}, "progress": true }));
        let steps = result["progress"].as_array().unwrap();
        let done: Vec<_> = steps.iter().map(|step| step["done"].as_f64().unwrap()).collect();
        assert!(done.len() > 3 && done.is_sorted_by(|a, b| a < b), "{mode}: {steps:?}");
        let last = steps.last().unwrap();
        assert_eq!(last["done"], last["total"], "{mode}: {steps:?}");
        assert!(steps.iter().any(|step| step["message"] == "syntax-holds: reject"), "{mode}: {steps:?}");
        let said = &result["structuredContent"];
        let named: Vec<_> = said["guards"].as_array().unwrap().iter().map(|guard| &guard["verdict"]).collect();
        assert!(!named.is_empty() && named.iter().all(|verdict| *verdict == "reject"), "{said}");
        let counted = said["passed"].as_u64().unwrap() + said["not_applicable"].as_u64().unwrap();
        assert_eq!(counted + named.len() as u64, steps.len() as u64, "{said}");
    }
}

/// The same change, as a step that names other files.
#[test]
fn a_check_judges_a_step_of_a_plan() {
    let Some(python) = python() else { return };
    let subtask = |id: &str, file: &str| json!({ "id": id, "title": "Make it private", "file_hints": [file] });
    let plan =
        json!({ "tasks": [{ "title": "X", "subtasks": [subtask("a", "package.json"), subtask("b", "src/x.py")] }] });
    let repo = TestRepo::with(&[("src/x.py", CODE), ("package.json", "{\n}\n"), ("plan.json", &plan.to_string())]);
    repo.write("package.json", "{\n  \"private\": true\n}\n");
    let mut client = Client::connect(&python, "auto", &repo);
    let mut check = |step: &str| client.call("check", json!({ "plan": "plan.json", "step": step }));
    assert_eq!(check("a")["structuredContent"]["verdict"], "pass");
    let other = check("b");
    assert_eq!(other["structuredContent"]["guards"][0]["id"], "scope-kept", "{other}");
    let unknown = check("c");
    assert!(unknown["content"][0]["text"].as_str().unwrap().contains("its open steps are a, b"), "{unknown}");
    let half = client.call("check", json!({ "step": "a" }));
    assert!(half["isError"] == true && half.to_string().contains("plan and step"), "{half}");
}

/// The answer of every tool, since clients do not show why a server ended; and the folder that the client works in is taken where the
/// server was started in no repository.
#[test]
fn without_a_repository_tools_say_so_and_the_clients_folder_is_taken() {
    let Some(python) = python() else { return };
    let empty = tempfile::tempdir().unwrap();
    let mut client = Client::start(Client::command(&python, "legacy").current_dir(empty.path()));
    let answer = client.call("check", json!({}));
    assert!(answer["isError"] == true && answer.to_string().contains("no git repository"), "{answer}");
    let repo = TestRepo::with(&[("a b/x", "x\n")]);
    let mut command = Client::command(&python, "legacy");
    let mut client = Client::start(command.current_dir(empty.path()).env("MCP_ROOT", repo.path().join("a b")));
    assert_eq!(client.call("read_file", json!({ "path": "a b/x" }))["content"][1]["text"], "x\n");
    // A folder that the command line names comes before.
    let mut client = Client::start(command.arg("--repo").arg(empty.path()));
    assert_eq!(client.call("read_file", json!({ "path": "a b/x" }))["isError"], true);
}

/// Without a client at hand: the protocol is lines of JSON.
#[test]
fn it_ends_with_its_input_and_keeps_standard_output_for_the_protocol() {
    let repo = TestRepo::with(&[("x", "x\n")]);
    let ran = host(repo.path(), &["mcp"]).expect(0);
    assert_eq!(ran.stdout, "");
    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" } });
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "check", "arguments": {} } }),
    ];
    let input = lines.map(|line| format!("{line}\n")).concat();
    let ran = host_with(repo.path(), &["mcp", "-v"], input.as_bytes(), &[]).expect(0);
    let answers: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.iter().map(|answer| answer["id"].clone()).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(answers[1]["result"]["structuredContent"]["verdict"], "pass");
}

/// Every message has an answer, also one that cannot be read; and the next one is read.
#[test]
fn a_message_that_is_no_json_is_answered() {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let lone =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"\ud800"}}}"#;
    let deep = format!(r#"{{"jsonrpc":"2.0","id":3,"params":{}"#, "[".repeat(100_000));
    let long = format!(r#"{{"jsonrpc":"2.0","id":4,"params":"{}"}}"#, "x".repeat(40 << 20));
    let last = r#"{"jsonrpc":"2.0","id":5,"method":"tools/list"}"#;
    // The last line has no end.
    let messages = [hello, initialized, lone, &deep, &long, "garbage", last].join("\n");
    let ran = host_with(repo.path(), &["mcp"], messages.as_bytes(), &[]).expect(0);
    let answers: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of =
        |id: Value| answers.iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("{id}: {answers:?}"));
    assert!(of(json!(1))["result"].is_object() && of(json!(5))["result"]["tools"].is_array());
    for id in [json!(2), json!(3), json!(4), Value::Null] {
        assert_eq!(of(id)["error"]["code"], -32_700);
    }
    // Also before the client has introduced itself.
    let ran = host_with(repo.path(), &["mcp"], b"garbage\n", &[]).expect(0);
    assert!(ran.stdout.contains("-32700"), "{ran:?}");
}

/// The library's own answer names fields of a protocol that the client may not know.
#[test]
fn a_request_before_the_introduction_is_told_what_is_missing() {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    let early = r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#;
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    // Nobody waits for an answer to these, and they end no connection.
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#;
    let response = r#"{"jsonrpc":"2.0","id":9,"result":{}}"#;
    let messages = [cancelled, response, early, hello, initialized, list].join("\n") + "\n";
    let ran = host_with(repo.path(), &["mcp"], messages.as_bytes(), &[]).expect(0);
    let answers: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["id"], &answers[0]["error"]["code"]), (&json!("a"), &json!(-32_600)), "{answers:?}");
    let said = answers[0]["error"]["message"].as_str().unwrap();
    assert!(said.contains("initialize first") && said.contains("tools/list"), "{said}");
    assert!(answers[1]["result"].is_object() && answers[2]["result"]["tools"].is_array(), "{answers:?}");
}

#[test]
fn without_a_repository_it_says_so_where_people_look() {
    let empty = tempfile::tempdir().unwrap();
    let ran = host(empty.path(), &["mcp"]).expect(7);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("no git repository"), "{ran:?}");
    let bare = TestRepo::bare();
    assert!(host(bare.path(), &["mcp"]).expect(7).stderr.contains("bare"));
}
