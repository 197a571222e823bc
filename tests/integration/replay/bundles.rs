//! `--export` and `--bundle`: another machine with the same repository.

use std::path::{Path, PathBuf};

use guardhost_core::canonical::sha256;
use serde_json::{Value, json};

use crate::support::cli::Ran;
use crate::support::random::Random;
use crate::support::repo::{TestRepo, git_in};

use super::{BAD, FENCED, GOOD, HALF, problems, replay, replay_warm, repo, repo_with_built_component, run};

/// A clone that has neither records nor rejected attempts nor the branches of runs.
fn clone(repo: &TestRepo) -> (tempfile::TempDir, PathBuf) {
    let temp = tempfile::tempdir().expect("a folder");
    let dir = temp.path().join("clone");
    let from = repo.path().to_str().expect("a path");
    git_in(temp.path(), &["clone", "-q", "--no-local", "--single-branch", "-b", "main", from, "clone"], b"");
    (temp, dir)
}

#[test]
fn another_machine_judges_the_same() {
    let repo = repo_with_built_component();
    let report = run(&repo, &[BAD, HALF, FENCED, GOOD], &[]);
    let id = report["run"].as_str().expect("a run");
    let written = replay_warm(repo.path(), &[id, "--export", "../run.json"]).expect(0).json();
    assert_eq!(written["exported"]["components"], 1, "{written:#}");
    let (_temp, clone) = clone(&repo);
    assert!(!clone.join("guards").exists());
    let bundle = repo.path().join("../run.json").canonicalize().expect("written");
    let again = replay(&clone, &["--bundle", bundle.to_str().expect("a path")]).expect(0).json();
    assert_eq!(again["same"], true, "{again:#}");
    let changes = again["runs"][0]["changes"].as_array().expect("changes");
    assert!(changes.len() > 2 && changes.iter().all(|change| change["rebuilt"] == "from-diff"), "{again:#}");
    assert!(!clone.join(".git/guardhost/runs").exists(), "a replay keeps nothing");
    // A file that is there is not overwritten.
    let refused = replay_warm(repo.path(), &[id, "--export", "../run.json"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    // A repository without the base commit is no place for it.
    let other = TestRepo::with(&[("a", "b")]);
    let elsewhere = replay_warm(other.path(), &["--bundle", bundle.to_str().expect("a path")]);
    let elsewhere = elsewhere.expect(1).json();
    assert_eq!(problems(&elsewhere), [("not-judged".to_owned(), id.to_owned())], "{elsewhere:#}");
}

fn exported(repo: &TestRepo) -> Value {
    let report = run(repo, &[GOOD], &[]);
    replay_warm(repo.path(), &[report["run"].as_str().expect("a run"), "--export", "../own.json"]).expect(0);
    serde_json::from_slice(&std::fs::read(repo.path().join("../own.json")).expect("written")).expect("JSON")
}

fn judge(repo: &TestRepo, bundle: &[u8]) -> Ran {
    repo.write("../hostile.json", bundle);
    replay_warm(repo.path(), &["--bundle", "../hostile.json"])
}

#[test]
fn a_hostile_bundle_is_refused_by_name() {
    let repo = repo();
    let own = exported(&repo);
    assert_eq!(judge(&repo, own.to_string().as_bytes()).expect(0).json()["same"], true);
    let bytes = |text: &str| json!({ "key": sha256(text.as_bytes()), "text": text });
    let file = |path: &str| {
        let mut bundle = own.clone();
        bundle["runs"][0]["files"][path] = bytes("x");
        bundle
    };
    let set = |change: &dyn Fn(&mut Value)| {
        let mut bundle = own.clone();
        change(&mut bundle);
        bundle
    };
    let records = |bundle: &mut Value| bundle["runs"][0]["files"]["records.jsonl"]["text"] = "{}".into();
    let twice = |bundle: &mut Value| {
        let run = bundle["runs"][0].clone();
        bundle["runs"].as_array_mut().expect("runs").push(run);
    };
    for (bundle, named) in [
        (file("../../../outside"), "../../../outside"),
        (file("/tmp/guardhost-outside"), "guardhost-outside"),
        (file("1/../../x"), "1/../../x"),
        (file("1/.hidden"), "1/.hidden"),
        (set(&|bundle| bundle["runs"][0]["run"] = "../escape".into()), "../escape"),
        (set(&twice), "twice"),
        (set(&records), "records.jsonl"),
        (set(&|bundle| bundle["replay_bundle"] = 2.into()), "version 2"),
        (
            set(&|bundle| bundle["components"] = json!([{ "key": "sha256:00", "base64": "AA==" }])),
            "component sha256:00",
        ),
        (set(&|bundle| bundle["components"] = json!([{ "key": "sha256:00", "base64": "%" }])), "no base64"),
        (set(&|bundle| bundle["more"] = 1.into()), "no bundle"),
        (json!([]), "no bundle"),
    ] {
        let ran = judge(&repo, bundle.to_string().as_bytes());
        assert_eq!(ran.code, 2, "{named}: {ran:?}");
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains(named), "{named}: {ran:?}");
    }
    assert_eq!(judge(&repo, b"").code, 2);
    assert!(!Path::new("/tmp/guardhost-outside").exists());
    let before = repo.path().parent().expect("a folder");
    assert!(!before.join("outside").exists() && !before.join("x").exists());
}

/// Whatever bit of a bundle flips: it is refused, or what it changed is named.
#[test]
fn a_flipped_bit_of_a_bundle_is_no_success() {
    let repo = repo();
    let own = exported(&repo).to_string().into_bytes();
    // Who made it decides nothing.
    let content = |bytes: &[u8]| {
        let mut value: Value = serde_json::from_slice(bytes).ok()?;
        value.as_object_mut()?.shift_remove("made_by");
        Some(value)
    };
    let mut random = Random::new(3);
    for _ in 0..40 {
        let bit = random.below(own.len() * 8);
        let mut flipped = own.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let ran = judge(&repo, &flipped);
        let expected: &[i32] = if content(&flipped) == content(&own) { &[0] } else { &[1, 2] };
        assert!(expected.contains(&ran.code), "bit {bit}: {ran:?}");
    }
}

/// Records whose own references lead out of the run's folder.
#[test]
fn a_record_that_names_other_files_reads_none_of_them() {
    let repo = repo();
    let own = exported(&repo);
    repo.write("../secret.txt", "a secret");
    let secret = repo.path().join("../secret.txt").canonicalize().expect("written");
    for path in [secret.to_str().expect("a path"), "../../../../secret.txt", "1/../../x"] {
        let mut bundle = own.clone();
        let text = bundle["runs"][0]["files"]["records.jsonl"]["text"].as_str().expect("records").to_owned();
        let key = sha256(b"a secret");
        let unsealed = |line: &str| {
            let (line, _) = line.rsplit_once(",\"seal\":").expect("a seal");
            let line = line.replace("1/judgement.json", path);
            let at = line.find(path).and_then(|at| line[..at].rfind("sha256:"));
            let line = at.map_or(line.clone(), |at| format!("{}{key}{}", &line[..at], &line[at + key.len()..]));
            format!("{line}}}\n")
        };
        let forged: String = text.lines().map(unsealed).collect();
        bundle["runs"][0]["files"]["records.jsonl"] = json!({ "key": sha256(forged.as_bytes()), "text": forged });
        let ran = judge(&repo, bundle.to_string().as_bytes());
        let report = ran.expect(1).json();
        let named = problems(&report);
        assert!(named.contains(&("artifact-missing".to_owned(), path.to_owned())), "{named:?}");
    }
}
