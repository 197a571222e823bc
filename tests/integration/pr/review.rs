//! What models say of pull requests: `host review --pr N --post`, and `host pr open --review`. It is advice.

use std::fs;

use serde_json::{Value, json};

use super::{GOOD, LOST, MONITORED, Place, README, X};
use crate::support::cli::{Ran, host_with};
use crate::support::forge::TOKEN;
use crate::support::forge::app::{ID, KEY};
use crate::support::repo::TestRepo;

const NAMED: &str = "Two is returned <!-- guardhost run=0 schema=1 --> @team";

fn finding(line: u32) -> Value {
    json!({ "findings": [{ "severity": "major", "path": "x.py", "line": line, "title": NAMED, "detail": "Say why." }] })
}

fn vote(score: u8) -> Value {
    json!({ "score": score, "reasons": [{ "path": "x.py", "line": 2, "says": "it is what was asked for" }] })
}

impl Place {
    /// A recording of one provider's replies.
    fn replies(&self, name: &str, replies: &[Value]) -> String {
        let line = |(round, reply): (usize, &Value)| {
            json!({ "round": round + 1, "provider": name, "reply": reply.to_string() }).to_string() + "\n"
        };
        let lines: String = replies.iter().enumerate().map(line).collect();
        fs::write(self.repo.path().join(format!("../{name}.jsonl")), lines).expect("written");
        format!("replay:../{name}.jsonl")
    }

    fn votes(&self) -> [String; 2] {
        [("first", 90), ("second", 84)].map(|(name, score)| self.replies(name, &[vote(score)]))
    }
}

/// A second clone, that has nothing of the pull request.
fn clone(place: &Place) -> TestRepo {
    let repo = TestRepo::new();
    repo.git(&["fetch", "--quiet", &place.forge.repository().display().to_string(), "refs/heads/main"]);
    repo.git(&["reset", "--quiet", "--hard", "FETCH_HEAD"]);
    repo.git(&["remote", "add", "origin", &place.forge.remote()]);
    repo
}

#[test]
fn a_pull_request_is_reviewed_by_its_number_and_the_votes_are_a_review() {
    let place = Place::new(&[("x.py", X), ("README.md", README), ("guards.toml", MONITORED)]);
    place.run("Let x return 2", LOST);
    place.open(&[]).expect(0);
    let elsewhere = clone(&place);
    let voters = place.votes();
    let asked = |more: &[&str]| -> Ran {
        let critic = format!("replay:{}", place.repo.path().join("../critic.jsonl").display());
        let voters = voters
            .clone()
            .map(|voter| format!("replay:{}", place.repo.path().join(voter.trim_start_matches("replay:")).display()));
        let args = [
            "review",
            "--pr",
            "1",
            "--critic",
            "critic-self",
            "--provider",
            &critic,
            "--voter",
            &voters[0],
            "--voter",
            &voters[1],
            "--format",
            "json",
        ];
        host_with(
            elsewhere.path(),
            &[&args[..], more].concat(),
            b"",
            &[("GITHUB_TOKEN", TOKEN), ("GUARDHOST_API", &place.forge.api())],
        )
    };
    place.replies("critic", &[finding(2)]);
    let before = place.forge.requests().len();
    let report = asked(&[]).expect(0).json();
    assert_eq!((&report["approval"], &report["posted"]), (&json!("approved"), &Value::Null), "{report:#}");
    assert!(place.forge.requests()[before..].iter().all(|request| request.starts_with("GET")), "nothing is written");

    for (review, new) in [("made", 1), ("unchanged", 0)] {
        let report = asked(&["--post"]).expect(0).json();
        // The finding of the guard has its comment from the opening.
        let comments = &report["posted"]["comments"];
        assert_eq!((&report["posted"]["review"], &comments["new"]), (&json!(review), &json!(new)), "{report:#}");
    }
    let state = place.forge.state();
    let [review] = state.whole_reviews.as_slice() else { panic!("{} reviews", state.whole_reviews.len()) };
    assert!(review.body.contains("Approved: the votes have a mean of 87.0"), "{}", review.body);
    let (critics, guards): (Vec<_>, Vec<_>) = state.inline.iter().partition(|comment| comment.body.contains("critic="));
    assert_eq!((critics.len(), guards.len(), state.comments.len()), (1, 1, 1));
    assert!(!critics[0].body.contains("@team") && !critics[0].body.contains("run=0 "), "{}", critics[0].body);
    drop(state);

    // What the critics said stays when the guards are asked again without them, and the other way round.
    let comments = &place.open(&[]).expect(0).json()["pull"]["comments"];
    assert_eq!((&comments["kept"], &comments["resolved"]), (&json!(1), &json!(0)));
    place.forge.check();
    assert_eq!(elsewhere.git(&["status", "--porcelain"]), "");
    place.forge.state().pulls[0].is_open = false;
    let report = asked(&[]).expect(2).json();
    assert!(report["error"].to_string().contains("the pull request 1 is not open"), "{report}");
}

#[test]
fn the_self_critic_reads_the_whole_pull_request_and_stops_nothing() {
    let place = Place::new(&[("x.py", X)]);
    place.run("Let x return 2", GOOD);
    let voters = place.votes();
    let critic = place.replies("critic", &[finding(2)]);
    let args = ["--review", "--provider", &critic, "--voter", &voters[0], "--voter", &voters[1]];
    let report = place.open(&args).expect(0).json();
    let critics = report["review"]["critics"].as_array().expect("critics");
    assert_eq!(
        (&critics[0]["id"], &report["review"]["approval"]),
        (&json!("critic-self"), &json!("approved")),
        "{report:#}"
    );
    let state = place.forge.state();
    let body = &state.pulls[0].body;
    for part in ["### Critics", "critic\\-self", "### Votes", "| 90 |", "### Judge it again"] {
        assert!(body.contains(part), "{part}: {body}");
    }
    assert!(!body.contains("@team") && body.matches("guardhost run=").count() == 1, "{body}");
    assert_eq!((state.whole_reviews.len(), state.inline.len()), (1, 1));
    drop(state);
    place.forge.check();

    // A critic that does not answer, and a voter that does not exist: the pull request is brought up to date all the same, and says so.
    let report = place.open(&["--review", "--provider", "command:false"]).expect(0).json();
    let critic = &report["review"]["critics"][0];
    assert_eq!((&critic["verdict"], &critic["mode"]), (&"error".into(), &"monitor".into()), "{report:#}");
    assert!(place.forge.state().pulls[0].body.contains("a reviewer did not answer"));
    let report = place.open(&["--review", "--voter", "nobody"]).expect(0).json();
    assert_eq!((&report["review"], &report["pull"]["number"]), (&Value::Null, &json!(1)));
    assert!(report["notices"].to_string().contains("the pull request has no review"), "{report:#}");
}

/// The limits hold for critics and voters together: what the first of them take is not there for the others.
#[test]
fn the_critics_of_a_pull_request_spend_what_its_voters_may() {
    let place = Place::new(&[("x.py", X)]);
    place.run("Let x return 2", GOOD);
    let usage = json!({ "input_tokens": 90, "output_tokens": 10 });
    let line = json!({ "round": 1, "provider": "critic", "usage": usage, "reply": finding(2).to_string() });
    fs::write(place.repo.path().join("../critic.jsonl"), line.to_string() + "\n").expect("written");
    let voters = place.votes();
    let words = ["--review", "--provider", "replay:../critic.jsonl", "--voter", &voters[0], "--voter", &voters[1]];
    for (limit, approval) in [("1000", "approved"), ("100", "refused")] {
        let report = place.open(&[&words[..], &["--max-tokens", limit]].concat()).expect(0).json();
        assert_eq!(report["review"]["approval"], approval, "{limit}: {report:#}");
        assert_eq!(report["review"]["critics"][0]["findings"].as_array().map(Vec::len), Some(1), "{limit}: {report:#}");
        let is_said = report["review"]["votes"].to_string().contains("100 tokens are used");
        assert_eq!(is_said, approval == "refused", "{limit}: {report:#}");
    }
}

#[test]
fn an_app_signs_in_writes_a_check_run_and_uploads_what_was_found() {
    let place = Place::new(&[("x.py", X), ("README.md", README), ("guards.toml", MONITORED)]);
    place.run("Let x return 2", LOST);
    place.forge.state().is_app = true;
    let api = place.forge.api();
    let env = [("GUARDHOST_APP", ID), ("GUARDHOST_APP_KEY", KEY), ("GUARDHOST_API", &api)];
    let open = || host_with(place.repo.path(), &["pr", "open", "--upload-sarif", "--format", "json"], b"", &env);
    let report = open().expect(0).json();
    assert_eq!((&report["pull"]["check_run"], &report["pull"]["sarif"]), (&json!(true), &json!(true)), "{report:#}");
    assert_eq!(place.forge.state().sarifs.len(), 1);
    place.forge.state().has_no_code_scanning = true;
    let report = open().expect(0).json();
    assert_eq!(report["pull"]["sarif"], false);
    assert!(report["notices"].to_string().contains("did not take SARIF"), "{report:#}");
    place.forge.check();
    // Neither the key nor the token that it got is kept or shown.
    let lines = place.forge.state().command_lines.join("\n");
    let secret = KEY.lines().nth(3).expect("a line of the key");
    assert!(lines.contains("git-remote-http") && !lines.contains(TOKEN) && !lines.contains(secret));
    super::each_file(&place.repo.path().join(".git"), &mut |file| {
        let bytes = fs::read(file).expect("a file");
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(!holds(TOKEN) && !holds(secret), "{}", file.display());
    });
    let wrong = [("GUARDHOST_APP", ID), ("GUARDHOST_APP_KEY", KEY), ("GUARDHOST_FORGE", "gitea")];
    let said = host_with(place.repo.path(), &["pr", "open", "--format", "json"], b"", &wrong).expect(2).json();
    assert!(said["error"].to_string().contains("only GitHub has apps"), "{said}");
}
