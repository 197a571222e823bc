//! `host patch`, run by a person and by a pre-commit hook, with a shell script as the agent.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::cli::{Ran, home, host, host_with};
use crate::support::repo::TestRepo;

const SUMMARY: &str = "# Summary\n\n- one vote for tea\n- one vote for coffee\n";
const GOOD: &str = "I count two votes for tea now.\n\n<<<AI_DIFF_START>>>\ndiff --git a/docs/summary.md b/docs/summary.md\nindex 1111111..2222222 100644\nsimilarity index 90%\n--- a/docs/summary.md\n+++ b/docs/summary.md\n@@ -1,4 +1,4 @@\n # Summary\n \n-- one vote for tea\n+- two votes for tea\n - one vote for coffee\n<<<AI_DIFF_END>>>\n";
const NEW: &str = "<<<AI_DIFF_START>>>\ndiff --git a/docs/votes/new.md b/docs/votes/new.md\n--- /dev/null\n+++ b/docs/votes/new.md\n@@ -0,0 +1,2 @@\n+# Votes\n+two for tea\n<<<AI_DIFF_END>>>\n";
const MISFIT: &str = "```diff\n--- a/docs/summary.md\n+++ b/docs/summary.md\n@@ -1,2 +1,2 @@\n # Summary\n-- nine votes for milk\n+- ten votes for milk\n```\n";
const ELSEWHERE: &str =
    "```diff\n--- a/docs/talk.md\n+++ b/docs/talk.md\n@@ -1,2 +1,2 @@\n # Talk\n-Ann: tea\n+Ann: milk\n```\n";
const PROSE: &str = "I looked at the discussion, and it is a lively one.\n";

/// A repository whose summary differs between index and HEAD, with a staged change of the talk, and unrelated files in every state.
fn repo() -> TestRepo {
    let repo = TestRepo::with(&[
        ("docs/talk.md", "# Talk\nAnn: tea\nBob: coffee\n"),
        ("docs/summary.md", "# Summary\n\n- no votes yet\n"),
        ("other.txt", "one\n"),
        (".gitignore", "*.log\n"),
    ]);
    repo.write("docs/summary.md", SUMMARY);
    repo.write("docs/talk.md", "# Talk\nAnn: tea\nBob: coffee\nCid: tea\n");
    repo.stage_all();
    repo.write("docs/talk.md", "# Talk\nAnn: tea\nBob: coffee\nCid: tea\nDee: not staged\n");
    repo.write("other.txt", "changed\n");
    repo.write("x.log", "ignored\n");
    repo
}

/// An agent that gives these answers, one a call, and keeps its prompts. It is beside the repository, not in it.
fn agent(repo: &TestRepo, replies: &[&str]) -> PathBuf {
    let dir = repo.path().join("../agent");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir(&dir).expect("a folder");
    let dir = dir.canonicalize().expect("a path");
    for (reply, number) in replies.iter().zip(1..) {
        std::fs::write(dir.join(format!("reply.{number}")), reply).expect("written");
    }
    let script = "#!/bin/sh\ncd \"$(dirname \"$0\")\"\nn=$(($(cat calls 2>/dev/null || echo 0) + 1))\necho $n > calls\ncat > prompt.$n\ncat reply.$n\n";
    std::fs::write(dir.join("ask"), script).expect("written");
    std::fs::set_permissions(dir.join("ask"), std::fs::Permissions::from_mode(0o755)).expect("executable");
    dir
}

fn prompt(repo: &TestRepo, number: u32) -> Option<String> {
    std::fs::read_to_string(repo.path().join(format!("../agent/prompt.{number}"))).ok()
}

fn patch(repo: &TestRepo, target: &str, replies: &[&str], more: &[&str]) -> Ran {
    let provider = format!("command:{}", agent(repo, replies).join("ask").display());
    let args = ["patch", "--source", "docs/talk.md", "--target", target, "--instruction", "Count the votes"];
    host_with(repo.path(), &[&args[..], &["--provider", &provider], more].concat(), b"", &[])
}

fn json(repo: &TestRepo, target: &str, replies: &[&str], more: &[&str], code: i32) -> Value {
    patch(repo, target, replies, &[more, &["--format", "json"]].concat()).expect(code).json()
}

/// The files in `.git/ai-rules-debug`, with the process id as `PID`.
fn artifacts(repo: &TestRepo) -> Vec<String> {
    let dir = repo.path().join(".git/ai-rules-debug");
    let mut names: Vec<_> = std::fs::read_dir(&dir)
        .expect("the folder")
        .map(|entry| {
            let entry = entry.expect("an entry");
            assert_eq!(entry.metadata().expect("data").permissions().mode() & 0o777, 0o600);
            let name = entry.file_name().into_string().expect("UTF-8");
            let (stem, rest) = name.split_once('-').expect("a dash");
            format!("{stem}-PID{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()))
        })
        .collect();
    names.sort();
    names
}

fn artifact(repo: &TestRepo, ending: &str) -> String {
    let entries = std::fs::read_dir(repo.path().join(".git/ai-rules-debug")).expect("the folder");
    let mut paths = entries.map(|entry| entry.expect("an entry").path());
    let path = paths.find(|path| path.to_string_lossy().ends_with(ending)).expect(ending);
    std::fs::read_to_string(path).expect("UTF-8")
}

/// In a hook the question costs something at every commit.
#[test]
fn no_provider_is_asked_where_nothing_of_the_source_is_staged() {
    let repo = repo();
    repo.git(&["commit", "-qm", "the talk"]);
    let before = (repo.snapshot(), repo.status());
    let words = ["patch", "--source", "docs/talk.md", "--target", "docs/summary.md", "--instruction", "Count"];
    // Whoever asked it would fail.
    let args = [&words[..], &["--provider", "command:false", "--if-staged", "--format", "json"]].concat();
    let report = host(repo.path(), &args).expect(0).json();
    assert_eq!((&report["outcome"], &report["rounds"]), (&"no-change".into(), &0.into()), "{report}");
    assert!(report["notices"][0].as_str().expect("a notice").contains("nothing of docs/talk.md is staged"), "{report}");
    assert_eq!(before, (repo.snapshot(), repo.status()));
    repo.write("docs/talk.md", "# Talk\nAnn: tea\n");
    repo.git(&["add", "docs/talk.md"]);
    host(repo.path(), &args).expect(6);
}

#[test]
fn the_target_follows_in_index_and_work_tree_and_nothing_else_moves() {
    let repo = repo();
    let talk = (repo.git(&["rev-parse", ":docs/talk.md"]), repo.read("docs/talk.md"));
    let json = json(&repo, "docs/summary.md", &[GOOD], &["--hint", "fast"], 0);
    assert_eq!((json["outcome"].as_str(), json["applied"].as_bool()), (Some("staged"), Some(true)));
    assert_eq!(json["touched"][0]["path"], "docs/summary.md");
    assert!(json["error"].is_null(), "{json}");
    let after = SUMMARY.replace("one vote for tea", "two votes for tea");
    assert_eq!(repo.read("docs/summary.md"), after.as_bytes());
    assert_eq!(repo.git(&["show", ":docs/summary.md"]), after.trim_end());
    assert_eq!(talk, (repo.git(&["rev-parse", ":docs/talk.md"]), repo.read("docs/talk.md")));
    assert_eq!(repo.status(), "M  docs/summary.md\nMM docs/talk.md\n M other.txt\n!! x.log");
    repo.git(&["fsck", "--strict", "--no-dangling"]);

    let asked = prompt(&repo, 1).expect("it was asked");
    for part in
        ["Count the votes", "TASK COMPLEXITY: FAST", "+Cid: tea", "- one vote for coffee", "Bob: coffee\nCid: tea\n"]
    {
        assert!(asked.contains(part), "the prompt lacks {part:?}: {asked}");
    }
    assert!(!asked.contains("not staged") && !asked.contains("no votes yet"), "only the index is shown: {asked}");

    let expected =
        ["clean.diff", "final.diff", "raw.out", "sanitized.diff"].map(|end| format!("docs_summary.md-PID.{end}"));
    assert_eq!(artifacts(&repo), expected);
    assert_eq!(artifact(&repo, ".raw.out"), GOOD);
    assert!(artifact(&repo, ".clean.diff").contains("index 1111111"));
    let sanitized = artifact(&repo, ".sanitized.diff");
    assert!(
        sanitized.contains("-- one vote for tea\n+- two votes for tea\n") && !sanitized.contains("index"),
        "{sanitized}"
    );
    let ids =
        [repo.git(&["rev-parse", "--short=7", "HEAD:docs/talk.md"]), repo.git(&["rev-parse", ":docs/summary.md"])];
    let last = artifact(&repo, ".final.diff");
    assert!(last.contains(&format!("..{} 100644", &ids[1][..7])), "the true ids: {last}");
}

#[test]
fn a_new_target_without_a_mode_becomes_a_plain_file() {
    let repo = repo();
    json(&repo, "docs/votes/new.md", &[NEW], &[], 0);
    assert_eq!(repo.read("docs/votes/new.md"), b"# Votes\ntwo for tea\n");
    assert!(repo.git(&["ls-files", "-s", "docs/votes"]).starts_with("100644 "));
    assert!(artifact(&repo, ".final.diff").contains("new file mode 100644"));
    assert!(prompt(&repo, 1).expect("asked").contains("does not exist yet"));
}

/// Each reply, with the older pipeline's error code and message, and the exit code. No case changes anything.
#[test]
fn errors_keep_the_names_of_the_older_pipeline() {
    let repo = repo();
    let cases = [
        (PROSE, "no-diff", "AI output did not contain a diff", 7),
        ("<<<AI_DIFF_START>>>\n\n<<<AI_DIFF_END>>>\n", "empty-patch", "AI returned empty patch", 7),
        (MISFIT, "apply-failed", "Failed to apply patch", 7),
        (ELSEWHERE, "refused", "docs/talk.md", 7),
    ];
    let before = (repo.snapshot(), repo.status());
    for (reply, code, words, exit) in cases {
        let json = json(&repo, "docs/summary.md", &[reply], &["--rounds", "1"], exit);
        assert_eq!((json["error"]["code"].as_str(), json["applied"].as_bool()), (Some(code), Some(false)), "{json}");
        assert!(json["error"]["message"].as_str().is_some_and(|message| message.contains(words)), "{json}");
        let human = patch(&repo, "docs/summary.md", &[reply], &["--rounds", "1"]).expect(exit);
        assert!(human.stdout.contains(words) && human.stdout.contains(code), "{human:?}");
    }
    let silent = json(&repo, "docs/summary.md", &[], &[], 6);
    assert_eq!(silent["error"]["code"], "all-providers-failed");
    assert_eq!(silent["error"]["message"], "All providers failed");
    assert_eq!(before, (repo.snapshot(), repo.status()));
}

#[test]
fn a_reply_without_changes_is_a_success() {
    let repo = repo();
    let before = (repo.snapshot(), repo.status());
    let said = patch(&repo, "docs/summary.md", &["NO_CHANGES_NEEDED\n"], &[]).expect(0);
    assert!(said.stdout.contains("No changes needed"), "{said:?}");
    // A patch that the index holds already changes nothing either.
    let again = GOOD.replace("one vote for tea", "no votes for tea").replace("two votes for tea", "one vote for tea");
    assert_eq!(json(&repo, "docs/summary.md", &[&again], &[], 0)["outcome"], "no-change");
    assert_eq!(before, (repo.snapshot(), repo.status()));
}

#[test]
fn an_unusable_answer_is_fed_back_and_every_attempt_is_kept() {
    let repo = repo();
    let json = json(&repo, "docs/summary.md", &[PROSE, MISFIT, GOOD], &["--rounds", "3"], 0);
    assert_eq!(json["rounds"], 3);
    assert!(prompt(&repo, 3).expect("asked").contains("nine votes for milk"));
    let kept = artifacts(&repo);
    for name in ["docs_summary.md-PID.raw.out", "docs_summary.md-PID-2.clean.diff", "docs_summary.md-PID-3.final.diff"]
    {
        assert!(kept.iter().any(|kept| kept == name), "{name}: {kept:?}");
    }
    assert_eq!(json["artifacts"].as_array().map(Vec::len), Some(kept.len()));
}

#[test]
fn guards_judge_it_and_a_rejected_patch_is_not_staged() {
    let repo = repo();
    let before = (repo.snapshot(), repo.status());
    let wipe =
        "<<<AI_DIFF_START>>>\n--- /dev/null\n+++ b/docs/data.json\n@@ -0,0 +1 @@\n+{\"votes\": \n<<<AI_DIFF_END>>>\n";
    let json = json(&repo, "docs/data.json", &[wipe], &["--rounds", "1"], 1);
    assert_eq!(json["error"]["code"], "rejected");
    assert_eq!(json["check"]["verdict"], "reject");
    assert_eq!(before, (repo.snapshot(), repo.status()));
}

#[test]
fn what_only_the_work_tree_has_is_taken_as_it_is_and_unstaged_edits_are_not_lost() {
    let repo = repo();
    // Untracked, or added with `--intent-to-add`.
    for announce in [false, true] {
        repo.git(&["rm", "-q", "--cached", "docs/summary.md"]);
        if announce {
            repo.git(&["add", "--intent-to-add", "docs/summary.md"]);
        }
        json(&repo, "docs/summary.md", &[GOOD], &[], 0);
        assert!(prompt(&repo, 1).expect("asked").contains("one vote for tea"));
        assert!(repo.git(&["show", ":docs/summary.md"]).contains("two votes for tea"));
        repo.write("docs/summary.md", SUMMARY);
        repo.git(&["add", "docs/summary.md"]);
    }
    repo.write("docs/summary.md", "# Summary\n\nmine, and not staged\n");
    repo.write("out.log", "ignored\n");
    let before = (repo.snapshot(), repo.status());
    for (target, words) in [
        ("docs/summary.md", "changed in the work tree"),
        ("out.log", "ignored"),
        (".git/hooks/pre-commit", "git"),
        ("guards.toml", "rules"),
        ("../x", "../x"),
    ] {
        let refused = patch(&repo, target, &[GOOD], &[]).expect(7);
        assert!(refused.stderr.contains(words), "{target}: {refused:?}");
        assert_eq!(prompt(&repo, 1), None, "{target}: the agent is not asked");
    }
    patch(&repo, "docs/summary.md", &[GOOD], &["--source", "nowhere.md"]).expect(2);
    assert_eq!(before, (repo.snapshot(), repo.status()));
}

#[test]
fn a_pre_commit_hook_brings_the_target_into_the_commit() {
    for arguments in [&["commit", "-q", "-m", "talk"][..], &["commit", "-q", "-a", "-m", "talk"]] {
        let repo = repo();
        let ask = agent(&repo, &[GOOD]).join("ask");
        let hook = repo.path().join(".git/hooks/pre-commit");
        std::fs::create_dir_all(hook.parent().expect("a folder")).expect("made");
        let script = format!(
            "#!/bin/sh\nHOME='{}' exec '{}' -q patch --source docs/talk.md --target docs/summary.md --instruction 'Count the votes' --provider 'command:{}'\n",
            home().display(),
            env!("CARGO_BIN_EXE_host"),
            ask.display()
        );
        std::fs::write(&hook, script).expect("written");
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("executable");
        repo.git(arguments);
        assert!(repo.git(&["show", "HEAD:docs/summary.md"]).contains("two votes for tea"), "{arguments:?}");
        assert!(!repo.status().contains("summary"), "{arguments:?}: {}", repo.status());
    }
}

#[test]
fn old_artifacts_go_and_foreign_files_stay() {
    let repo = repo();
    json(&repo, "docs/summary.md", &[GOOD], &[], 0);
    let dir = repo.path().join(".git/ai-rules-debug");
    let age = |path: &Path| {
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(40 * 24 * 3600);
        std::fs::File::open(path).expect("it is there").set_modified(old).expect("aged");
    };
    std::fs::write(dir.join("notes.txt"), "mine").expect("written");
    std::fs::read_dir(&dir).expect("the folder").for_each(|entry| age(&entry.expect("an entry").path()));
    json(&repo, "docs/summary.md", &["NO_CHANGES_NEEDED\n"], &[], 0);
    let mut left: Vec<_> =
        std::fs::read_dir(&dir).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.iter().any(|name| name == "notes.txt"));
}

/// A source that holds credentials is not sent, and neither is its change.
#[test]
fn a_source_with_credentials_is_not_sent() {
    let repo = repo();
    repo.write("docs/talk.md", "-----BEGIN PRIVATE KEY-----\nMIIE\n");
    repo.stage_all();
    let ran = patch(&repo, "docs/summary.md", &[GOOD], &[]).expect(2);
    assert!(ran.stderr.contains("docs/talk.md is not shown to a model: it holds a private key"), "{ran:?}");
    assert_eq!(prompt(&repo, 1), None);
}
