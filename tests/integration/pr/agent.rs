//! The tool `pr` of `host mcp`: there only for those whom it was given.

use std::io::{BufRead as _, BufReader, Write as _};

use serde_json::{Value, json};

use super::{GOOD, Place, X};
use crate::support::cli::command;
use crate::support::forge::TOKEN;

/// What a server answers to these calls of tools, after the names of its tools.
fn asked(place: &Place, args: &[&str], calls: &[(&str, Value)]) -> (Vec<String>, Vec<Value>) {
    let api = place.forge.api();
    let env = [("GITHUB_TOKEN", TOKEN), ("GUARDHOST_API", api.as_str())];
    let mut child = command(place.repo.path(), &[&["mcp"], args].concat(), &env).spawn().expect("it starts");
    let (mut stdin, mut stdout) =
        (child.stdin.take().expect("piped"), BufReader::new(child.stdout.take().expect("piped")));
    let mut ask = |method: &str, params: Value| -> Value {
        writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })).expect("sent");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("an answer");
        if method == "initialize" {
            writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).expect("sent");
        }
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    let client = json!({ "name": "t", "version": "0" });
    ask("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }));
    let tools = ask("tools/list", json!({}))["result"]["tools"].clone();
    let names = tools.as_array().expect("tools").iter().map(|tool| tool["name"].as_str().expect("a name").to_owned());
    let names = names.collect();
    let answers =
        calls.iter().map(|(tool, arguments)| ask("tools/call", json!({ "name": tool, "arguments": arguments })));
    let answers = answers.collect();
    drop(stdin);
    child.wait().expect("it ends");
    (names, answers)
}

/// The report in an answer.
fn report(answer: &Value) -> Value {
    serde_json::from_str(answer["result"]["content"][0]["text"].as_str().expect("a text")).expect("JSON")
}

#[test]
fn an_agent_opens_a_pull_request_only_where_it_was_allowed_to() {
    let place = Place::new(&[("x.py", X)]);
    place.run("Let x return 2", GOOD);
    let (names, answers) = asked(&place, &[], &[("pr", json!({ "action": "open" }))]);
    assert!(!names.contains(&"pr".to_owned()), "{names:?}");
    assert!(answers[0]["error"].to_string().contains("there is no tool `pr`"), "{answers:?}");
    assert!(place.forge.requests().is_empty());

    let open = json!({ "action": "open", "labels": ["by-agent"], "draft": true });
    let hostile = json!({ "action": "status", "run": "--api=http://127.0.0.1:1/api/v3" });
    let calls =
        [("pr", json!({ "action": "status" })), ("pr", open), ("pr", json!({ "action": "status" })), ("pr", hostile)];
    let (names, answers) = asked(&place, &["--pr"], &calls);
    assert!(names.contains(&"pr".to_owned()), "{names:?}");
    assert_eq!(report(&answers[0])["pull"], Value::Null);
    assert_eq!(report(&answers[1])["pull"]["action"], "made", "{answers:?}");
    assert_eq!(
        (&report(&answers[2])["pull"]["number"], &report(&answers[2])["pull"]["draft"]),
        (&json!(1), &json!(true))
    );
    // What looks like an option is the name of a run, and of none.
    assert_eq!(answers[3]["result"]["isError"], true, "{answers:?}");
    assert_eq!(place.forge.state().pulls[0].labels, ["guardhost", "by-agent"]);
    place.forge.check();
}
