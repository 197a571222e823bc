//! One flipped bit anywhere: the file, or the thing, is named.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::random::Random;
use crate::support::repo::TestRepo;

use super::{BAD, FENCED, GOOD, HALF, folder, outcome, problems, replay_warm, repo, repo_with_built_component, run};

/// The files below a folder, relative to it, but for the trace, on which no verdict rests.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        match entry.is_dir() {
            true => found
                .extend(files(&entry).into_iter().map(|file| Path::new(entry.file_name().expect("a name")).join(file))),
            false if entry.ends_with("trace.jsonl") => {}
            false => found.push(entry.file_name().expect("a name").into()),
        }
    }
    found.sort();
    found
}

/// Replaces a file by these bytes, also where git made it read-only.
fn replace(path: &Path, bytes: &[u8]) {
    let mode = fs::metadata(path).expect("a file").permissions().mode();
    fs::remove_file(path).expect("removed");
    fs::write(path, bytes).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut flipped = bytes.to_vec();
    flipped[bit / 8] ^= 1 << (bit % 8);
    flipped
}

/// Replays with one flipped bit of a file, and puts the file back.
fn with_flip(repo: &TestRepo, id: &str, path: &Path, bit: usize) -> (i32, Option<Value>, String) {
    let bytes = fs::read(path).expect("a file");
    replace(path, &flipped(&bytes, bit));
    let ran = replay_warm(repo.path(), &[id]);
    replace(path, &bytes);
    (ran.code, serde_json::from_str(&ran.stdout).ok(), format!("{}\n{}", ran.stdout, ran.stderr))
}

#[test]
fn a_flipped_bit_of_any_file_of_a_run_is_named() {
    let repo = repo();
    let report = run(&repo, &[BAD, HALF, FENCED, GOOD], &[]);
    let id = report["run"].as_str().expect("a run");
    let dir = folder(&repo, id);
    let mut files = files(&dir);
    // Made of the record, for lists, and made again when it is missing or changed: a replay does not read it.
    files.retain(|file| !file.ends_with("summary.json"));
    assert!(files.len() > 15 && files.iter().any(|file| file.ends_with("answers.json")), "{files:?}");
    let mut random = Random::new(7);
    for file in &files {
        let path = dir.join(file);
        let bits = fs::metadata(&path).expect("a file").len() as usize * 8;
        for _ in 0..if file.ends_with("records.jsonl") { 12 } else { 1 } {
            let bit = random.below(bits);
            let (code, report, shown) = with_flip(&repo, id, &path, bit);
            assert_eq!(code, 1, "{} bit {bit}: {shown}", file.display());
            let named = problems(&report.expect("a report"));
            assert!(named.iter().any(|(_, what)| Path::new(what) == file), "{} bit {bit}: {named:?}", file.display());
        }
        fs::rename(&path, dir.join("away")).expect("moved");
        let ran = replay_warm(repo.path(), &[id]);
        fs::rename(dir.join("away"), &path).expect("moved");
        if !file.ends_with("records.jsonl") {
            let report = ran.expect(1).json();
            let missing = ("artifact-missing".to_owned(), file.display().to_string());
            assert!(problems(&report).contains(&missing), "{}: {report:#}", file.display());
        } else {
            assert_ne!(ran.code, 0, "{ran:?}");
        }
    }
    assert_eq!(replay_warm(repo.path(), &[id]).expect(0).json()["same"], true);
}

/// Answers that were changed are not given to a guard.
#[test]
fn changed_answers_are_missing_answers() {
    let repo = repo();
    let report = run(&repo, &[GOOD], &[]);
    let id = report["run"].as_str().expect("a run");
    let path = folder(&repo, id).join("1/answers.json");
    let text = fs::read_to_string(&path).expect("answers");
    fs::write(&path, text.replace("offline", "online!")).expect("written");
    let report = replay_warm(repo.path(), &[id]).expect(1).json();
    assert_eq!(outcome(&report, 0, "test-guest"), "answers-missing", "{report:#}");
    assert_eq!(outcome(&report, 0, "docs-kept"), "same");
    assert_eq!(problems(&report), [("artifact-changed".to_owned(), "1/answers.json".to_owned())]);
}

#[test]
fn a_flipped_bit_of_an_object_is_named() {
    let repo = repo();
    let report = run(&repo, &[GOOD], &[]);
    let (id, commit) = (report["run"].as_str().expect("a run"), report["commit"].as_str().expect("a commit"));
    let mut random = Random::new(11);
    for (object, is_blob) in
        [(format!("{commit}:x.py"), true), (format!("{commit}^:x.py"), true), (format!("{commit}^{{tree}}"), false)]
    {
        let oid = repo.git(&["rev-parse", &object]);
        let path = repo.path().join(".git/objects").join(&oid[..2]).join(&oid[2..]);
        let bits = fs::metadata(&path).expect("a loose object").len() as usize * 8;
        for _ in 0..6 {
            let bit = random.below(bits);
            let bytes = fs::read(&path).expect("an object");
            replace(&path, &flipped(&bytes, bit));
            let fsck =
                std::process::Command::new("git").current_dir(repo.path()).args(["fsck", "--no-dangling"]).output();
            let is_damaged = !fsck.expect("git runs").status.success();
            replace(&path, &bytes);
            let (code, report, shown) = with_flip(&repo, id, &path, bit);
            if !is_damaged {
                // A bit of the compressed form that no reader looks at: the object has its bytes.
                assert_eq!(code, 0, "{object} bit {bit}: {shown}");
                continue;
            }
            assert_ne!(code, 0, "{object} bit {bit}: {shown}");
            assert!(shown.contains(&oid[..7]) || shown.contains("damaged"), "{object} bit {bit}: {shown}");
            if is_blob {
                let named = problems(&report.expect("a report"));
                assert!(named.iter().any(|(kind, _)| kind == "object-damaged"), "{object} bit {bit}: {named:?}");
            }
        }
    }
    assert_eq!(replay_warm(repo.path(), &[id]).code, 0);
}

#[test]
fn a_flipped_bit_of_a_component_is_named() {
    let repo = repo_with_built_component();
    let report = run(&repo, &[GOOD], &[]);
    let id = report["run"].as_str().expect("a run");
    assert_eq!(replay_warm(repo.path(), &[id]).expect(0).json()["same"], true);
    let path = repo.path().join("guards/asker.wasm");
    let bits = fs::metadata(&path).expect("a component").len() as usize * 8;
    let mut random = Random::new(13);
    for _ in 0..6 {
        let bit = random.below(bits);
        let (code, report, shown) = with_flip(&repo, id, &path, bit);
        assert_eq!(code, 1, "bit {bit}: {shown}");
        let report = report.expect("a report");
        assert_eq!(outcome(&report, 0, "test-guest"), "component-differs", "bit {bit}: {shown}");
        assert_eq!(outcome(&report, 0, "docs-kept"), "same", "bit {bit}");
    }
}
