//! `host run` with chains: whom it asks, what it makes of what they say, and what it may use up.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::cli::{Ran, host_with};
use crate::support::repo::TestRepo;
use crate::support::server::{Play, Server};

const PATCH: &str = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n";
const WHOLE: &str = "x.py\n````\ndef x():\n    return 3\n````\n";
const PROSE: &str = "I had a look at x.py and would return 2 there.";

/// A repository, and a home with settings and agents.
struct Place {
    repo: TestRepo,
    home: tempfile::TempDir,
}

impl Place {
    fn new(settings: &str) -> Place {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join("config/guardhost")).unwrap();
        std::fs::write(home.path().join("config/guardhost/config.toml"), settings).unwrap();
        std::fs::create_dir(home.path().join("bin")).unwrap();
        Place { repo: TestRepo::with(&[("x.py", "def x():\n    return 1\n")]), home }
    }

    fn bin(&self) -> PathBuf {
        self.home.path().join("bin")
    }

    /// A program on the PATH. Its prompts are left as `NAME.1`, `NAME.2`, …; `$n` is the number of the call.
    fn agent(&self, name: &str, script: &str) -> &Self {
        let script = format!(
            "#!/bin/sh\ncd '{}'\nn=$(($(cat {name}.calls 2>/dev/null || echo 0) + 1))\necho $n >{name}.calls\ncat >{name}.$n\n{script}\n",
            self.bin().display()
        );
        std::fs::write(self.bin().join(name), script).unwrap();
        std::fs::set_permissions(self.bin().join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn prompt(&self, name: &str, number: u32) -> String {
        std::fs::read_to_string(self.bin().join(format!("{name}.{number}"))).unwrap()
    }

    fn run(&self, more: &[&str]) -> Ran {
        let args = [&["run", "--task", "Let x return 2", "--file-hint", "x.py", "--format", "json"], more].concat();
        self.host(&args)
    }

    fn host(&self, args: &[&str]) -> Ran {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.bin().display());
        let config = self.home.path().join("config").display().to_string();
        host_with(
            self.repo.path(),
            args,
            b"",
            &[("PATH", &path), ("XDG_CONFIG_HOME", &config), ("SERVER_KEY", "sk-very-secret-0123")],
        )
    }
}

/// The agents' and events' names in a trace, in order: `asking first`, `provider-failed first overloaded`, `no-patch`, …
fn story(run: &Value) -> Vec<String> {
    let trace = std::fs::read_to_string(run["trace"].as_str().expect("a trace")).unwrap();
    let lines = trace.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = ["asking", "provider-failed", "no-patch", "extracted", "committed", "notice"];
    lines
        .filter(|line| told.contains(&line["event"].as_str().unwrap()))
        .map(|line| {
            let words = ["event", "provider", "prompt", "class", "format"].iter().filter_map(|key| line[*key].as_str());
            words.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

const CHAIN: &str = "command_chain = [\"command:first\", \"command:second\", \"command:third\"]\n";

#[test]
fn the_first_is_overloaded_the_second_writes_prose_the_thirds_patch_is_committed() {
    let place = Place::new(CHAIN);
    place.agent("first", "echo 'API Error: Repeated 529 Overloaded errors' >&2; exit 1");
    place.agent("second", &format!("echo '{PROSE}'"));
    place.agent("third", &format!("cat <<'END'\n{PATCH}END"));
    let before = (place.repo.snapshot(), place.repo.status());
    let record = place.home.path().join("record.jsonl");
    let run = place.run(&["--record", &record.display().to_string()]).expect(0).json();

    assert_eq!(run["outcome"], "committed");
    let commit = run["commit"].as_str().unwrap();
    assert!(place.repo.git(&["show", "--format=", commit]).contains("+    return 2"));
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()));
    assert_eq!(
        story(&run),
        [
            "asking first unified-diff/2",
            "provider-failed first overloaded",
            "asking second unified-diff/2",
            "no-patch",
            "asking second unified-diff/2",
            "no-patch",
            "asking second whole-files/2",
            "no-patch",
            "asking third unified-diff/2",
            "extracted third",
            "committed",
        ]
        .map(|line| line.replace("extracted third", "extracted unified-diff"))
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

    // The recording of the whole chain plays as one provider.
    let replay = format!("replay:{}", record.display());
    let again = place.run(&["--provider", &replay, "--rounds", "4"]).expect(0).json();
    assert_eq!(again["diff"], run["diff"]);
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
        (&json!("first"), &json!("whole-file"), &json!("whole-file"))
    );
    assert!(run["diff"].as_str().unwrap().contains("+    return 3"));
}

#[test]
fn the_repository_chooses_among_what_the_user_has_set_up() {
    let place = Place::new("command_chain = [\"command:first\"]\n[providers.mine]\ncommand = \"second\"\n");
    place.agent("first", "echo NO_CHANGES_NEEDED").agent("second", "echo NO_CHANGES_NEEDED");
    assert_eq!(place.run(&[]).expect(0).json()["rounds"][0]["provider"], "first");
    let chains = "command_chain = [\"command:touch stolen\", \"mine\"]\ncommand_chain_fast = [\"claude\"]";
    place.repo.write("guards.toml", &format!("schema = 1\n[providers]\n{chains}\n"));
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
    assert_eq!(run["notices"], json!(["mute does not tell what an answer cost, so --max-cost cannot hold"]));
    place.run(&["--provider", "it", "--max-cost", "0"]).expect(2);
    let grep = std::process::Command::new("grep")
        .args(["-r", "sk-very-secret"])
        .arg(place.repo.path().join(".git"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&grep.stdout), "");
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
