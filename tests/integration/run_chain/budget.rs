//! What a run may use up.

use std::process::Command;

use serde_json::{Value, json};

use super::PROSE;
use super::place::Place;
use crate::support::server::{Play, Server};

#[test]
fn a_run_over_its_budget_ends_with_what_was_reached() {
    let answer = json!({ "model": "m", "choices": [{ "message": { "content": PROSE }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 900, "completion_tokens": 100, "cost": 0.25 } });
    let server = Server::start(vec![Play::new(200, "application/json", &answer.to_string())]);
    let place = Place::new(&format!("[providers.it]\nbase_url = \"{}/v1\"\nkey_env = \"SERVER_KEY\"\n", server.url));
    place.agent("slow", "sleep 60").agent("mute", &format!("echo '{PROSE}'"));
    for (budget, rounds, says) in [
        (["--max-tokens", "1500"], 3, "2000 tokens are used, of 1500"),
        (["--max-cost", "0.20"], 2, "$0.2500 are spent, of $0.2"),
    ] {
        let run = place.run(&[&["--provider", "it"][..], &budget].concat()).expect(6).json();
        assert_eq!(
            (&run["outcome"], run["rounds"].as_array().unwrap().len()),
            (&json!("over-budget"), rounds),
            "{run}"
        );
        let notice = run["notices"][0].as_str().unwrap();
        assert!(notice.contains(says) && notice.contains(budget[0]), "{notice}");
        assert_eq!(run["spent"]["cost_usd"], json!(0.25 * (rounds - 1) as f64));
        assert_eq!(run["rounds"][0]["setback"]["code"], "prose", "what was reached is told");
    }
    let run = place.run(&["--provider", "command:slow", "--max-time", "1"]).expect(6).json();
    assert!(run["notices"][0].as_str().unwrap().contains("the run's 1 s are over"), "{run}");
    let run = place.run(&["--provider", "command:mute", "--max-cost", "1", "--rounds", "1"]).expect(7).json();
    assert_eq!(run["notices"], json!(["mute does not report its cost; --max-cost cannot be enforced"]));
    place.run(&["--provider", "it", "--max-cost", "0"]).expect(2);
    let grep =
        Command::new("grep").args(["-r", "sk-very-secret"]).arg(place.repo.path().join(".git")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&grep.stdout), "");
}

#[test]
fn what_is_used_up_is_shown_live_and_kept() {
    let answer = json!({ "model": "m", "choices": [{ "message": { "content": PROSE }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 900, "completion_tokens": 100, "cost": 0.25 } });
    let server = Server::start(vec![Play::new(200, "application/json", &answer.to_string())]);
    let place = Place::new(&format!("[providers.it]\nbase_url = \"{}/v1\"\n", server.url));
    let budget = ["--max-tokens", "5000", "--max-cost", "2", "--max-time", "600", "--rounds", "2"];
    let ran = place.run(&[&["--provider", "it"][..], &budget].concat()).expect(7);
    assert!(ran.stderr.contains("round 2/2: spent 2000 of 5000 tokens, $0.5000 of $2, "), "{}", ran.stderr);
    let run = ran.json();
    assert_eq!(run["budget"], json!({ "seconds": 600, "tokens": 5000, "cost_usd": 2.0 }));
    let log = place.host(&["log", run["run"].as_str().unwrap(), "--format", "json"]).expect(0).json();
    let end = &log["run"]["decisions"].as_array().unwrap()[1];
    assert_eq!(end["spent"], json!({ "input_tokens": 1800, "output_tokens": 200, "cost_usd": 0.5 }));
    let trace = std::fs::read_to_string(run["trace"].as_str().unwrap()).unwrap();
    let told: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.iter().filter(|line| line["event"] == "spent").count(), 2);
}

#[test]
fn a_patch_over_its_budget_has_its_own_error() {
    let answer = json!({ "choices": [{ "message": { "content": PROSE }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 900, "completion_tokens": 100 } });
    let server = Server::start(vec![Play::new(200, "application/json", &answer.to_string())]);
    let place = Place::new(&format!("[providers.it]\nbase_url = \"{}/v1\"\n", server.url));
    let what = ["patch", "--source", "x.py", "--target", "x.py", "--instruction", "Return 2", "--format", "json"];
    let patch = place.host(&[&what[..], &["--provider", "it", "--max-tokens", "500"]].concat()).expect(6).json();
    assert_eq!((&patch["outcome"], &patch["error"]["code"]), (&json!("over-budget"), &json!("over-budget")));
    assert!(patch["error"]["message"].as_str().unwrap().contains("1000 tokens are used, of 500"), "{patch}");
    assert_eq!(server.requests().len(), 1);
}
