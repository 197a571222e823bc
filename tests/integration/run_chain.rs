//! `host run` with chains: whom it asks, what it makes of what they say, and what it may use up.

mod budget;
mod hidden;
mod llamacpp;
mod network;
mod orphans;
mod place;
mod probe;
mod replay;
mod stop;
mod untouched;

use serde_json::{Value, json};

use crate::support::server::{Play, Server};
use place::{Place, story};

const PATCH: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n";
const WHOLE: &str = "x.py\n````\ndef x():\n    return 3\n````\n";
const PROSE: &str = "I had a look at x.py and would return 2 there.";

const CHAIN: &str = "command_chain = [\"command:first\", \"command:second\", \"command:third\"]\n";

#[test]
fn the_first_is_overloaded_the_second_writes_prose_the_thirds_patch_is_committed() {
    let place = Place::new(CHAIN);
    place.agent("first", "echo 'API Error: Repeated 529 Overloaded errors' >&2; exit 1");
    place.agent("second", &format!("echo '{PROSE}'"));
    place.agent("third", &format!("cat <<'END'\n{PATCH}END"));
    let before = (place.repo.snapshot(), place.repo.status());
    let run = place.run(&[]).expect(0).json();

    assert_eq!(run["outcome"], "committed");
    let commit = run["commit"].as_str().unwrap();
    assert!(place.repo.git(&["show", "--format=", commit]).contains("+    return 2"));
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()));
    assert_eq!(
        story(&run),
        [
            "asking first unified-diff/3",
            "provider-failed first overloaded",
            "asking second unified-diff/3",
            "no-patch",
            "asking second unified-diff/3",
            "no-patch",
            "asking second whole-files/3",
            "no-patch",
            "provider-failed second unreadable",
            "asking third unified-diff/3",
            "extracted third",
            "committed",
        ]
        .map(|line| line.replace("extracted third", "extracted unified_diff"))
    );
    let setbacks: Vec<_> =
        run["rounds"].as_array().unwrap().iter().map(|round| round["setback"]["code"].clone()).collect();
    assert_eq!(setbacks, [json!("prose"), json!("prose"), json!("prose"), Value::Null]);
    assert!(
        !place.prompt("second", 1).contains("was not accepted")
            && place.prompt("second", 2).contains("was not accepted")
    );
    assert!(place.prompt("second", 3).contains("complete new content of every file"), "{}", place.prompt("second", 3));
    assert!(
        !place.prompt("third", 1).contains("was not accepted"),
        "what the second wrote is not the third's business"
    );
}

#[test]
fn whole_files_are_taken_from_whom_diffs_are_too_hard() {
    let place = Place::new(CHAIN);
    place.agent(
        "first",
        &format!("if grep -q 'complete new content' first.$n; then printf '%s' '{WHOLE}'; else echo '{PROSE}'; fi"),
    );
    let run = place.run(&[]).expect(0).json();
    let last = &run["rounds"][2];
    assert_eq!(
        (&last["provider"], &last["format"], &last["strategy"]),
        (&json!("first"), &json!("whole_file"), &json!("whole-file"))
    );
    assert!(run["diff"].as_str().unwrap().contains("+    return 3"));
}

#[test]
fn the_repository_chooses_among_what_the_user_has_set_up() {
    let place = Place::new("command_chain = [\"command:first\"]\n[providers.mine]\ncommand = \"second\"\n");
    place.agent("first", "echo NO_CHANGES_NEEDED").agent("second", "echo NO_CHANGES_NEEDED");
    assert_eq!(place.run(&[]).expect(0).json()["rounds"][0]["provider"], "first");
    let chains = "command_chain = [\"command:touch stolen\", \"mine\"]\ncommand_chain_fast = [\"claude\"]";
    place.repo.write("guards.toml", format!("schema = 1\n[providers]\n{chains}\n"));
    assert_eq!(place.run(&[]).expect(0).json()["rounds"][0]["provider"], "first", "what is not committed says nothing");
    place.repo.commit("rules");
    let run = place.run(&[]).expect(0).json();
    assert_eq!(run["rounds"][0]["provider"], "mine");
    assert!(run["notices"][0].as_str().unwrap().contains("`command:touch stolen`"), "{run}");
    let fast = place.run(&["--hint", "fast"]).expect(0).json();
    assert_eq!(fast["rounds"][0]["provider"], "mine", "there is no claude in the user's settings");
    assert_eq!(place.run(&["--provider", "command:first"]).expect(0).json()["rounds"][0]["provider"], "first");
}

#[test]
fn providers_are_listed_and_tested() {
    let body = json!({ "model": "tiny", "choices": [{ "message": { "content": "NO_CHANGES_NEEDED" }, "finish_reason": "stop" }] });
    let server = Server::start(vec![
        Play::new(200, "application/json", &body.to_string()),
        Play::new(200, "application/json", &body.to_string().replace("NO_CHANGES_NEEDED", "Sure, nothing to do!")),
        Play::new(503, "application/json", r#"{"error":"server busy"}"#),
    ]);
    let place = Place::new(&format!(
        "command_chain_fast = [\"it:small\", \"mine\"]\n[providers.it]\nbase_url = \"{}/v1\"\nkey_env = \"SERVER_KEY\"\n[providers.mine]\ncommand = \"mine\"\n",
        server.url
    ));
    let checks = |args: &[&str]| place.host(&[args, &["--format", "json"]].concat()).expect(0).json()["checks"].clone();
    let listed = checks(&["provider", "list"]);
    let row = |name: &str| {
        listed.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert_eq!(row("it")["detail"], format!("{}/v1, key in SERVER_KEY", server.url));
    assert_eq!(row("mine")["detail"], "there is no program `mine` on the PATH");
    assert_eq!(row("openai")["detail"], "https://api.openai.com/v1, but OPENAI_API_KEY is not set");
    assert_eq!(row("command_chain_fast")["detail"], "it:small, mine");

    let good = &checks(&["provider", "test", "it"])[0];
    assert_eq!(good["ok"], "pass", "{good}");
    assert!(good["detail"].as_str().unwrap().ends_with(", model tiny"), "{good}");
    assert_eq!(checks(&["provider", "test", "it"])[0]["ok"], "warn");
    let busy = place.host(&["provider", "test", "it"]).expect(6);
    assert!(
        busy.stderr.contains("no answer from it (overloaded)") && busy.stderr.contains("server busy"),
        "{}",
        busy.stderr
    );
    assert!(!format!("{busy:?}{listed}").contains("sk-very-secret"));
}

#[test]
fn the_hint_of_a_patch_picks_its_chain() {
    let place = Place::new("command_chain_fast = [\"command:hare\"]\ncommand_chain_quality = [\"command:tortoise\"]\n");
    place.agent("hare", &format!("cat <<'END'\n{PATCH}END")).agent("tortoise", &format!("cat <<'END'\n{WHOLE}END"));
    let patch = |hint: &str| {
        let what = ["patch", "--source", "x.py", "--target", "x.py", "--instruction", "Return 2", "--format", "json"];
        place.host(&[&what[..], &["--hint", hint]].concat()).expect(0)
    };
    patch("quality");
    assert!(place.repo.git(&["show", ":x.py"]).contains("return 3"));
    assert!(place.prompt("tortoise", 1).contains("TASK COMPLEXITY: QUALITY"));
    place.repo.git(&["reset", "-q", "--hard"]);
    patch("fast");
    assert!(place.repo.git(&["show", ":x.py"]).contains("return 2"));
    assert!(place.prompt("hare", 1).contains("TASK COMPLEXITY: FAST"));
}

#[test]
fn with_a_single_round_each_provider_has_one_try() {
    let place = Place::new(CHAIN);
    for name in ["first", "second"] {
        place.agent(name, &format!("echo '{PROSE}'"));
    }
    place.agent("third", &format!("cat <<'END'\n{PATCH}END"));
    let run = place.run(&["--rounds", "1"]).expect(0).json();
    let asked: Vec<_> = run["rounds"].as_array().unwrap().iter().map(|round| &round["provider"]).collect();
    assert_eq!(asked, ["first", "second", "third"]);
}
