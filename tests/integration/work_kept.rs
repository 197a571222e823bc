//! What others committed lately, in a real history: `work-kept`, and what the host tells it.

use serde_json::Value;

use crate::support::cli::host;
use crate::support::repo::TestRepo;

const OLD: &str = "def answer(request, cache):\n    key = request.key or \"none\"\n    value = compute(request)\n    cache[key] = value\n    return value\n\n\ndef compute(request):\n    return 0\n";
const NEW: &str = "def answer(request, cache):\n    if not request.key:\n        raise ValueError(\"a request needs a key\")\n    return cache.get(request.key) or compute(request)\n\n\ndef compute(request):\n    return 0\n";

/// A repository in which somebody changed `answer` lately, and something else after it.
fn repository() -> TestRepo {
    let repo = TestRepo::with(&[("src/answers.py", OLD), ("src/other.py", "x = 1\n")]);
    repo.write("src/answers.py", NEW);
    repo.commit("Ask for a key (#7)");
    repo.write("src/other.py", "x = 2\n");
    repo.commit("Count on");
    repo
}

/// A model that answers with the file as it was, beside what it was asked for.
fn from_memory(repo: &TestRepo) {
    repo.write("src/answers.py", OLD.replace("return 0", "return len(request.key)"));
    repo.stage_all();
}

fn findings(report: &Value) -> Vec<(&str, &str)> {
    let of = |guard: &'static str| report["guards"].as_array().unwrap().iter().filter(move |one| one["id"] == guard);
    let findings = of("work-kept").flat_map(|guard| guard["findings"].as_array().unwrap());
    findings.map(|found| (found["rule"].as_str().unwrap(), found["severity"].as_str().unwrap())).collect()
}

fn check(repo: &TestRepo, more: &[&str]) -> Value {
    host(repo.path(), &[&["check", "--guard", "work-kept", "--format", "json"], more].concat()).json()
}

#[test]
fn a_model_does_not_take_back_what_others_did() {
    let repo = repository();
    from_memory(&repo);
    let error = [("work-taken-back", "error")];
    assert_eq!(findings(&check(&repo, &["--staged", "--task", "Count the letters of the key."])), error);
    // Who asks for it gets it.
    assert_eq!(findings(&check(&repo, &["--staged", "--task", "Undo #7, and count the letters."])), []);

    repo.commit("Count letters");
    assert_eq!(findings(&check(&repo, &["--range", "HEAD~1..HEAD"])), [("work-taken-back", "warning")]);
    repo.git(&["commit", "-q", "--amend", "-m", "Count letters\n\nCo-authored-by: Claude <noreply@anthropic.com>"]);
    assert_eq!(findings(&check(&repo, &["--range", "HEAD~1..HEAD"])), error);
    // The same three commits as one change hold nothing that was there before it.
    assert_eq!(findings(&check(&repo, &["--range", "HEAD~3..HEAD"])), []);
}

#[test]
fn a_file_that_was_moved_or_is_as_old_as_the_history_is_compared_with_nothing() {
    let repo = repository();
    repo.git(&["mv", "src", "lib"]);
    repo.commit("Move");
    repo.write("lib/answers.py", OLD.replace("return 0", "return 1"));
    repo.stage_all();
    assert_eq!(findings(&check(&repo, &["--staged", "--task", "Count."])), []);
}

/// What a clone lacks is not fetched for this, and nothing is claimed of it.
#[test]
fn a_clone_without_earlier_contents_is_judged_without_them() {
    let origin = repository();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone");
    let url = format!("file://{}", origin.path().display());
    origin.git(&["clone", "-q", "--filter=blob:none", &url, clone.to_str().unwrap()]);
    std::fs::write(clone.join("src/answers.py"), OLD.replace("return 0", "return 1")).unwrap();
    let missing = || {
        let listed = crate::support::repo::git_in(&clone, &["rev-list", "--objects", "--all", "--missing=print"], b"");
        listed.lines().filter(|line| line.starts_with('?')).count()
    };
    let lacks = missing();
    assert!(lacks > 0, "the content of the first commit is not here");
    let words = ["check", "--worktree", "--guard", "work-kept", "--task", "Count.", "--format", "json"];
    assert_eq!(findings(&host(&clone, &words).json()), []);
    assert_eq!(missing(), lacks);
}

/// What continuous integration clones by default: nobody knows what was there before, and that is said.
#[test]
fn a_clone_without_earlier_commits_says_that_it_knows_none() {
    let origin = repository();
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone");
    let url = format!("file://{}", origin.path().display());
    origin.git(&["clone", "-q", "--depth=1", &url, clone.to_str().unwrap()]);
    std::fs::write(clone.join("src/answers.py"), OLD.replace("return 0", "return 1")).unwrap();
    let words = ["check", "--worktree", "--guard", "work-kept", "--task", "Count.", "--format", "json"];
    assert_eq!(findings(&host(&clone, &words).expect(0).json()), [("not-judged", "info")]);
}
