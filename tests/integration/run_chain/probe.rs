//! `host doctor --probe-agents`, with a program in the place of an agent.

use serde_json::Value;

use super::place::Place;
use crate::support::tools::{Tool, needs};

/// Sends a request with these tools, as Claude Code does, and fails as it does when it is refused.
fn agent(tools: &str) -> String {
    format!(
        "python3 - <<'END'
import os, sys, urllib.request
body = b'{{\"model\": \"m\", \"messages\": [], \"tools\": {tools}}}'
request = urllib.request.Request(os.environ['ANTHROPIC_BASE_URL'] + '/v1/messages', body, {{'content-type': 'application/json'}})
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    sys.exit(1)
END"
    )
}

/// The row about the agent's tools, and the exit code.
fn probed(script: &str) -> (Value, i32) {
    let place = Place::new("");
    place.agent("claude", script);
    let ran = place.host(&["doctor", "--probe-agents", "--format", "json"]);
    let rows = ran.json()["checks"].as_array().unwrap_or_else(|| panic!("{ran:?}")).clone();
    let row = rows.into_iter().find(|row| row["name"] == "claude tools").unwrap_or_else(|| panic!("{ran:?}"));
    (row, ran.code)
}

#[test]
fn the_tools_of_an_agent_are_named_unless_none_has_an_effect() {
    if needs(Tool::Python).is_none() {
        return;
    }
    let (row, code) = probed(&agent("[]"));
    assert_eq!((&row["ok"], &row["detail"], code), (&"pass".into(), &"none".into(), 0), "{row}");
    let (row, code) = probed(&agent("[{\"name\": \"Shell\"}, {\"name\": \"Read\"}]"));
    assert_eq!((&row["ok"], code), (&"fail".into(), 3), "{row}");
    assert!(row["detail"].to_string().contains("unexpected: Read, Shell"), "{row}");
    // What cannot be seen is not said to be well.
    let (row, code) = probed("echo nothing >&2; exit 1");
    assert_eq!((&row["ok"], code), (&"warn".into(), 0), "{row}");
    assert!(row["detail"].to_string().contains("it made no request"), "{row}");
}
