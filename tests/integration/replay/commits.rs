//! `host replay COMMIT`: with the records of its run, and by itself.

use serde_json::Value;

use crate::support::repo::TestRepo;

use super::{BAD, CODE, DOC, GOOD, replay, replay_warm, repo, run};

/// Guards that look at files alone, and one that wants to know the task.
const FILES: &str = "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\n\n[[guard]]\nid = \"syntax-holds\"\n";
const TASK: &str = "\n[[guard]]\nid = \"scope-kept\"\n";

fn trailer(repo: &TestRepo, commit: &str, name: &str) -> String {
    let format = format!("--format=%(trailers:key={name},valueonly)");
    repo.git(&["log", "-1", &format, commit]).trim().to_owned()
}

/// With no records, as in a clone.
fn forget(repo: &TestRepo) {
    std::fs::remove_dir_all(repo.path().join(".git/guardhost")).expect("removed");
}

#[test]
fn a_commit_carries_the_receipt_of_its_run() {
    let repo = repo();
    let report = run(&repo, &[BAD, GOOD], &[]);
    let commit = report["commit"].as_str().expect("a commit");
    let receipt = trailer(&repo, commit, "Guardhost-Receipt");
    assert!(receipt.starts_with("sha256:") && receipt.len() == 71, "{receipt}");
    let again = replay(repo.path(), &[commit]).expect(0).json();
    assert_eq!(again["commit"]["recorded"], true, "{again:#}");
    assert_eq!(again["commit"]["receipt"]["replayed"], receipt.as_str());
    assert_eq!(again["runs"][0]["changes"][1]["receipt"]["recorded"], receipt.as_str());
    // Its branch names the run.
    let branch = report["branch"].as_str().expect("a branch");
    assert_eq!(replay_warm(repo.path(), &[branch]).expect(0).json()["runs"][0]["run"], report["run"]);
}

#[test]
fn a_commit_whose_guards_saw_files_alone_needs_no_record() {
    let repo = TestRepo::with(&[("README.md", DOC), ("x.py", CODE), ("guards.toml", FILES)]);
    let report = run(&repo, &[GOOD], &[]);
    let commit = report["commit"].as_str().expect("a commit").to_owned();
    forget(&repo);
    let again = replay(repo.path(), &[&commit]).expect(0).json();
    assert_eq!(again["commit"]["recorded"], false, "{again:#}");
    assert_eq!(again["commit"]["receipt"]["same"], true, "{again:#}");
    let needs: Vec<&Value> =
        again["commit"]["guards"].as_array().expect("guards").iter().map(|guard| &guard["needs"]).collect();
    assert!(needs.iter().all(|needs| needs.as_array().is_some_and(Vec::is_empty)), "{again:#}");

    // The same words over another change.
    let message = repo.git(&["log", "-1", "--format=%B", &commit]);
    repo.write("x.py", "def x():\n    return 3\n");
    let forged = repo.commit(&message).to_string();
    let ran = replay_warm(repo.path(), &[&forged]).expect(1).json();
    assert_eq!(ran["commit"]["receipt"]["same"], false, "{ran:#}");
}

#[test]
fn what_a_commit_does_not_tell_is_named() {
    let repo = TestRepo::with(&[("README.md", DOC), ("x.py", CODE), ("guards.toml", &format!("{FILES}{TASK}"))]);
    let report = run(&repo, &[GOOD], &["--file-hint", "x.py"]);
    let commit = report["commit"].as_str().expect("a commit").to_owned();
    assert_eq!(replay(repo.path(), &[&commit]).expect(0).json()["same"], true);
    forget(&repo);
    let again = replay(repo.path(), &[&commit]).expect(1).json();
    let guards = again["commit"]["guards"].as_array().expect("guards");
    let needy: Vec<_> = guards.iter().filter(|guard| guard["needs"] == serde_json::json!(["task"])).collect();
    assert_eq!(needy.len(), 1, "{again:#}");
    assert_eq!(needy[0]["id"], "scope-kept");

    // A commit of a person has no receipt, which proves nothing.
    let own = repo.commit("by hand").to_string();
    let again = replay_warm(repo.path(), &[&own]).expect(1).json();
    assert_eq!((&again["commit"]["run"], &again["commit"]["receipt"]), (&Value::Null, &Value::Null));
}

/// The trailer of one run over the commit of another.
#[test]
fn a_commit_that_the_run_did_not_make_is_named() {
    let repo = repo();
    let report = run(&repo, &[GOOD], &[]);
    let message = repo.git(&["log", "-1", "--format=%B", report["commit"].as_str().expect("a commit")]);
    repo.write("x.py", "def x():\n    return 3\n");
    let forged = repo.commit(&message).to_string();
    let again = replay_warm(repo.path(), &[&forged]).expect(1).json();
    let problems = again["runs"][0]["problems"].as_array().expect("problems");
    assert!(problems.iter().any(|problem| problem["kind"] == "commit-differs"), "{again:#}");
    assert_eq!(again["commit"]["receipt"]["same"], false);
}

/// Records without seals, as a person writes them, in which the run made another commit: its verdicts are the same, and not of that.
#[test]
fn a_run_vouches_for_no_commit_that_it_did_not_judge() {
    let repo = repo();
    let report = run(&repo, &[GOOD], &[]);
    let commit = report["commit"].as_str().expect("a commit");
    let message = repo.git(&["log", "-1", "--format=%B", commit]);
    repo.write("x.py", "def x():\n    return 3\n");
    let forged = repo.commit(&message).to_string();
    let folder = repo.path().join(".git/guardhost/runs").join(report["run"].as_str().expect("a run"));
    let records = std::fs::read_to_string(folder.join("records.jsonl")).expect("records");
    let unsealed = records.lines().map(|line| {
        let mut object: Value = serde_json::from_str(line).expect("an object");
        object.as_object_mut().expect("an object").remove("seal");
        format!("{object}\n").replace(commit, &forged)
    });
    std::fs::write(folder.join("records.jsonl"), unsealed.collect::<String>()).expect("written");
    for args in [&[][..], &[forged.as_str()]] {
        let again = replay_warm(repo.path(), args).expect(1).json();
        let problems = again["runs"][0]["problems"].as_array().expect("problems");
        assert!(problems.iter().any(|problem| problem["kind"] == "commit-differs"), "{again:#}");
    }
}
