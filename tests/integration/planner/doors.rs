//! The same layers for the same plan: from a model, from a file, resumed.

use std::fs;

use serde_json::{Value, json};

use super::projects::PROJECTS;
use crate::support::cli::host;
use crate::support::repo::TestRepo;

/// One step for each layer, and one that stays.
fn plan() -> Value {
    let step =
        |title: &str, action: &str, hint: &str| json!({ "title": title, "action": action, "file_hints": [hint] });
    json!({ "tasks": [
        { "title": "first", "subtasks": [
            step("Mend the invented", "modify", "tally/count.py"),
            step("Mend the test", "modify", "tests/test_count.py"),
            step("Polish", "modify", "README.md"),
        ] },
        { "title": "second", "subtasks": [step("Show more", "modify", "src/tally/show.py")] },
    ] })
}

/// The JSON of an audit in which a test fails.
fn audit() -> Value {
    let point = json!({ "rule": "test-fails", "earned": 0.0, "of": 0.0, "path": "tests/test_count.py", "line": null,
        "message": "tests/test_count.py::test_count", "help": "E   assert 2 == 1" });
    json!({ "schema_version": 1, "tree": "x", "overall": 0.1, "metrics": [
        { "id": "test_results", "score": 0.0, "status": "fail", "reason": null, "weight": 4.0, "points": [point] } ] })
}

/// What the tool `plan` of one server answers to each of the calls.
#[cfg(feature = "mcp")]
pub fn called(dir: &std::path::Path, calls: &[Value]) -> Vec<Value> {
    let request = |id: usize, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let client =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" } });
    let mut messages =
        vec![request(1, "initialize", client), json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })];
    let call = |(id, arguments): (usize, &Value)| {
        request(id + 2, "tools/call", json!({ "name": "plan", "arguments": arguments }))
    };
    messages.extend(calls.iter().enumerate().map(call));
    let messages: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let told = crate::support::cli::host_with(dir, &["mcp"], messages.as_bytes(), &[]).expect(0).stdout;
    let answers: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered = |id: usize| answers.iter().find(|answer| answer["id"] == id).expect("an answer");
    (0..calls.len()).map(|call| answered(call + 2)["result"].clone()).collect()
}

#[test]
fn every_door_does_the_same() {
    let repo = TestRepo::with(PROJECTS[0].files);
    let beside = |name: &str, text: &str| fs::write(repo.path().join("..").join(name), text).unwrap();
    beside("plan.json", &plan().to_string());
    beside("audit.json", &audit().to_string());
    let reply =
        |round: u32| json!({ "round": round, "provider": "planner", "reply": plan().to_string() }).to_string() + "\n";
    beside("replies.jsonl", &(reply(1) + &reply(2)));
    // The steps' own provider finds nothing to change in the first run, and does not answer at all.
    beside("agent.sh", "cat > /dev/null\nexit 1\n");
    let json =
        |args: &[&str], code: i32| host(repo.path(), &[args, &["--format", "json"]].concat()).expect(code).json();
    let made = json(&["plan", "--from-audit", "../audit.json", "--provider", "replay:../replies.jsonl"], 0);
    let names: Vec<&str> =
        made["layers"].as_array().unwrap().iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ground", "tests-to-sources", "readme-only"]);
    assert_eq!(made["layers"][1]["rewritten"][0]["after"], json!(["src/tally/count.py"]));

    let agent = ["--provider", "command:sh ../agent.sh", "--rounds", "1"];
    let file = json(&[&["run", "--plan", "../plan.json", "--from-audit", "../audit.json"], &agent[..]].concat(), 6);
    let text = |report: &Value| report["layers"].to_string();
    assert_eq!(text(&file), text(&made));
    let outcomes: Vec<&str> =
        file["steps"].as_array().unwrap().iter().map(|step| step["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["dropped", "provider", "dropped", "provider"]);
    let resumed = json(&[&["run", "--resume", file["plan"].as_str().unwrap()], &agent[..]].concat(), 6);
    assert_eq!(text(&resumed), text(&made));

    // An agent over MCP, with the report and without: as a file.
    #[cfg(feature = "mcp")]
    {
        let mut with_audit = plan();
        with_audit["audit"] = json!({ "metrics": audit()["metrics"] });
        let answers = called(repo.path(), &[plan(), with_audit]);
        let (answer, audited) = (&answers[0], &answers[1]);
        assert_eq!(text(&audited["structuredContent"]), text(&made), "{audited:#}");
        assert_eq!(audited["structuredContent"]["tasks"], made["tasks"], "{audited:#}");
        let bare = json(&[&["run", "--plan", "../plan.json"], &agent[..]].concat(), 6);
        assert_eq!(text(&answer["structuredContent"]), text(&bare), "{answer:#}");
    }

    // What a scope is not about counts at no door, so that nobody is sent to fix the test.
    let docs = ["--from-audit", "../audit.json", "--scope", "docs"];
    let made = json(&[&["plan", "--provider", "replay:../replies.jsonl"], &docs[..]].concat(), 0);
    let names: Vec<&str> =
        made["layers"].as_array().unwrap().iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ground", "scope"]);
    let file = json(&[&["run", "--plan", "../plan.json"], &docs[..], &agent[..]].concat(), 6);
    assert_eq!(text(&file), text(&made));

    // The scope of the environment holds for files too.
    let variables = [("GUARDHOST_SCOPE", "docs")];
    let args = ["run", "--plan", "../plan.json", "--provider", "command:sh ../agent.sh", "--format", "json"];
    let scoped = crate::support::cli::host_with(repo.path(), &args, b"", &variables).expect(6).json();
    let dropped: Vec<&str> =
        scoped["layers"].as_array().unwrap().iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(dropped, ["ground", "scope"]);
}
