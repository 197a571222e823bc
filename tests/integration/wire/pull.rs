//! `host pr`, with a forge on this machine. Its port has a placeholder.

use std::process::Stdio;

use serde_json::{Value, json};

use super::CODE;
use super::place::{Place, parsed};
use crate::support::forge::{JobState, Loopback, Pull, RunState, TOKEN};

const REPLY: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n```\n";

struct Forge {
    place: Place,
    forge: Loopback,
}

impl Forge {
    fn new() -> Self {
        let place = Place::new(&[("x.py", CODE), ("guards.toml", super::RULES)]);
        let forge = Loopback::start();
        place.repo.git(&["remote", "add", "origin", &forge.remote()]);
        place.repo.git(&["push", "--quiet", &forge.repository().display().to_string(), "HEAD:refs/heads/main"]);
        place.repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        Forge { place, forge }
    }

    /// Records the exit code and the JSON of a command.
    fn record(&self, name: &str, args: &[&str]) -> Value {
        let args = [args, &["--format", "json"]].concat();
        let mut command = self.place.command(&args);
        command.env("GITHUB_TOKEN", TOKEN).env("GUARDHOST_API", self.forge.api());
        let output = command.stdin(Stdio::null()).output().expect("it ends");
        let stdout = String::from_utf8(output.stdout).expect("UTF-8");
        let host = self.forge.api().trim_end_matches("/api/v3").to_owned();
        let report = parsed(&stdout.replace(&host, "http://forge"));
        self.place.keep(name, json!({ "command": args, "exit_code": output.status.code(), "report": report }));
        report
    }
}

fn build(conclusion: &'static str) -> RunState {
    let job = JobState { id: 70, name: "test".into(), conclusion: Some(conclusion), log: "it failed".into() };
    RunState {
        id: 7,
        workflow: 7,
        name: "ci".into(),
        sha: String::new(),
        status: "completed",
        conclusion: Some(conclusion),
        attempt: 1,
        jobs: vec![job],
        on_rerun: None,
    }
}

#[test]
fn a_pull_request_from_its_opening_to_its_builds() {
    let forge = Forge::new();
    let replies = json!({ "round": 1, "provider": "test", "model": "m-1", "reply": REPLY }).to_string();
    let replies = format!("replay:{}", forge.place.beside("replies.jsonl", replies));
    forge.place.host(&["run", "--task", "Let x return 2", "--provider", &replies, "--rounds", "1"], "").expect(0);
    forge.record("pr-status-none", &["pr", "status"]);
    forge.record("pr-open", &["pr", "open", "--label", "docs"]);
    forge.record("pr-open-again", &["pr", "open", "--label", "docs"]);
    forge.record("review-pr", &["review", "--pr", "1", "--voter", "command:false", "--post"]);
    forge.forge.state().planned = vec![build("success")];
    forge.record("pr-watch", &["pr", "watch", "--interval", "1"]);
    forge.record("pr-status", &["pr", "status"]);
    forge.forge.check();
}

#[test]
fn what_has_no_token_is_an_error() {
    let forge = Forge::new();
    let ran = forge.place.record("pr-no-token", &["pr", "queue", "--forge", "gitea"]);
    assert_eq!(ran.code, 2);
}

#[test]
fn two_that_do_not_go_together() {
    let forge = Forge::new();
    let bare = forge.forge.repository();
    for (number, text) in [(1, "def x():\n    return 3\n"), (2, "def x():\n    return 4\n"), (3, "def x(:\n")] {
        let stream = format!(
            "commit refs/heads/pr-{number}\ncommitter T <t@example.org> 0 +0000\ndata 6\nchange\nfrom refs/heads/main^0\nM 100644 inline x.py\ndata {}\n{text}\n",
            text.len()
        );
        crate::support::repo::git_in(&bare, &["fast-import", "--quiet", "--force"], stream.as_bytes());
        forge.forge.state().pulls.push(Pull {
            number,
            title: format!("Change {number}"),
            body: String::new(),
            is_open: true,
            is_merged: false,
            head: format!("pr-{number}"),
            base: "main".into(),
            draft: false,
            labels: Vec::new(),
            ..Pull::default()
        });
    }
    forge.record("pr-queue", &["pr", "queue"]);
    forge.forge.check();
}
