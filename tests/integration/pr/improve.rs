//! `host improve --pr`: the audit, the plan, its steps, the pull request and its builds, in one command that can be taken up again.

use std::fs;

use serde_json::json;

use super::{Place, build};
use crate::support::cli::{Ran, host_with};

const FILES: [(&str, &str); 3] = [
    ("README.md", "# tally\n\nIt counts.\n"),
    ("lib/count.mjs", "export function count(things) {\n  return things.length + 1;\n}\n"),
    ("lib/show.mjs", "export function show(n) {\n  return String(n);\n}\n"),
];

impl Place {
    /// An agent that plans two steps and does them; the second only if it may.
    fn planner(&self, does_second: bool) {
        self.planner_and(does_second, &[]);
    }

    /// The same, who answers other questions as well: words of each, and the reply.
    fn planner_and(&self, does_second: bool, more: &[(&str, String)]) {
        let step = |title: &str, hint: &str| json!({ "title": title, "file_hints": [hint], "action": "modify" });
        let steps = [step("Show with words", "lib/show.mjs"), step("Count right", "lib/count.mjs")];
        let plan = json!({ "tasks": [{ "title": "Better", "subtasks": steps }] }).to_string();
        let diff = |path: &str, before: &str, after: &str| {
            format!("--- a/{path}\n+++ b/{path}\n@@ -2,1 +2,1 @@\n-{before}\n+{after}")
        };
        let second = if does_second { "  return things.length;" } else { "  return (things.length;" };
        let answers = [
            ("You plan changes", plan),
            ("Show with words", diff("lib/show.mjs", "  return String(n);", "  return `${n} things`;")),
            ("Count right", diff("lib/count.mjs", "  return things.length + 1;", second)),
        ];
        let mut script = "cat > \"$0.prompt\"\n".to_owned();
        for (word, reply) in more.iter().cloned().chain(answers) {
            script += &format!("if grep -q '{word}' \"$0.prompt\"; then cat <<'END'\n{reply}\nEND\nexit 0\nfi\n");
        }
        fs::write(self.repo.path().join("../planner.sh"), script).expect("written");
    }

    /// A provider that votes so, and writes down how often it was asked.
    fn voter(&self, name: &str, score: u8) -> String {
        let reasons = json!([{ "path": "lib/show.mjs", "line": 2, "says": "it says what it counts" }]);
        let vote = json!({ "score": score, "reasons": reasons }).to_string();
        let folder = self.repo.path().parent().expect("a folder").canonicalize().expect("it is there");
        let file = folder.join(format!("{name}.sh"));
        let script = format!("cat > /dev/null\necho asked >> \"$0.calls\"\ncat <<'END'\n{vote}\nEND\n");
        fs::write(&file, script).expect("written");
        format!("command:sh {}", file.display())
    }

    /// A program that gives one reply after the other, and writes down how often it was asked.
    fn program(&self, name: &str, replies: &[&str]) -> String {
        let folder = self.repo.path().parent().expect("a folder").canonicalize().expect("it is there");
        let file = folder.join(format!("{name}.sh"));
        let mut script = "cat > /dev/null\necho asked >> \"$0.calls\"\ncase $(wc -l < \"$0.calls\") in\n".to_owned();
        for (reply, number) in replies.iter().zip(1..) {
            script += &format!("{number})\ncat <<'END'\n{reply}\nEND\n;;\n");
        }
        fs::write(&file, script + "*) exit 1 ;;\nesac\n").expect("written");
        format!("command:sh {}", file.display())
    }

    fn asked(&self, name: &str) -> usize {
        let calls = self.repo.path().join(format!("../{name}.sh.calls"));
        fs::read_to_string(calls).map_or(0, |calls| calls.lines().count())
    }

    fn improve(&self, more: &[&str]) -> Ran {
        let folder = self.repo.path().parent().expect("a folder").canonicalize().expect("it is there");
        let provider = format!("command:sh {}", folder.join("planner.sh").display());
        let args = [
            "improve",
            "--pr",
            "--no-builds",
            "--rounds",
            "1",
            "--interval",
            "1",
            "--provider",
            &provider,
            "--format",
            "json",
        ];
        self.host(&[&args[..], more].concat())
    }
}

#[test]
fn what_is_improved_becomes_one_pull_request_with_its_metrics_and_steps() {
    let place = Place::new(&FILES);
    place.planner(true);
    place.forge.state().planned = vec![build("success", "")];
    let report = place.improve(&["--label", "better"]).expect(0).json();
    assert_eq!(
        (&report["pull"]["pull"]["action"], &report["watch"]["outcome"]),
        (&json!("made"), &json!("success")),
        "{report:#}"
    );
    let state = place.forge.state();
    let [pull] = state.pulls.as_slice() else { panic!("{} pull requests", state.pulls.len()) };
    for part in ["### Metrics", "### Steps", "Show with words", "Count right", "### Guards"] {
        assert!(pull.body.contains(part), "{part}: {}", pull.body);
    }
    assert_eq!((pull.labels.join(" ").as_str(), state.comments.len()), ("guardhost better", 1));
    drop(state);
    place.forge.check();
}

/// Votes are cast once, on all commits together; the pull request shows them, with or without a review of critics.
#[test]
fn what_was_voted_stands_in_the_pull_request() {
    for review in [&["--review"][..], &[]] {
        let place = Place::new(&FILES);
        place.planner(true);
        place.forge.state().planned = vec![build("success", "")];
        let voters = [place.voter("first", 90), place.voter("second", 85)];
        let report =
            place.improve(&[review, &["--voter", &voters[0], "--voter", &voters[1]]].concat()).expect(0).json();
        assert_eq!(report["votes"]["approval"], "approved", "{report:#}");
        assert_eq!((place.asked("first"), place.asked("second")), (1, 1), "{report:#}");
        let state = place.forge.state();
        for part in ["### Votes", "| 90 |", "| 85 |", "Approved: the votes have a mean of 87.5"] {
            assert!(state.pulls[0].body.contains(part), "{part}: {}", state.pulls[0].body);
        }
        let reviews: Vec<&str> = state.whole_reviews.iter().map(|review| review.body.as_str()).collect();
        assert_eq!(reviews.len(), review.len(), "{reviews:?}");
        assert!(reviews.iter().all(|body| body.contains("87.5") && !body.contains("No votes")), "{reviews:?}");
        drop(state);
        place.forge.check();
    }
}

/// A step is rejected, the pull request is opened with the other; the run is taken up again, and its commits go to the same pull request.
#[test]
fn a_run_that_is_taken_up_again_goes_on_in_the_same_pull_request() {
    let place = Place::new(&FILES);
    place.planner(false);
    place.forge.state().planned = vec![build("success", ""), build("success", "")];
    let first = place.improve(&[]).expect(1).json();
    assert_eq!(first["pull"]["pull"]["number"], 1, "{first:#}");
    place.planner(true);
    let run = first["run"].as_str().expect("a run");
    let second = place.improve(&["--resume", run]).expect(0).json();
    assert_eq!(
        (&second["pull"]["pull"]["number"], &second["pull"]["pull"]["push"]),
        (&json!(1), &json!("updated")),
        "{second:#}"
    );
    // Nothing is left: it is looked at once more, and nothing is made.
    let third = place.improve(&["--resume", second["run"].as_str().expect("a run")]).expect(0).json();
    assert_eq!(
        (&third["pull"]["pull"]["number"], &third["pull"]["pull"]["push"]),
        (&json!(1), &json!("up-to-date")),
        "{third:#}"
    );
    let state = place.forge.state();
    assert_eq!((state.pulls.len(), state.comments.len()), (1, 1));
    assert!(state.pulls[0].body.contains("Show with words") && state.pulls[0].body.contains("Count right"));
    drop(state);
    place.forge.check();
}

/// The forge fails after the commits: the same run goes on at the pull request.
#[test]
fn a_forge_that_fails_loses_nothing_of_the_run() {
    use crate::support::forge::FaultKind;
    let place = Place::new(&FILES);
    place.planner(true);
    place.forge.state().planned = vec![build("success", "")];
    place.forge.fault("POST", "/pulls", FaultKind::Status(422, Vec::new(), "not now"), 1);
    let failed = place.improve(&[]).expect(7).json();
    assert_eq!(failed["error"]["code"], "forge-rejected", "{failed}");
    let log = place.host(&["log", "--format", "json"]).expect(0).json();
    let run = log["runs"].as_array().expect("runs").iter().find(|run| run["command"] == "improve").expect("the run");
    assert_eq!(run["outcome"], "committed");
    // What is missing is said before the provider is asked.
    let missing = host_with(
        place.repo.path(),
        &["improve", "--pr", "--provider", "command:false", "--forge", "github", "--format", "json"],
        b"",
        &[],
    );
    assert!(missing.expect(2).json()["error"].to_string().contains("GITHUB_TOKEN is not set"));
    fs::remove_file(place.repo.path().join("../planner.sh")).expect("the provider is not asked again");
    let report = place.improve(&["--resume", run["run"].as_str().expect("an id")]).expect(0).json();
    assert_eq!(report["watch"]["outcome"], "success", "{report:#}");
    let state = place.forge.state();
    assert!(state.pulls[0].body.contains("### Metrics"), "{}", state.pulls[0].body);
    assert_eq!(state.pulls.len(), 1);
}

/// A critic objects to what is planned; the program that fixes it.
fn refiner_of_an_objection(place: &Place) -> String {
    let objection = json!({ "findings": [{ "severity": "major", "path": "lib/count.mjs", "line": 2, "title": "Nothing has no length",
        "detail": "Count nothing as 0.", "axiom": "success" }] });
    place.planner_and(true, &[("\"axiom\"", objection.to_string())]);
    place.forge.state().planned = vec![build("success", "")];
    let better = "--- a/lib/count.mjs\n+++ b/lib/count.mjs\n@@ -2,1 +2,1 @@\n-  return things.length;\n+  return things?.length ?? 0;";
    place.program("refiner", &[better])
}

/// A critic's objection is refined under all guards and before a judge, and voters see what came of it. What is done is asked of nobody again.
#[test]
fn what_critics_object_to_is_refined_before_the_votes() {
    let place = Place::new(&FILES);
    let refiner = refiner_of_an_objection(&place);
    let prefers = |winner: &str| json!({ "winner": winner, "why": "it counts nothing" }).to_string();
    let judge = place.program("judge", &[&prefers("B"), &prefers("A")]);
    let voters = [place.voter("first", 90), place.voter("second", 85)];
    let words = [
        "--refine",
        &refiner,
        "--judge",
        &judge,
        "--critic",
        "critic-devil",
        "--voter",
        &voters[0],
        "--voter",
        &voters[1],
    ];
    let report = place.improve(&words).expect(0).json();
    assert_eq!(report["refined"]["outcome"], "kept", "{report:#}");
    assert_eq!(
        (&report["commit"], &report["watch"]["commit"]),
        (&report["refined"]["commit"], &report["refined"]["commit"])
    );
    let commit = report["commit"].as_str().expect("a commit");
    assert!(place.repo.git(&["show", &format!("{commit}:lib/count.mjs")]).contains("?? 0"));
    assert_eq!(json!(place.repo.git(&["rev-parse", report["branch"].as_str().expect("a branch")])), report["commit"]);
    let branches = place.repo.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
    assert_eq!(branches.lines().count(), 2, "the branch of the refined version is part of the run's: {branches}");

    let asked = ["refiner", "judge", "first", "second"].map(|name| place.asked(name));
    assert_eq!(asked, [1, 2, 1, 1]);
    let again =
        place.improve(&[&["--resume", report["run"].as_str().expect("a run")][..], &words].concat()).expect(0).json();
    assert_eq!((&again["commit"], &again["votes"]["mean"]), (&report["commit"], &json!(87.5)), "{again:#}");
    assert_eq!(["refiner", "judge", "first", "second"].map(|name| place.asked(name)), asked, "{again:#}");
}

/// What critics, the refiner and the judge take is taken from the limits of the run: nothing is left for the voters.
#[test]
fn what_a_refinement_takes_is_not_there_for_the_votes() {
    let place = Place::new(&FILES);
    let refiner = refiner_of_an_objection(&place);
    let answer = json!({ "winner": "B", "why": "it counts nothing" }).to_string();
    let usage = json!({ "input_tokens": 90, "output_tokens": 10 });
    let line = json!({ "round": 1, "provider": "judge", "usage": usage, "reply": answer });
    fs::write(place.repo.path().join("../judge.jsonl"), line.to_string() + "\n").expect("written");
    let voters = [place.voter("first", 90), place.voter("second", 85)];
    let words =
        ["--refine", &refiner, "--judge", "replay:../judge.jsonl", "--critic", "critic-devil", "--max-tokens", "100"];
    let report =
        place.improve(&[&words[..], &["--voter", &voters[0], "--voter", &voters[1]]].concat()).expect(1).json();
    assert_eq!(place.asked("refiner"), 1, "{report:#}");
    assert_eq!((place.asked("first"), place.asked("second")), (0, 0), "{report:#}");
    assert!(report["votes"].to_string().contains("--max-tokens"), "{report:#}");
    assert!(report["commit"].is_null() && place.forge.state().pulls.is_empty(), "{report:#}");
}

/// Nothing is left either for the critics of the pull request, or for a change that fixes its build: the limits are those of the whole command.
#[test]
fn what_the_run_took_is_not_there_for_the_review_and_the_builds_of_its_pull_request() {
    let place = Place::new(&FILES);
    let refiner = refiner_of_an_objection(&place);
    place.forge.state().planned = vec![build("failure", "error: things is no array")];
    let objection = json!({ "findings": [{ "severity": "major", "path": "lib/count.mjs", "line": 2, "title": "Nothing has no length",
        "detail": "Count nothing as 0.", "axiom": "success" }] });
    let critic = place.program("critic", &[&objection.to_string(), &objection.to_string()]);
    let usage = json!({ "input_tokens": 90, "output_tokens": 10 });
    let answer = json!({ "winner": "tie", "why": "it makes no difference" }).to_string();
    let line = json!({ "round": 1, "provider": "judge", "usage": usage, "reply": answer });
    fs::write(place.repo.path().join("../judge.jsonl"), line.to_string() + "\n").expect("written");
    let critic = format!("critic-devil={critic}");
    let words = ["--refine", &refiner, "--judge", "replay:../judge.jsonl", "--review", "--critic", &critic];
    let report = place.improve(&[&words[..], &["--max-tokens", "100"]].concat()).expect(1).json();
    assert_eq!((place.asked("critic"), place.asked("refiner")), (1, 1), "{report:#}");
    assert!(report["pull"]["notices"].to_string().contains("has no review: 100 tokens are used"), "{report:#}");
    assert!(report["watch"]["stopped"].to_string().contains("--max-tokens"), "{report:#}");
    assert_eq!(report["watch"]["fixes"], json!([]), "{report:#}");
}

/// A build fails, and the change that fixes it is another head: metrics, votes and the review are of that one.
#[test]
fn what_was_said_of_a_pull_request_is_said_anew_of_another_head() {
    let place = Place::new(&FILES);
    let mended = "--- a/lib/count.mjs\n+++ b/lib/count.mjs\n@@ -2,1 +2,1 @@\n-  return things.length;\n+  return Array.from(things).length;";
    place.planner_and(true, &[("Fix the build", mended.to_owned())]);
    place.forge.state().planned = vec![build("failure", "error: things is no array"), build("success", "")];
    let voters = [place.voter("first", 90), place.voter("second", 85)];
    let report = place.improve(&["--review", "--voter", &voters[0], "--voter", &voters[1]]).expect(0).json();
    assert_eq!(report["watch"]["outcome"], "success", "{report:#}");
    assert_eq!(
        (&report["commit"], &report["after"]["revision"]),
        (&report["watch"]["commit"], &report["watch"]["commit"])
    );
    assert_ne!(report["commit"], report["plan"]["commit"]);
    assert_eq!((place.asked("first"), place.asked("second")), (2, 2), "votes hold for a commit: {report:#}");
    let head = report["commit"].as_str().expect("a commit");
    let state = place.forge.state();
    for part in ["### Metrics", "### Votes", "| 90 |", "### Critics"] {
        assert!(state.pulls[0].body.contains(part), "{part}: {}", state.pulls[0].body);
    }
    assert!(state.whole_reviews.iter().any(|review| review.body.contains(&head[..10])), "a review of the new head");
    drop(state);
    place.forge.check();
}

/// Beside `host improve` nobody knows who voted: what was said of the head before goes, and who is named is asked about the new one.
#[test]
fn a_watched_pull_request_is_voted_on_anew_by_those_that_are_named() {
    let vote = json!({ "score": 90, "reasons": [{ "path": "x.py", "line": 2, "says": "it is right" }] }).to_string();
    for is_voted in [true, false] {
        let place = Place::building(vec![build("failure", "assert x() == 3 failed"), build("success", "")]);
        let voters = ["first", "second"].map(|name| place.program(name, &[&vote]));
        let named = ["--review", "--critic", "critic-devil", "--voter", &voters[0], "--voter", &voters[1]];
        let report = place.watch(&[super::THREE], if is_voted { &named } else { &[] }).expect(0).json();
        let state = place.forge.state();
        assert_eq!(state.pulls[0].body.contains("| 90 |"), is_voted, "{}", state.pulls[0].body);
        drop(state);
        let once = usize::from(is_voted);
        assert_eq!((place.asked("first"), place.asked("second")), (once, once), "{report:#}");
    }
}

/// What the guards reject is not pushed, and nothing is said of it: not by voters either.
#[test]
fn a_change_that_mends_a_build_and_is_not_accepted_changes_nothing_of_what_was_said() {
    let place = Place::new(&FILES);
    let broken = "--- a/lib/count.mjs\n+++ b/lib/count.mjs\n@@ -2,1 +2,1 @@\n-  return things.length;\n+  return (things.length;";
    place.planner_and(true, &[("Fix the build", broken.to_owned())]);
    place.forge.state().planned = vec![build("failure", "error: things is no array")];
    let voters = [place.voter("first", 90), place.voter("second", 85)];
    let report = place.improve(&["--voter", &voters[0], "--voter", &voters[1]]).expect(1).json();
    assert_eq!(report["watch"]["outcome"], "failure", "{report:#}");
    assert_eq!((&report["commit"], &report["watch"]["commit"]), (&report["plan"]["commit"], &report["plan"]["commit"]));
    assert_eq!((place.asked("first"), place.asked("second")), (1, 1), "{report:#}");
    assert!(report["watch"]["stopped"].to_string().contains("rejected"), "{report:#}");
}

/// Voters who do not approve of the change that fixes a build leave nothing to accept, and the pull request says so.
#[test]
fn votes_on_another_head_that_refuse_are_published_and_end_the_watch() {
    let place = Place::new(&FILES);
    let mended = "--- a/lib/count.mjs\n+++ b/lib/count.mjs\n@@ -2,1 +2,1 @@\n-  return things.length;\n+  return Array.from(things).length;";
    place.planner_and(true, &[("Fix the build", mended.to_owned())]);
    place.forge.state().planned = vec![build("failure", "error: things is no array"), build("success", "")];
    let vote = |score: u8| {
        json!({ "score": score, "reasons": [{ "path": "lib/show.mjs", "line": 2, "says": "see there" }] }).to_string()
    };
    let voters = ["first", "second"].map(|name| place.program(name, &[&vote(90), &vote(60)]));
    let report = place.improve(&["--voter", &voters[0], "--voter", &voters[1]]).expect(1).json();
    assert_eq!(
        (&report["commit"], &report["votes"]["approval"]),
        (&serde_json::Value::Null, &json!("refused")),
        "{report:#}"
    );
    assert!(report["watch"]["stopped"].to_string().contains("the votes do not approve"), "{report:#}");
    assert_ne!(report["watch"]["commit"], report["plan"]["commit"], "it is what the pull request has");
    assert!(place.forge.state().pulls[0].body.contains("Not approved"), "{}", place.forge.state().pulls[0].body);
}
