//! What a repository remembers of rulings, and when it remembers nothing.

use std::fs;
use std::path::PathBuf;

use guardhost_core::change::RememberedVerdict;
use guardhost_report::rulings::{PastRuling, read};
use jiff::Timestamp;
use serde_json::json;

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

const GOOD: &str = "def x():\n    return 2\n";
const BAD: &str = "def x(:\n    return 2\n";

fn repo() -> TestRepo {
    TestRepo::with(&[("x.py", "def x():\n    return 1\n")])
}

fn state(repo: &TestRepo) -> PathBuf {
    repo.path().join(".git/guardhost")
}

fn remembered(repo: &TestRepo) -> Vec<PastRuling> {
    read(&state(repo), Timestamp::now()).expect("the records").rulings
}

fn stage(repo: &TestRepo, text: &str) {
    repo.write("x.py", text);
    repo.stage_all();
}

#[test]
fn nothing_is_remembered_where_somebody_says_so() {
    let repo = repo();
    stage(&repo, BAD);
    for off in ["0", "false", "no"] {
        let ran = host_with(repo.path(), &["check", "--staged"], b"", &[("GUARDHOST_REMEMBER", off)]);
        ran.expect(1);
    }
    assert!(remembered(&repo).is_empty());
    host_with(repo.path(), &["check", "--staged"], b"", &[("GUARDHOST_REMEMBER", "1")]).expect(1);
    assert_eq!(remembered(&repo).len(), 1);

    let repo = self::repo();
    repo.write("guards.toml", "schema = 1\n\n[policy]\nremember = false\n");
    repo.commit("rules");
    stage(&repo, BAD);
    host(repo.path(), &["check", "--staged"]).expect(1);
    assert!(remembered(&repo).is_empty());
}

#[test]
fn no_verdict_depends_on_whether_it_can_be_remembered() {
    let repo = repo();
    fs::create_dir_all(state(&repo)).expect("a folder");
    fs::write(state(&repo).join("rulings"), "in the way").expect("a file");
    for (text, code) in [(GOOD, 0), (BAD, 1)] {
        stage(&repo, text);
        let ran = host(repo.path(), &["check", "--staged"]).expect(code);
        assert!(ran.stderr.contains("this ruling is not remembered"), "{ran:?}");
        host(repo.path(), &["hook", "git", "pre-commit"]).expect(code);
    }
}

/// A secret, the message of a finding and a line of code are in no record.
#[test]
fn a_record_names_files_and_rules_and_quotes_nothing() {
    let repo = repo();
    let secret = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    stage(&repo, &format!("TOKEN = \"{secret}\"\n\n\ndef x():\n    return 2\n"));
    host(repo.path(), &["check", "--staged"]).expect(1);
    let past = remembered(&repo);
    let [only] = past.as_slice() else { panic!("{past:?}") };
    assert_eq!(
        (only.ruling.verdict, only.ruling.files.as_slice()),
        (RememberedVerdict::Rejected, &["x.py".to_owned()][..])
    );
    assert!(only.ruling.findings.iter().any(|finding| finding.guard == "no-secrets"), "{only:?}");
    assert!(only.ruling.fuel > 0 && only.ruling.micros > 0, "{only:?}");
    let text: String = fs::read_dir(state(&repo).join("rulings"))
        .expect("a folder")
        .map(|file| fs::read_to_string(file.expect("an entry").path()).expect("text"))
        .collect();
    assert!(!text.contains(&secret[4..]) && !text.contains("def x"), "{text}");
}

#[test]
fn it_is_known_who_asked_and_what_was_allowed() {
    let repo = repo();
    // The hook of an agent, and its fix.
    let input = json!({ "hook_event_name": "PreToolUse", "cwd": repo.path(), "tool_name": "Write",
        "tool_input": { "file_path": repo.path().join("x.py"), "content": BAD } });
    host_with(repo.path(), &["hook", "claude", "PreToolUse"], input.to_string().as_bytes(), &[]);
    // The shell of another.
    stage(&repo, BAD);
    host_with(repo.path(), &["check", "--staged"], b"", &[("CODEX_CI", "1")]).expect(1);
    // A person excuses a line, leaves a guard out, and writes a baseline: one record each.
    stage(&repo, "def x(:  # guardhost: allow python-syntax another program reads it\n    return 2\n");
    host(repo.path(), &["check", "--staged"]).expect(0);
    stage(&repo, BAD);
    host(repo.path(), &["check", "--staged", "--skip", "syntax-holds"]);
    host(repo.path(), &["check", "--staged", "--write-baseline", "../baseline.json"]).expect(0);
    let past = remembered(&repo);
    let who: Vec<_> = past
        .iter()
        .map(|past| (past.ruling.door.as_str(), past.ruling.agent.as_deref(), past.ruling.author.as_str()))
        .collect();
    let person = ("check", None, "person");
    assert_eq!(
        who,
        [("agent-edit", Some("claude"), "model"), ("check", Some("codex"), "model"), person, person, person]
    );
    let allowed = |at: usize| json!(past[at].ruling.allowed);
    let finding =
        |by: &str| json!([{ "guard": "syntax-holds", "rule": "python-syntax", "file": "x.py", "count": 1, "by": by }]);
    assert_eq!((allowed(2), allowed(4)), (finding("comment"), finding("baseline")));
    assert_eq!(past[3].ruling.skipped, ["syntax-holds"]);
}
