//! What the revision of 2026-07-28 brings: a person who decides, within a call or beside it, and tasks.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use super::{Client, python};
use crate::integration::run::claude;
use crate::support::cli::command;
use crate::support::repo::TestRepo;

const RULES: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n";
const NEW: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\nmode = \"monitor\"\n";

/// In both dialects: the question is the answer of a call that comes again, or a request of the server.
#[test]
fn a_person_decides_on_a_change_of_the_rules() {
    let Some(python) = python() else { return };
    for (mode, allows) in [("auto", true), ("legacy", true), ("auto", false), ("legacy", false)] {
        let repo = TestRepo::with(&[("guards.toml", RULES), ("x.py", "x = 1\n")]);
        let mut command = Client::command(&python, mode);
        let mut client = Client::start(command.arg("--repo").arg(repo.path()).env("MCP_ALLOWS", allows.to_string()));
        let read = client.ask("read_file", json!({ "path": "guards.toml" }));
        let base = read["sha256"].clone();
        let write = json!({ "path": "guards.toml", "content": NEW, "base_content_sha256": base });
        let result = client.call("write_file", write);
        let questions = result["questions"].as_array().unwrap();
        assert_eq!(questions.len(), 1, "{mode}: {result}");
        let message = questions[0]["message"].as_str().unwrap();
        assert!(message.contains("+mode = \"monitor\"") && message.contains("An agent wants"), "{message}");
        assert_eq!(questions[0]["schema"]["properties"]["allow"]["type"], "boolean", "{result}");
        assert_eq!(result["isError"], json!(!allows), "{mode}: {result}");
        let said = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(said.contains("The user was asked, and does not allow it."), !allows, "{said}");
        assert_eq!(repo.read("guards.toml"), if allows { NEW } else { RULES }.as_bytes(), "{mode}");
        // It was for one write. What git's own files hold nobody is asked for, nor for what does not fit.
        for (path, base) in [(".git/config", Value::Null), ("guards.toml", json!("0".repeat(64)))] {
            let again = client.call("write_file", json!({ "path": path, "content": "x", "base_content_sha256": base }));
            assert_eq!((&again["isError"], again["questions"].as_array().unwrap().len()), (&json!(true), 1), "{again}");
        }
        // The rules that judge are those of HEAD, and a commit of others is refused.
        let check = client.call("check", json!({}));
        assert_eq!(check["structuredContent"]["verdict"], if allows { "reject" } else { "pass" }, "{check}");
    }
}

#[test]
fn a_client_without_a_person_is_refused() {
    let Some(python) = python() else { return };
    let repo = TestRepo::with(&[("guards.toml", RULES)]);
    for mode in ["auto", "legacy"] {
        let mut client = Client::connect(&python, mode, &repo);
        let base = client.ask("read_file", json!({ "path": "guards.toml" }))["sha256"].clone();
        let refused =
            client.ask("write_file", json!({ "path": "guards.toml", "content": NEW, "base_content_sha256": base }));
        assert_eq!((&refused["error_type"], repo.status()), (&json!("REFUSED"), String::new()));
    }
}

/// Messages as they are on the wire, for what no client does.
struct Wire {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last: u64,
}

impl Wire {
    fn open(repo: &TestRepo) -> Self {
        Self::open_with(repo, &[])
    }

    fn open_with(repo: &TestRepo, env: &[(&str, &str)]) -> Self {
        let mut child = command(repo.path(), &["mcp"], env).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Wire { child, stdin, stdout, last: 0 }
    }

    /// A request that says by itself what the client is.
    fn ask(&mut self, method: &str, mut params: Value, capabilities: Value) -> Value {
        self.last += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        });
        let request = json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        writeln!(self.stdin, "{request}").unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
        assert_eq!(answer["id"], self.last, "{answer}");
        answer
    }

    fn close(mut self) {
        drop(self.stdin);
        assert!(self.child.wait().unwrap().success());
    }
}

/// An answer counts once, and for the call that it was asked about.
#[test]
fn what_a_person_allowed_is_one_write_and_no_other() {
    let repo = TestRepo::with(&[("x.py", "x = 1\n")]);
    let mut wire = Wire::open(&repo);
    let asks = json!({ "elicitation": { "form": {} } });
    let call =
        |content: &str| json!({ "name": "write_file", "arguments": { "path": "guards.toml", "content": content } });
    let question = wire.ask("tools/call", call(RULES), asks.clone())["result"].clone();
    assert_eq!(question["resultType"], "input_required", "{question}");
    let with_answer = |content: &str, answer: Value| {
        let mut call = call(content);
        call["requestState"] = question["requestState"].clone();
        call["inputResponses"] = json!({ "allow": answer });
        call
    };
    let yes = json!({ "action": "accept", "content": { "allow": true } });
    // For other rules than those that were shown, it is asked again.
    let other = wire.ask("tools/call", with_answer(NEW, yes.clone()), asks.clone());
    assert_eq!(other["result"]["resultType"], "input_required", "{other}");
    assert_eq!(repo.status(), "");
    let written = wire.ask("tools/call", with_answer(RULES, yes.clone()), asks.clone());
    assert_eq!((&written["result"]["isError"], repo.read("guards.toml")), (&json!(false), RULES.as_bytes().to_vec()));
    std::fs::remove_file(repo.path().join("guards.toml")).unwrap();
    let again = wire.ask("tools/call", with_answer(RULES, yes), asks.clone());
    assert_eq!(again["result"]["resultType"], "input_required", "an answer counts once: {again}");
    let no = with_answer(RULES, json!({ "action": "decline" }));
    let declined = wire.ask("tools/call", no, asks);
    assert_eq!(declined["result"]["resultType"], "input_required", "the state was used: {declined}");
    assert_eq!(repo.status(), "");
    wire.close();
}

/// What an agent writes neither steers the terminal of the person who is asked, nor is hidden there.
#[test]
fn a_person_sees_each_character_of_what_is_asked() {
    let repo = TestRepo::with(&[("x.py", "x = 1\n")]);
    let mut wire = Wire::open(&repo);
    let content = "a\u{1b}[2J\u{1b}]0;t\u{7}\u{202e}b\u{2066}\rc\n\n<!--\n```\n";
    let call = json!({ "name": "write_file", "arguments": { "path": ".guards/x", "content": content } });
    let asked = wire.ask("tools/call", call, json!({ "elicitation": { "form": {} } }));
    let requests = asked["result"]["inputRequests"].as_object().unwrap_or_else(|| panic!("{asked}"));
    let message = requests["allow"]["params"]["message"].as_str().unwrap_or_else(|| panic!("{asked}"));
    assert!(message.contains(r"    +a\u{1b}[2J\u{1b}]0;t\u{7}\u{202e}b\u{2066}\u{d}c"), "{message}");
    assert!(!message.chars().any(|c| c != '\n' && guardhost_report::escape::is_control(c)), "{message:?}");
    let (_, diff) = message.split_once("\n\n").unwrap();
    assert!(diff.lines().all(|line| line.starts_with("    ")), "{message}");
    wire.close();
}

/// `review` and `fix` take minutes: a client that knows tasks gets one, and polls it.
#[test]
fn what_takes_minutes_is_a_task_for_a_client_that_knows_tasks() {
    let repo = TestRepo::with(&[("x.py", "x = 1\n")]);
    let mut wire = Wire::open(&repo);
    let knows = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let fix =
        json!({ "name": "fix", "arguments": { "issues": [{ "title": "x" }], "reviewers": ["no-such-provider"] } });
    let hello = wire.ask("server/discover", json!({}), json!({}));
    assert!(hello["result"]["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"].is_object(), "{hello}");
    let plain = wire.ask("tools/call", fix.clone(), json!({}));
    assert_eq!(
        (&plain["result"]["isError"], &plain["result"]["resultType"]),
        (&json!(true), &json!("complete")),
        "{plain}"
    );
    let made = wire.ask("tools/call", fix, knows.clone())["result"].clone();
    assert_eq!((&made["resultType"], &made["ttlMs"]), (&json!("task"), &Value::Null), "{made}");
    let id = json!({ "taskId": made["taskId"] });
    let task = loop {
        let task = wire.ask("tasks/get", id.clone(), knows.clone())["result"].clone();
        if task["status"] != "working" {
            break task;
        }
    };
    assert_eq!((&task["status"], &task["result"]["isError"]), (&json!("completed"), &json!(true)), "{task}");
    assert_eq!(task["result"]["content"], plain["result"]["content"]);
    // It has ended: to cancel it changes nothing.
    assert_eq!(wire.ask("tasks/cancel", id.clone(), knows.clone())["error"], Value::Null);
    assert_eq!(wire.ask("tasks/get", id.clone(), knows.clone())["result"]["status"], "completed");
    assert_eq!(wire.ask("tasks/get", id, json!({}))["error"]["code"], -32_021, "a client that does not know tasks");
    assert!(wire.ask("tasks/get", json!({ "taskId": "x" }), knows)["error"].is_object());
    wire.close();
}

/// A task that has begun is ended, and so is the agent that it started; the session goes on.
#[test]
fn a_task_that_has_begun_can_be_cancelled() {
    let repo = TestRepo::with(&[("x.py", "x = 1\n")]);
    repo.write("x.py", "x = 2\n");
    let path = claude(repo.path(), &[]);
    let bin = repo.path().join("../bin");
    std::fs::write(bin.join("claude"), format!("#!/bin/sh\necho $$ > '{}/pid'\nexec sleep 600\n", bin.display()))
        .unwrap();
    let mut wire = Wire::open_with(&repo, &[("PATH", &path)]);
    let knows = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let review = json!({ "name": "review", "arguments": { "critics": ["critic-self"], "provider": "claude" } });
    let made = wire.ask("tools/call", review, knows.clone())["result"].clone();
    let id = json!({ "taskId": made["taskId"] });
    let agent = loop {
        let started = std::fs::read_to_string(bin.join("pid")).unwrap_or_default();
        if let Ok(pid) = started.trim().parse::<u32>() {
            break pid;
        }
        let task = wire.ask("tasks/get", id.clone(), knows.clone())["result"].clone();
        assert_eq!(task["status"], "working", "{task}");
    };
    assert_eq!(wire.ask("tasks/cancel", id.clone(), knows.clone())["error"], Value::Null);
    let task = loop {
        let task = wire.ask("tasks/get", id.clone(), knows.clone())["result"].clone();
        if task["status"] != "working" {
            break task;
        }
    };
    assert_eq!(task["status"], "cancelled", "{task}");
    // The next call is answered after the agent has gone.
    let read = wire.ask("tools/call", json!({ "name": "read_file", "arguments": { "path": "x.py" } }), knows);
    assert_eq!(read["result"]["isError"], false, "{read}");
    assert!(!std::path::Path::new(&format!("/proc/{agent}")).exists(), "the agent {agent} still runs");
    wire.close();
}
