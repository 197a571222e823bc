//! `host improve` with reviewers and voters: what the audit still finds behind the plan becomes issues, and all commits are voted on.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

const MIT: &str = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software.";

/// A repository without a licence, whose plan does not care for it.
pub struct Place {
    pub repo: TestRepo,
}

impl Place {
    pub fn new() -> Self {
        let scope =
            "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n[[scope]]\nname = \"legal\"\nmetrics = [\"license\"]\n";
        let repo = TestRepo::with(&[
            ("guards.toml", scope),
            ("lib/show.mjs", "export function show(n) {\n  return String(n);\n}\n"),
        ]);
        let place = Place { repo };
        let step = json!({ "title": "Show with words", "file_hints": ["lib/show.mjs"], "action": "modify" });
        let plan = json!({ "tasks": [{ "title": "Better", "subtasks": [step] }] }).to_string();
        let words =
            "--- a/lib/show.mjs\n+++ b/lib/show.mjs\n@@ -2,1 +2,1 @@\n-  return String(n);\n+  return `${n} things`;";
        let license = format!(
            "--- /dev/null\n+++ b/LICENSE\n@@ -0,0 +1,5 @@\n+MIT License\n+\n+Copyright (c) 2026 Me\n+\n+{MIT}"
        );
        place.agent("author", &[("You plan changes", &plan), ("Show with words", words), ("", &license)]);
        place
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.repo.path().join("..").join(name)
    }

    fn agent(&self, name: &str, answers: &[(&str, &str)]) {
        let mut script = "cat > \"$0.prompt\"\necho asked >> \"$0.calls\"\n".to_owned();
        for (word, reply) in answers {
            script += &format!("if grep -q '{word}' \"$0.prompt\"; then cat <<'END'\n{reply}\nEND\nexit 0\nfi\n");
        }
        fs::write(self.beside(name), script).unwrap();
    }

    pub fn asked(&self, name: &str) -> usize {
        fs::read_to_string(self.beside(&format!("{name}.calls"))).map_or(0, |calls| calls.lines().count())
    }

    /// The reviewer of the fixes gives this score, and the voters those.
    pub fn scores(&self, review: u8, votes: [u8; 2]) {
        let all: Vec<Value> = (1..=9)
            .map(|at| json!({ "id": format!("I{at:03}"), "verdict": "resolved", "path": "LICENSE", "line": 1, "says": "there" }))
            .collect();
        self.agent("reviewer", &[("", &json!({ "score": review, "issues": all, "blocking": [] }).to_string())]);
        for (name, score) in ["one", "two"].iter().zip(votes) {
            let reasons = json!([{ "path": "lib/show.mjs", "line": 2, "says": "it says what it counts" }]);
            self.agent(name, &[("", &json!({ "score": score, "reasons": reasons }).to_string())]);
        }
    }

    pub fn arguments(&self, more: &[&str]) -> Vec<String> {
        let agent = |name: &str| format!("command:sh {}", self.beside(name).display());
        let mut words: Vec<String> =
            ["improve", "--no-builds", "--scope", "legal", "--rounds", "1", "--format", "json"]
                .map(str::to_owned)
                .into();
        for (option, name) in
            [("--provider", "author"), ("--reviewer", "reviewer"), ("--voter", "one"), ("--voter", "two")]
        {
            words.extend([option.to_owned(), agent(name)]);
        }
        words.extend(more.iter().map(ToString::to_string));
        words
    }

    pub fn improve(&self, more: &[&str]) -> Ran {
        let words = self.arguments(more);
        host(self.repo.path(), &words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The files of the commits of the result, the first first.
    pub fn touched(&self, report: &Value) -> Vec<String> {
        let range = format!("{}..{}", report["base"].as_str().unwrap(), report["branch"].as_str().unwrap());
        let text = self.repo.git(&["log", "--reverse", "--format=", "--name-only", &range]);
        text.split_whitespace().map(str::to_owned).collect()
    }
}

pub fn statuses(report: &Value) -> Vec<&str> {
    report["fixes"]["issues"].as_array().unwrap().iter().filter_map(|issue| issue["status"].as_str()).collect()
}

fn score(report: &Value, side: &str) -> Value {
    report["metrics"].as_array().unwrap().iter().find(|metric| metric["id"] == "license").unwrap()[side].clone()
}

#[test]
fn what_the_plan_leaves_is_fixed_and_the_whole_is_voted_on() {
    let place = Place::new();
    place.scores(97, [90, 85]);
    let before = (place.repo.snapshot(), place.repo.status());
    let report = place.improve(&[]).expect(0).json();
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()), "what the user has stays");
    assert!(
        !statuses(&report).is_empty() && statuses(&report).iter().all(|status| *status == "resolved"),
        "{report:#}"
    );
    assert_eq!(place.touched(&report), ["lib/show.mjs", "LICENSE"]);
    assert_eq!((&report["votes"]["approval"], &report["votes"]["mean"]), (&json!("approved"), &json!(87.5)));
    assert_eq!((score(&report, "before"), score(&report, "after")), (json!(0.0), json!(1.0)), "{report:#}");
    assert_eq!(report["commit"], report["fixes"]["commit"]);
    // One run, with the steps of the plan and the batches in it.
    let log = host(place.repo.path(), &["log", report["run"].as_str().unwrap(), "--format", "json"]).expect(0).json();
    assert_eq!((&log["run"]["outcome"], &log["run"]["commit"]), (&json!("committed"), &report["commit"]));
    assert_eq!(log["run"]["steps"].as_array().unwrap().len(), 2);
    assert!(!log["run"]["issues"].as_array().unwrap().is_empty());
    // It is taken as any other result, with all of its commits.
    host(place.repo.path(), &["accept", report["run"].as_str().unwrap()]).expect(0);
    assert_eq!(place.repo.git(&["rev-parse", "HEAD"]), report["commit"].as_str().unwrap());
}

#[test]
fn fixes_that_are_not_approved_leave_the_result_of_the_plan() {
    let place = Place::new();
    place.scores(40, [90, 85]);
    let report = place.improve(&[]).expect(1).json();
    assert!(statuses(&report).iter().all(|status| *status == "failed"), "{report:#}");
    assert_eq!((&report["commit"], &report["fixes"]["commit"]), (&report["plan"]["commit"], &Value::Null));
    assert_eq!(place.touched(&report), ["lib/show.mjs"]);
    assert_eq!(report["votes"]["approval"], "approved", "of what can be accepted: {report:#}");
    let kept = place.repo.git(&["for-each-ref", "--format=%(refname)", "refs/guardhost/rejected/"]);
    assert!(kept.contains(report["run"].as_str().unwrap()), "they stay reachable: {kept}");
}

#[test]
fn votes_that_refuse_leave_nothing_to_accept() {
    let place = Place::new();
    place.scores(97, [95, 40]);
    let report = place.improve(&[]).expect(1).json();
    assert_eq!((&report["votes"]["approval"], &report["commit"]), (&json!("refused"), &Value::Null), "{report:#}");
    let run = report["run"].as_str().unwrap();
    let log = host(place.repo.path(), &["log", run, "--format", "json"]).expect(0).json();
    assert_eq!((&log["run"]["outcome"], &log["run"]["commit"]), (&json!("rejected"), &Value::Null), "{log:#}");
    host(place.repo.path(), &["accept", run]).expect(2);
    // Taken up again, only the voters are asked.
    let asked = (place.asked("author"), place.asked("reviewer"));
    place.scores(97, [95, 85]);
    let again = place.improve(&["--resume", run]).expect(0).json();
    assert_eq!((place.asked("author"), place.asked("reviewer")), asked, "{again:#}");
    assert_eq!((&again["votes"]["approval"], place.touched(&again).len()), (&json!("approved"), 2), "{again:#}");
}

#[test]
fn one_voter_and_a_voter_of_the_authors_family_are_refused_at_once() {
    let place = Place::new();
    place.scores(97, [95, 95]);
    let agent = |name: &str| format!("command:sh {}", place.beside(name).display());
    let words = ["improve", "--no-builds", "--provider", &agent("author")];
    let more = |more: &[&str]| host(place.repo.path(), &[&words[..], more].concat());
    assert!(more(&["--voter", &agent("one")]).expect(2).stderr.contains("needs 2 voters"));
    let same = more(&["--voter", &agent("one"), "--voter", &agent("author")]).expect(2);
    assert!(same.stderr.contains("of the author's family"), "{same:?}");
    let same = more(&["--reviewer", &agent("author")]).expect(2);
    assert!(same.stderr.contains("of the author's family"), "{same:?}");
    assert_eq!(place.asked("author"), 0);
}
