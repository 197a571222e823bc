//! After an upgrade: another component, another embedded set, other rules. The reason is named.

use std::fs;

use guardhost_core::canonical::sha256;
use serde_json::Value;

use crate::support::guest::{PASS, REJECT};
use crate::support::repo::TestRepo;

use super::{
    CODE, DOC, GOOD, folder, other_build, outcome, problems, replay, replay_warm, repo, repo_with_built_component, run,
};

fn guard<'r>(report: &'r Value, id: &str) -> &'r Value {
    let guards = report["runs"][0]["changes"][0]["guards"].as_array().expect("guards");
    guards.iter().find(|guard| guard["id"] == id).expect("the guard")
}

#[test]
fn another_build_of_a_pinned_component_is_named_and_not_run() {
    let repo = repo_with_built_component();
    let report = run(&repo, &[GOOD], &[]);
    let id = report["run"].as_str().expect("a run");
    for verdict in [PASS, REJECT] {
        let other = other_build(verdict);
        repo.write("guards/asker.wasm", &other);
        let report = replay(repo.path(), &[id]).expect(1).json();
        let guard = guard(&report, "test-guest");
        assert_eq!(guard["outcome"], "component-differs", "{report:#}");
        assert_eq!(guard["says_same"], Value::Null, "other bytes than the recorded ones were run: {report:#}");
        assert_eq!(guard["replayed"]["digest"], sha256(&other));
        assert_ne!(guard["recorded"]["digest"], guard["replayed"]["digest"]);
        assert_eq!(outcome(&report, 0, "docs-kept"), "same");
        assert_eq!(report["runs"][0]["changes"][0]["receipt"]["same"], false);
    }
    repo.remove("guards/asker.wasm");
    let report = replay(repo.path(), &[id]).expect(1).json();
    assert_eq!(outcome(&report, 0, "test-guest"), "cannot-load", "{report:#}");
}

/// A record of a host that embedded another `docs-kept`, and another `syntax-holds` that said something else; written before records were
/// sealed and had receipts.
#[test]
fn another_embedded_guard_is_named_with_what_it_says() {
    let repo = repo();
    let report = run(&repo, &[GOOD], &[]);
    let id = report["run"].as_str().expect("a run");
    let dir = folder(&repo, id);
    let judgement = fs::read_to_string(dir.join("1/judgement.json")).expect("a judgement");
    let mut value: Value = serde_json::from_str(&judgement).expect("JSON");
    let guards = value["guards"].as_array_mut().expect("guards");
    let mut digests = Vec::new();
    for (id, findings) in [("docs-kept", false), ("syntax-holds", true)] {
        let guard = guards.iter_mut().find(|guard| guard["id"] == id).expect("the guard");
        let old = format!("sha256:{}", if findings { "a" } else { "b" }.repeat(64));
        digests.push((guard["digest"].as_str().expect("a digest").to_owned(), old.clone()));
        guard["digest"] = old.into();
        if findings {
            guard["verdict"] = "reject".into();
        }
    }
    let old = format!("{value}\n");
    fs::write(dir.join("1/judgement.json"), &old).expect("written");
    let records = fs::read_to_string(dir.join("records.jsonl")).expect("records");
    let mut lines = String::new();
    for line in records.lines() {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        let fields = line.as_object_mut().expect("an object");
        fields.retain(|name, _| !["seal", "receipt", "rules", "artifacts"].contains(&name.as_str()));
        lines.push_str(&format!("{line}\n"));
    }
    lines = lines.replace(&sha256(judgement.as_bytes()), &sha256(old.as_bytes()));
    digests.iter().for_each(|(now, then)| lines = lines.replace(now, then));
    fs::write(dir.join("records.jsonl"), lines).expect("written");

    let report = replay(repo.path(), &[id]).expect(1).json();
    assert_eq!(problems(&report), [], "{report:#}");
    assert_eq!(guard(&report, "docs-kept")["outcome"], "component-differs", "{report:#}");
    assert_eq!(guard(&report, "docs-kept")["says_same"], true);
    assert_eq!(guard(&report, "syntax-holds")["outcome"], "component-differs");
    assert_eq!(guard(&report, "syntax-holds")["says_same"], false);
    assert_eq!(outcome(&report, 0, "test-guest"), "same");
    assert_eq!(report["runs"][0]["changes"][0]["receipt"], Value::Null);
}

/// A record from before guards were renamed.
#[test]
fn a_guard_is_found_by_the_id_that_it_had_then() {
    let repo = TestRepo::with(&[("README.md", DOC), ("x.py", CODE)]);
    let report = run(&repo, &[GOOD], &[]);
    let id = report["run"].as_str().expect("a run");
    let dir = folder(&repo, id);
    let (former, current) = ("no-residue", "no-leftovers");
    let then = |text: &str| text.replace(&format!("{current:?}"), &format!("{former:?}"));
    let judgement = fs::read_to_string(dir.join("1/judgement.json")).expect("a judgement");
    let old = then(&judgement);
    assert_ne!(old, judgement);
    fs::write(dir.join("1/judgement.json"), &old).expect("written");
    let records = fs::read_to_string(dir.join("records.jsonl")).expect("records");
    let records = then(&records).replace(&sha256(judgement.as_bytes()), &sha256(old.as_bytes()));
    let unsealed = |line: &str| format!("{}}}\n", line.rsplit_once(",\"seal\":").expect("a seal").0);
    fs::write(dir.join("records.jsonl"), records.lines().map(unsealed).collect::<String>()).expect("written");
    let report = replay_warm(repo.path(), &[id]).expect(0).json();
    assert_eq!((problems(&report).len(), outcome(&report, 0, former)), (0, "same"), "{report:#}");
    let guards = report["runs"][0]["changes"][0]["guards"].as_array().expect("guards");
    assert!(guards.iter().all(|guard| guard["id"] != current), "{report:#}");
}

/// The alarm: the component is the recorded one, and says something else. The record is one that agrees with itself.
#[test]
fn another_verdict_of_the_same_component_is_named() {
    let repo = repo();
    let report = run(&repo, &[GOOD], &[]);
    let id = report["run"].as_str().expect("a run");
    let dir = folder(&repo, id);
    let judgement = fs::read_to_string(dir.join("1/judgement.json")).expect("a judgement");
    let mut value: Value = serde_json::from_str(&judgement).expect("JSON");
    let guards = value["guards"].as_array_mut().expect("guards");
    let guard = guards.iter_mut().find(|guard| guard["id"] == "syntax-holds").expect("the guard");
    guard["fuel"] = 1.into();
    let old = format!("{value}\n");
    fs::write(dir.join("1/judgement.json"), &old).expect("written");
    let records = fs::read_to_string(dir.join("records.jsonl")).expect("records");
    let records = records.replace(&sha256(judgement.as_bytes()), &sha256(old.as_bytes()));
    let unsealed = |line: &str| format!("{}}}\n", line.rsplit_once(",\"seal\":").expect("a seal").0);
    fs::write(dir.join("records.jsonl"), records.lines().map(unsealed).collect::<String>()).expect("written");
    let report = replay_warm(repo.path(), &[id]).expect(1).json();
    let guard = self::guard(&report, "syntax-holds");
    assert_eq!((&guard["outcome"], &guard["fields"][0]), (&"verdict-differs".into(), &"fuel".into()), "{report:#}");
    assert_eq!(problems(&report), []);
}

/// Rules that a run was given with `--config` are asked for again.
#[test]
fn other_rules_are_named() {
    let repo = repo();
    let rules = "schema = 1\n\n[policy]\nunjudged = \"accept\"\n\n[[guard]]\nid = \"docs-kept\"\n\n[[guard]]\nid = \"syntax-holds\"\n";
    repo.write("../mine.toml", rules);
    let report = run(&repo, &[GOOD], &["--config", "../mine.toml"]);
    let id = report["run"].as_str().expect("a run");
    let same = replay_warm(repo.path(), &[id, "--config", "../mine.toml"]).expect(0).json();
    assert_eq!(same["same"], true, "{same:#}");
    let other = replay_warm(repo.path(), &[id]).expect(1).json();
    assert_eq!(problems(&other), [("rules-differ".to_owned(), "guards.toml".to_owned())], "{other:#}");
}
