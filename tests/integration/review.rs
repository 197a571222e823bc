//! `host review`: critics that advise, votes that are sealed and bound to lines, and what is shown to no model.

mod unseen;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

/// A repository with a staged change, and recordings beside it.
struct Place {
    repo: TestRepo,
}

const BEFORE: &str = "def save(path, data):\n    with open(path, \"w\") as file:\n        file.write(data)\n";
const AFTER: &str = "def save(path, data):\n    file = open(path, \"w\")\n    file.write(data)\n";

impl Place {
    fn new() -> Self {
        let repo = TestRepo::with(&[("store.py", BEFORE)]);
        repo.write("store.py", AFTER);
        repo.git(&["add", "-A"]);
        Place { repo }
    }

    /// A recording of one provider's replies.
    fn replies(&self, name: &str, replies: &[Value]) -> String {
        let line = |(round, reply): (usize, &Value)| {
            let reply = reply.as_str().map_or_else(|| reply.to_string(), str::to_owned);
            json!({ "round": round + 1, "provider": name, "reply": reply }).to_string() + "\n"
        };
        let file = format!("../{name}.jsonl");
        let lines: String = replies.iter().enumerate().map(line).collect();
        fs::write(self.repo.path().join(&file), lines).unwrap();
        format!("replay:{file}")
    }

    fn review(&self, more: &[&str]) -> Ran {
        host(self.repo.path(), &[&["review", "--staged", "--format", "json"], more].concat())
    }

    fn votes(&self, votes: &[(&str, &[Value])]) -> Ran {
        let voters: Vec<String> = votes.iter().map(|(name, replies)| self.replies(name, replies)).collect();
        let args: Vec<&str> = voters.iter().flat_map(|voter| ["--voter", voter]).collect();
        self.review(&args)
    }

    fn traced(&self, run: &Value) -> String {
        fs::read_to_string(self.kept(run, "trace.jsonl")).unwrap()
    }

    fn kept(&self, run: &Value, name: &str) -> PathBuf {
        self.repo.path().join(".git/guardhost/runs").join(run.as_str().unwrap()).join(name)
    }
}

fn found(findings: Value) -> Value {
    json!({ "findings": findings })
}

fn finding(line: u32) -> Value {
    json!({ "severity": "major", "path": "store.py", "line": line, "title": "The file is not closed", "detail": "Keep the with statement." })
}

fn vote(score: u8, line: u32) -> Value {
    json!({ "score": score, "reasons": [{ "path": "store.py", "line": line, "says": "it is shorter" }] })
}

#[test]
fn critics_advise_and_are_judged_again_from_the_record() {
    let place = Place::new();
    // The second answer is fixed; the third is asked for again.
    let replies = [
        found(json!([finding(2), finding(99)])),
        json!("Nothing to say:\n```json\n{\"findings\": [],}\n```\n"),
        json!("I cannot."),
        found(json!([])),
    ];
    let provider = place.replies("critic", &replies);
    let before = (place.repo.snapshot(), place.repo.status());
    let reviewed = place.review(&["--provider", &provider]).expect(0).json();
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()));
    let critic = &reviewed["critics"][0];
    assert_eq!(
        (&critic["id"], &critic["mode"], &critic["verdict"]),
        (&json!("critic-panel"), &json!("monitor"), &json!("reject"))
    );
    let findings = critic["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!((&findings[0]["path"], &findings[0]["line"]), (&json!("store.py"), &json!(2)));
    assert_eq!(reviewed["approval"], "not-asked");

    let answers = place.kept(&reviewed["run"], "answers.jsonl");
    let text = fs::read_to_string(&answers).unwrap();
    assert_eq!(text.lines().count(), 3);
    let again = place.review(&["--answers", answers.to_str().unwrap()]).expect(0).json();
    let without_times = |review: &Value| {
        let mut critics = review["critics"].clone();
        critics.as_array_mut().unwrap().iter_mut().for_each(|critic| critic["micros"] = json!(0));
        critics.to_string()
    };
    assert_eq!(without_times(&again), without_times(&reviewed));

    let log = host(place.repo.path(), &["log", "--format", "json"]).expect(0).json();
    assert_eq!(
        (&log["runs"][0]["command"], &log["runs"][0]["outcome"]),
        (&json!("review"), &json!("no-change")),
        "{log:#}"
    );

    // A flipped letter is another question, and the record has no answer to it.
    fs::write(&answers, text.replacen("\"key\":\"", "\"key\":\"0", 1)).unwrap();
    let flipped = place.review(&["--answers", answers.to_str().unwrap()]).expect(0).json();
    assert!(flipped["critics"][0]["findings"].to_string().contains("no answer to this question"), "{flipped:#}");
}

#[test]
fn a_critic_may_ask_a_provider_of_its_own() {
    let place = Place::new();
    let mut objection = finding(2);
    objection["axiom"] = json!("success");
    let panel = place.replies("panel", &[found(json!([])), found(json!([])), found(json!([]))]);
    let devil = format!("critic-devil={}", place.replies("devil", &[found(json!([objection]))]));
    let words = ["--provider", &panel, "--critic", "critic-panel", "--critic", &devil];
    let reviewed = place.review(&words).expect(0).json();
    let said: Vec<_> =
        reviewed["critics"].as_array().unwrap().iter().map(|critic| (&critic["id"], &critic["verdict"])).collect();
    assert_eq!(said, [(&json!("critic-panel"), &json!("pass")), (&json!("critic-devil"), &json!("reject"))]);
    // Both are in one record, from which they are judged again.
    let answers = place.kept(&reviewed["run"], "answers.jsonl");
    assert_eq!(fs::read_to_string(&answers).unwrap().lines().count(), 4);
    let again = ["--answers", answers.to_str().unwrap(), "--critic", "critic-panel", "--critic", "critic-devil"];
    let again = place.review(&again).expect(0).json();
    assert_eq!(again["critics"][1]["findings"], reviewed["critics"][1]["findings"]);
    // Alone it needs no provider beside its own.
    let alone = place.review(&["--critic", &devil]).expect(0).json();
    assert_eq!(alone["critics"][0]["verdict"], "reject", "{alone:#}");
}

#[test]
fn votes_approve_only_together_and_with_evidence() {
    let place = Place::new();
    type Case<'c> = (&'c [(&'c str, &'c [Value])], i32, &'c str, &'c str);
    let void = [json!("I would say 90."), json!("Ninety!")];
    let cases: [Case; 7] = [
        (&[("one", &[vote(85, 2)]), ("two", &[vote(78, 3)])], 0, "approved", ""),
        (&[("one", &[vote(95, 2)]), ("two", &[vote(40, 3)])], 1, "refused", "too far apart"),
        (&[("one", &[vote(85, 2)]), ("two", &[vote(70, 3)])], 1, "refused", "the mean is 77.5"),
        (&[("one", &[vote(95, 2)]), ("two", &void)], 1, "refused", "two.jsonl gave no vote that can be read"),
        (&[("one", &[vote(95, 2)]), ("two", &[vote(95, 77)])], 1, "refused", "two.jsonl cites no line"),
        (&[("one", &[vote(101, 2), vote(101, 2)]), ("two", &[vote(95, 2)])], 1, "refused", "no vote that can be read"),
        (&[("one", &[vote(100, 2)])], 0, "not-asked", "needs 2 voters"),
    ];
    for (voters, code, approval, why) in cases {
        let reviewed = place.votes(voters).expect(code).json();
        assert_eq!(reviewed["approval"], approval, "{reviewed:#}");
        assert!(reviewed["why"].as_str().unwrap_or_default().contains(why), "{why}: {reviewed:#}");
    }
}

#[test]
fn a_vote_is_sealed_before_the_next_is_asked() {
    let place = Place::new();
    // The second voter has no recording: what was sealed before stands.
    let first = place.replies("first", &[vote(90, 2)]);
    let reviewed = place.review(&["--voter", &first, "--voter", "replay:../missing.jsonl"]).expect(1).json();
    let seals = fs::read_to_string(place.kept(&reviewed["run"], "seals.jsonl")).unwrap();
    let seal: Value = serde_json::from_str(seals.lines().next().unwrap()).unwrap();
    assert_eq!((seals.lines().count(), &seal["seal"]), (1, &reviewed["votes"][0]["seal"]));
    assert_eq!(reviewed["approval"], "refused");
}

#[test]
fn guards_decide_first_and_credentials_are_shown_to_no_model() {
    let place = Place::new();
    let provider = place.replies("critic", &[found(json!([])), found(json!([])), found(json!([]))]);
    place.repo.write("broken.py", "def f(:\n");
    place.repo.git(&["add", "-A"]);
    let rejected = place.review(&["--provider", &provider]).expect(1).json();
    assert_eq!(
        (&rejected["run"], &rejected["critics"], &rejected["approval"]),
        (&json!(""), &json!([]), &json!("not-asked"))
    );
    assert!(rejected["notices"].to_string().contains("no model was asked: the change is rejected by"), "{rejected:#}");

    place.repo.git(&["rm", "-qf", "broken.py"]);
    place.repo.write("secrets.json", "{\"a\": 1}\n");
    place.repo.git(&["add", "-Af"]);
    let hidden = place.review(&["--provider", &provider]).expect(5).json();
    assert_eq!((&hidden["run"], &hidden["critics"]), (&json!(""), &json!([])));
    assert!(hidden["notices"].to_string().contains("secrets.json is shown to no model"), "{hidden:#}");
}

#[test]
fn a_critic_that_is_none_is_named() {
    let place = Place::new();
    let provider = place.replies("critic", &[found(json!([]))]);
    let unknown = place.review(&["--critic", "docs-kept", "--provider", &provider]).expect(2);
    assert!(unknown.stdout.contains("critic-devil, critic-panel, critic-questions, critic-self"), "{unknown:?}");
    let devil = place.review(&["--critic", "critic-devil", "--provider", &provider]).expect(0).json();
    assert_eq!((&devil["critics"][0]["id"], &devil["critics"][0]["verdict"]), (&json!("critic-devil"), &json!("pass")));
}

/// Advice is no verdict, but none at all is no review.
#[test]
fn a_review_that_nobody_answered_is_no_success() {
    let place = Place::new();
    let silent = place.replies("silent", &[json!("I cannot."), json!("I cannot.")]);
    let unread = place.review(&["--critic", "critic-devil", "--provider", &silent]).expect(5).json();
    let critic = &unread["critics"][0];
    assert_eq!((&critic["mode"], &critic["verdict"]), (&json!("monitor"), &json!("error")), "{critic:#}");
    // One of two has looked, and the other is shown to have failed.
    let none = || found(json!([]));
    let heard = place.replies("heard", &[none(), none(), none()]);
    let critics = format!("critic-devil={silent},critic-panel={heard}");
    let half = place.review(&["--critic", &critics]).expect(0).json();
    let verdicts: Vec<&Value> = half["critics"].as_array().unwrap().iter().map(|critic| &critic["verdict"]).collect();
    assert_eq!(verdicts, [&json!("error"), &json!("pass")], "{half:#}");
}

#[test]
fn voters_are_of_another_family_than_the_author() {
    let place = Place::new();
    let (claude, other) = (place.replies("claude", &[vote(90, 2)]), place.replies("other", &[vote(90, 2)]));
    let voters = ["--voter", &claude, "--voter", &other];
    let refused = place.review(&[&voters[..], &["--author", "claude-opus"]].concat()).expect(2);
    assert!(refused.stdout.contains("is of the author's family of models, Anthropic"), "{refused:?}");
    let allowed = place.review(&[&voters[..], &["--author", "claude-opus", "--allow-same-family"]].concat());
    assert_eq!(allowed.expect(0).json()["approval"], "approved");
    let unknown = place.review(&voters).expect(0).json();
    assert!(unknown["notices"].to_string().contains("--author"), "{unknown:#}");
}

#[test]
fn what_a_run_committed_is_reviewed_with_its_task_and_author() {
    let place = Place::new();
    place.repo.git(&["reset", "-q", "--hard"]);
    let patch = "--- a/store.py\n+++ b/store.py\n@@ -1,3 +1,4 @@\n def save(path, data):\n+    data = str(data)\n     with open(path, \"w\") as file:\n         file.write(data)\n";
    let author = place.replies("gemini", &[json!(patch)]);
    let run = ["run", "--task", "Let save() take anything", "--provider", &author, "--format", "json"];
    let ran = host(place.repo.path(), &run).expect(0).json();
    let critic = place.replies("critic", &[found(json!([])), found(json!([])), found(json!([]))]);
    let review = ["review", "--run", ran["run"].as_str().unwrap(), "--format", "json"];
    let reviewed = host(place.repo.path(), &[&review[..], &["--provider", &critic]].concat()).expect(0).json();
    let asked = fs::read_to_string(place.kept(&reviewed["run"], "answers.jsonl")).unwrap();
    assert!(asked.contains("Let save() take anything") && asked.contains("data = str(data)"), "{asked}");
    let google = place.replies("google", &[vote(90, 2)]);
    let refused = host(place.repo.path(), &[&review[..], &["--voter", &google, "--voter", &critic]].concat()).expect(2);
    assert!(refused.stdout.contains("family of models, Google"), "{refused:?}");
    let nothing = host(place.repo.path(), &["review", "--run", reviewed["run"].as_str().unwrap()]).expect(2);
    assert!(nothing.stderr.contains("committed nothing to review"), "{nothing:?}");
}

/// A run that committed what a critic objects to, and what is asked of whom to refine it.
struct Refine {
    place: Place,
    run: Value,
}

impl Refine {
    fn new() -> Self {
        let place = Place::new();
        place.repo.git(&["reset", "-q", "--hard"]);
        let patch = "--- a/store.py\n+++ b/store.py\n@@ -1,3 +1,3 @@\n def save(path, data):\n-    with open(path, \"w\") as file:\n-        file.write(data)\n+    file = open(path, \"w\")\n+    file.write(data)\n";
        let author = place.replies("gemini", &[json!(patch)]);
        let run = ["run", "--task", "Let save() be short", "--provider", &author, "--format", "json"];
        let run = host(place.repo.path(), &run).expect(0).json();
        Refine { place, run }
    }

    /// With these findings, a refiner's reply, and the judge's two answers.
    fn refine(&self, findings: Value, reply: &str, judge: &[Value], more: &[&str], code: i32) -> Value {
        let critic = self.place.replies("critic", &[found(findings)]);
        let refiner = self.place.replies("refiner", &[json!(reply)]);
        let judge = self.place.replies("judge", judge);
        let run = self.run["run"].as_str().unwrap();
        let words = [
            "review",
            "--run",
            run,
            "--critic",
            "critic-devil",
            "--provider",
            &critic,
            "--refine",
            &refiner,
            "--judge",
            &judge,
            "--format",
            "json",
        ];
        host(self.place.repo.path(), &[&words[..], more].concat()).expect(code).json()
    }

    fn branches(&self) -> Vec<String> {
        let text = self.place.repo.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        text.lines().map(str::to_owned).collect()
    }
}

const CLOSED: &str = "--- a/store.py\n+++ b/store.py\n@@ -1,3 +1,4 @@\n def save(path, data):\n     file = open(path, \"w\")\n     file.write(data)\n+    file.close()\n";

fn objection() -> Value {
    json!([{ "severity": "major", "path": "store.py", "line": 2, "title": "The file is not closed", "detail": "Close it.", "axiom": "success" }])
}

fn prefers(winner: &str) -> Value {
    json!({ "winner": winner, "why": "it closes the file" })
}

#[test]
fn a_refined_version_is_kept_if_a_judge_prefers_it_in_both_orders() {
    let refine = Refine::new();
    let before = (refine.branches(), refine.place.repo.snapshot());
    // The old version is A first, and then B.
    for (winners, outcome, judgements) in [
        (["A", "A"], "not-better", ["old", "new"]),
        (["A", "B"], "not-better", ["old", "old"]),
        (["B", "tie"], "not-better", ["new", "tie"]),
    ] {
        let reviewed = refine.refine(objection(), CLOSED, &winners.map(prefers), &[], 0);
        let refined = &reviewed["refined"];
        assert_eq!((&refined["outcome"], &refined["judgements"]), (&json!(outcome), &json!(judgements)), "{refined:#}");
        assert!(refine.place.traced(&reviewed["run"]).contains("critic_refiner.reverted"));
        assert_eq!(before, (refine.branches(), refine.place.repo.snapshot()), "the old one stays");
    }
    let silent = refine.refine(objection(), CLOSED, &[prefers("B"), json!("Well!"), json!("Well!")], &[], 0);
    assert_eq!(silent["refined"]["judgements"], json!(["new", "unreadable"]), "{silent:#}");

    let reviewed = refine.refine(objection(), CLOSED, &["B", "A"].map(prefers), &[], 0);
    let refined = &reviewed["refined"];
    assert_eq!((&refined["outcome"], &refined["judgements"]), (&json!("kept"), &json!(["new", "new"])), "{refined:#}");
    let traced = refine.place.traced(&reviewed["run"]);
    assert!(traced.contains("critic_refiner.kept") && traced.contains("critic_devil.review.end"), "{traced}");
    let branch = refined["branch"].as_str().unwrap();
    let parent = refine.place.repo.git(&["rev-parse", &format!("{branch}^")]);
    assert_eq!(json!(parent), refine.run["commit"], "on top of the old version");
    host(refine.place.repo.path(), &["accept", branch]).expect(0);
    assert!(String::from_utf8(refine.place.repo.read("store.py")).unwrap().contains("file.close()"));
}

#[test]
fn a_refined_version_passes_all_guards_or_is_none() {
    let refine = Refine::new();
    let before = refine.branches();
    let broken = CLOSED.replace("file.close()", "file.close(");
    let rejected = refine.refine(objection(), &broken, &["B", "A"].map(prefers), &[], 0);
    assert_eq!(rejected["refined"]["outcome"], "rejected", "{rejected:#}");
    assert!(rejected["refined"]["why"].as_str().unwrap().contains("syntax-holds"), "{rejected:#}");
    let misfit = refine.refine(objection(), &CLOSED.replace("open", "opened"), &["B", "A"].map(prefers), &[], 0);
    assert_eq!(misfit["refined"]["outcome"], "rejected", "{misfit:#}");
    let none = refine.refine(objection(), "NO_CHANGES_NEEDED", &["B", "A"].map(prefers), &[], 0);
    assert_eq!(none["refined"]["outcome"], "no-change", "{none:#}");
    // A devil that finds nothing leaves nothing to refine; and minor objections stay advice.
    let minor = json!([{ "severity": "minor", "path": "store.py", "line": 2, "title": "Short", "detail": "x", "axiom": "opacity" }]);
    for findings in [json!([]), minor] {
        let nothing = refine.refine(findings, CLOSED, &["B", "A"].map(prefers), &[], 0);
        assert_eq!((&nothing["refined"]["outcome"], &nothing["refined"]["run"]), (&json!("not-tried"), &json!("")));
    }
    assert_eq!(before, refine.branches());
    let same = refine.place.replies("refiner-2", &[json!(CLOSED)]);
    let run = refine.run["run"].as_str().unwrap();
    let words = ["review", "--run", run, "--provider", &same, "--refine", &same, "--format", "json"];
    let refused = host(refine.place.repo.path(), &words).expect(2);
    assert!(refused.stdout.contains("family of models that refines"), "{refused:?}");
}

/// What at least two of three members say of a pull request.
#[test]
fn an_ensemble_counts_what_several_members_say() {
    let place = Place::new();
    let said = |line: u32, title: &str| {
        found(json!([{ "severity": "major", "path": "store.py", "line": line, "title": title, "detail": "x" }]))
    };
    let members = [
        place.replies("one", &[said(2, "The file handle is never closed")]),
        place.replies("two", &[said(3, "File handle never closed after writing")]),
        place.replies("three", &[said(1, "The name is misleading")]),
    ];
    let members: Vec<&str> = members.iter().flat_map(|member| ["--member", member]).collect();
    let reviewed = place.review(&[&["--critic", "critic-self"][..], &members].concat()).expect(0).json();
    let findings = reviewed["critics"][0]["findings"].as_array().unwrap();
    assert_eq!(
        (findings.len(), &findings[0]["rule"], &findings[0]["line"]),
        (1, &json!("whole"), &json!(2)),
        "{findings:#?}"
    );
    let all = place.review(&[&["--critic", "critic-self", "--agree", "1"][..], &members].concat()).expect(0).json();
    assert_eq!(all["critics"][0]["findings"].as_array().unwrap().len(), 2, "{all:#}");
    let none = place.review(&[&["--critic", "critic-self", "--agree", "3"][..], &members].concat()).expect(0).json();
    assert_eq!(none["critics"][0]["verdict"], "pass", "{none:#}");
}
