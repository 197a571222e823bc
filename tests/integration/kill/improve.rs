//! `host improve`, killed at events spread over all of it, and taken up again: every step is committed once, and what the user has stays.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::child::{Moment, kill};
use crate::integration::planner::leftovers::{Place, statuses};
use crate::support::cli::host;
use crate::support::repo::TestRepo;

/// Events between two moments at which it is killed.
const STRIDE: usize = 4;

/// A repository, and beside it an agent that plans two steps and does them.
fn place() -> (TestRepo, PathBuf) {
    let repo = TestRepo::with(&[
        ("README.md", "# tally\n\nIt counts.\n"),
        ("lib/count.mjs", "export function count(things) {\n  return things.length + 1;\n}\n"),
        ("lib/show.mjs", "export function show(n) {\n  return String(n);\n}\n"),
    ]);
    repo.write("README.md", "# tally\n\nIt counts, and this is not committed.\n");
    repo.write("untracked.txt", "mine\n");
    let step = |title: &str, hint: &str| json!({ "title": title, "file_hints": [hint], "action": "modify" });
    let steps = [step("Show with words", "lib/show.mjs"), step("Count right", "lib/count.mjs")];
    let plan = json!({ "tasks": [{ "title": "Better", "subtasks": steps }] }).to_string();
    let diff = |path: &str, before: &str, after: &str| {
        format!("--- a/{path}\n+++ b/{path}\n@@ -2,1 +2,1 @@\n-{before}\n+{after}")
    };
    let answers = [
        ("You plan changes", plan),
        ("Show with words", diff("lib/show.mjs", "  return String(n);", "  return `${n} things`;")),
        ("Count right", diff("lib/count.mjs", "  return things.length + 1;", "  return things.length;")),
    ];
    let mut script = "cat > \"$0.prompt\"\n".to_owned();
    for (word, reply) in answers {
        script += &format!("if grep -q '{word}' \"$0.prompt\"; then cat <<'END'\n{reply}\nEND\nexit 0\nfi\n");
    }
    let agent = repo.path().join("../agent.sh");
    std::fs::write(&agent, script).expect("written");
    (repo, agent)
}

/// True when it was killed, false when it ended before.
fn killed_at(event: usize, repo: &TestRepo, arguments: &[&str]) -> bool {
    kill(repo.path(), &[&["host"], arguments].concat(), Moment::Event(event), &[])
}

#[test]
fn every_step_is_committed_once() {
    let mut kills = 0;
    for event in (0..).step_by(STRIDE) {
        let (repo, agent) = place();
        let before = (repo.snapshot(), repo.status());
        let provider = format!("command:sh {}", agent.display());
        let arguments = ["improve", "--provider", &provider, "--no-builds", "--format", "json"];
        if !killed_at(event, &repo, &arguments) {
            break;
        }
        kills += 1;
        let log = host(repo.path(), &["log", "--format", "json"]).expect(0).json();
        let runs = log["runs"].as_array().expect("runs").clone();
        let stopped = runs.iter().find(|run| run["command"] == "improve");
        let resume: Vec<&str> =
            stopped.and_then(|run| run["run"].as_str()).map_or_else(Vec::new, |run| vec!["--resume", run]);
        let report = host(repo.path(), &[&arguments[..], &resume].concat()).expect(0).json();
        let range = format!("main..{}", report["branch"].as_str().unwrap_or_default());
        let touched = repo.git(&["log", "--reverse", "--format=", "--name-only", &range]);
        assert_eq!(touched.split_whitespace().collect::<Vec<_>>(), ["lib/show.mjs", "lib/count.mjs"], "event {event}");
        // Killed between the commit and its record, a step finds its change already made.
        let done = |step: &Value| matches!(step["outcome"].as_str(), Some("committed" | "done" | "no-change"));
        assert!(report["plan"]["steps"].as_array().expect("steps").iter().all(done), "event {event}: {report:#}");
        assert_eq!(before, (repo.snapshot(), repo.status()), "event {event}: what the user has stays");
        repo.git(&["fsck", "--strict", "--no-dangling"]);
    }
    assert!(kills >= 10, "only {kills} kills met a living process");
}

/// The same with a reviewer, issues and voters behind the plan.
#[test]
fn every_fix_is_committed_once_and_the_votes_come_to_the_same() {
    let mut kills = 0;
    for event in (0..).step_by(2) {
        let place = Place::new();
        place.scores(97, [90, 85]);
        let before = (place.repo.snapshot(), place.repo.status());
        let arguments = place.arguments(&[]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        if !killed_at(event, &place.repo, &arguments) {
            break;
        }
        kills += 1;
        let log = host(place.repo.path(), &["log", "--format", "json"]).expect(0).json();
        let runs = log["runs"].as_array().expect("runs").clone();
        let stopped = runs.iter().find(|run| run["command"] == "improve");
        let resume: Vec<&str> =
            stopped.and_then(|run| run["run"].as_str()).map_or_else(Vec::new, |run| vec!["--resume", run]);
        let report = place.improve(&resume).expect(0).json();
        assert_eq!(place.touched(&report), ["lib/show.mjs", "LICENSE"], "event {event}: {report:#}");
        assert!(statuses(&report).iter().all(|status| *status == "resolved"), "event {event}: {report:#}");
        assert_eq!(report["votes"]["approval"], "approved", "event {event}: {report:#}");
        assert_eq!(before, (place.repo.snapshot(), place.repo.status()), "event {event}: what the user has stays");
        place.repo.git(&["fsck", "--strict", "--no-dangling"]);
    }
    assert!(kills >= 10, "only {kills} kills met a living process");
}

/// A program beside the repository that writes down how often it was asked; `answer` is shell code that finds the question in `$0.prompt`.
fn counted(repo: &TestRepo, name: &str, answer: &str) -> String {
    let file = repo.path().parent().expect("a folder").join(format!("{name}.sh"));
    let script = format!("cat > \"$0.prompt\"\necho asked >> \"$0.calls\"\n{answer}\n");
    std::fs::write(&file, script).expect("written");
    format!("command:sh {}", file.display())
}

fn asked(repo: &TestRepo, name: &str) -> usize {
    let calls = repo.path().parent().expect("a folder").join(format!("{name}.sh.calls"));
    std::fs::read_to_string(calls).map_or(0, |calls| calls.lines().count())
}

/// Whoever has answered is not asked again, wherever the host was killed: a critic, whoever refines, a judge, voters.
#[test]
fn nobody_is_asked_again_for_what_was_answered_before_the_kill() {
    let prints = |value: Value| format!("cat <<'END'\n{value}\nEND");
    let objection = json!({ "severity": "major", "path": "lib/count.mjs", "line": 2, "title": "Nothing has no length", "detail": "Count nothing as 0.", "axiom": "success" });
    let better = "cat <<'END'\n--- a/lib/count.mjs\n+++ b/lib/count.mjs\n@@ -2,1 +2,1 @@\n-  return things.length;\n+  return things?.length ?? 0;\nEND";
    let prefers = |winner: &str| prints(json!({ "winner": winner, "why": "it counts nothing" }));
    let judges = format!(
        "if sed -n '/^# Version B/,$p' \"$0.prompt\" | grep -q '?? 0'; then\n{}\nelse\n{}\nfi",
        prefers("B"),
        prefers("A")
    );
    let vote = prints(
        json!({ "score": 90, "reasons": [{ "path": "lib/show.mjs", "line": 2, "says": "it says what it counts" }] }),
    );
    let mut kills = 0;
    for event in (0..).step_by(STRIDE) {
        let (repo, agent) = place();
        let provider = format!("command:sh {}", agent.display());
        let critic = format!("critic-devil={}", counted(&repo, "critic", &prints(json!({ "findings": [objection] }))));
        let refiner = counted(&repo, "refiner", better);
        let judge = counted(&repo, "judge", &judges);
        let voters = ["first", "second"].map(|name| counted(&repo, name, &vote));
        let mut arguments =
            vec!["improve", "--provider", &provider, "--no-builds", "--format", "json", "--allow-same-family"];
        arguments.extend(["--critic", &critic, "--refine", &refiner, "--judge", &judge]);
        arguments.extend(["--voter", &voters[0], "--voter", &voters[1]]);
        if !killed_at(event, &repo, &arguments) {
            break;
        }
        kills += 1;
        let log = host(repo.path(), &["log", "--format", "json"]).expect(0).json();
        let runs = log["runs"].as_array().expect("runs").clone();
        let stopped = runs.iter().find(|run| run["command"] == "improve");
        let resume: Vec<&str> =
            stopped.and_then(|run| run["run"].as_str()).map_or_else(Vec::new, |run| vec!["--resume", run]);
        let report = host(repo.path(), &[&arguments[..], &resume].concat()).expect(0).json();
        let commit = report["commit"].as_str().unwrap_or_else(|| panic!("event {event}: {report:#}"));
        let counts = repo.git(&["show", &format!("{commit}:lib/count.mjs")]);
        assert!(counts.contains("?? 0"), "event {event}: {report:#}");
        assert_eq!(report["votes"]["approval"], "approved", "event {event}: {report:#}");
        let said = ["critic", "judge", "first", "second"].map(|name| asked(&repo, name));
        assert_eq!(said, [1, 2, 1, 1], "event {event}: {report:#}");
        // A reply that came to no commit before the kill is asked for again.
        assert!((1..=2).contains(&asked(&repo, "refiner")), "event {event}: {report:#}");
        let branches = repo.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        assert!(branches.lines().all(|branch| !branch.contains("refine")), "event {event}: {branches}");
    }
    assert!(kills >= 10, "only {kills} kills met a living process");
}
