//! `host show --format agent-trace`: which lines of a commit a model wrote, in the form of Agent Trace 0.1.0.

use std::fs;

use serde_json::{Value, json};

use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

const BASE: &str = "def x():\n    return 1\n\n\ndef y():\n    return 1\n";
const TWO_FILES: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,6 +1,6 @@\n def x():\n-    return 1\n+    return 2\n \n \n def y():\n-    return 1\n+    return 3\n--- /dev/null\n+++ b/z.py\n@@ -0,0 +1,2 @@\n+def z():\n+    return 4\n```\n";

fn run(repo: &TestRepo, reply: &str, model: Option<&str>) -> Value {
    let line = json!({ "round": 1, "provider": "test", "model": model, "reply": reply });
    fs::write(repo.path().join("../replies.jsonl"), line.to_string()).unwrap();
    let args = ["run", "--task", "Count", "--provider", "replay:../replies.jsonl", "--rounds", "1", "--format", "json"];
    host(repo.path(), &args).json()
}

fn shown(repo: &TestRepo, report: &Value) -> Ran {
    host(repo.path(), &["show", report["run"].as_str().unwrap(), "--format", "agent-trace"])
}

/// What the published schema of the format asks of a record, written down from its facts.
fn is_record(record: &Value) -> bool {
    let contributor = json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": { "enum": ["human", "ai", "mixed", "unknown"] },
            "model_id": { "type": "string", "maxLength": 250 },
        },
    });
    let line = json!({ "type": "integer", "minimum": 1 });
    let range = json!({
        "type": "object",
        "required": ["start_line", "end_line"],
        "properties": { "start_line": line, "end_line": line, "content_hash": { "type": "string" } },
    });
    let conversation = json!({
        "type": "object",
        "required": ["ranges"],
        "properties": { "contributor": contributor, "ranges": { "type": "array", "items": range } },
    });
    let file = json!({
        "type": "object",
        "required": ["path", "conversations"],
        "properties": { "path": { "type": "string" }, "conversations": { "type": "array", "items": conversation } },
    });
    let schema = json!({
        "type": "object",
        "required": ["version", "id", "timestamp", "files"],
        "properties": {
            "version": { "type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$" },
            "id": { "type": "string", "format": "uuid" },
            "timestamp": { "type": "string", "format": "date-time", "pattern": "Z$" },
            "vcs": {
                "type": "object",
                "required": ["type", "revision"],
                "properties": { "type": { "enum": ["git", "jj", "hg", "svn"] }, "revision": { "type": "string" } },
            },
            "tool": {
                "type": "object",
                "required": ["name", "version"],
                "properties": { "name": { "type": "string" }, "version": { "type": "string" } },
            },
            "files": { "type": "array", "items": file },
        },
    });
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap().is_valid(record)
}

/// Path, and first and last line, of what is claimed.
fn claimed(record: &Value) -> Vec<(String, u64, u64)> {
    let files = record["files"].as_array().unwrap().iter();
    let ranges = files.flat_map(|file| {
        let conversations = file["conversations"].as_array().unwrap().iter();
        let ranges = conversations.flat_map(|conversation| conversation["ranges"].as_array().unwrap());
        ranges.map(|range| (file["path"].as_str().unwrap().to_owned(), range))
    });
    let lines = |range: &Value| (range["start_line"].as_u64().unwrap(), range["end_line"].as_u64().unwrap());
    ranges.map(|(path, range)| (path, lines(range).0, lines(range).1)).collect()
}

#[test]
fn the_lines_of_a_model_are_told_and_no_others() {
    let repo = TestRepo::with(&[("x.py", BASE)]);
    let report = run(&repo, TWO_FILES, Some("m-1"));
    assert_eq!(report["outcome"], "committed", "{report}");
    let text = shown(&repo, &report).expect(0).stdout;
    assert_eq!(text.lines().count(), 1, "{text}");
    let record: Value = serde_json::from_str(&text).unwrap();
    assert!(is_record(&record), "{record}");
    assert_eq!(record["vcs"], json!({ "type": "git", "revision": report["commit"] }));
    assert_eq!((&record["version"], &record["tool"]["name"]), (&"0.1.0".into(), &"guardhost".into()));
    let contributor = &record["files"][0]["conversations"][0]["contributor"];
    assert_eq!(contributor, &json!({ "type": "ai", "model_id": "test/m-1" }));
    // Those that git blames the commit for.
    let of = |path: &str, line| (path.to_owned(), line, line);
    assert_eq!(claimed(&record), [of("x.py", 2), of("x.py", 6), ("z.py".to_owned(), 1, 2)]);
    for (path, first, last) in claimed(&record) {
        let lines = format!("-L{first},{last}");
        let commit = report["commit"].as_str().unwrap();
        let blamed = repo.git(&["blame", "-s", "-l", &lines, commit, "--", &path]);
        assert!(blamed.lines().all(|line| line.starts_with(commit)), "{path}: {blamed}");
    }
    assert_eq!(shown(&repo, &report).expect(0).stdout, text, "a commit has one record");

    // What somebody adds to the commit makes another, of which no run knows.
    repo.git(&["checkout", "-q", report["branch"].as_str().unwrap()]);
    repo.write("mine.py", "def mine():\n    return 5\n");
    repo.stage_all();
    repo.git(&["commit", "-q", "--amend", "--no-edit"]);
    let amended = repo.git(&["rev-parse", "HEAD"]);
    assert!(!shown(&repo, &report).stdout.contains(amended.trim()));

    let mut wrong = record.clone();
    wrong["files"][0]["conversations"][0]["ranges"][0]["start_line"] = 0.into();
    assert!(!is_record(&wrong));
    let mut wrong = record;
    wrong["id"] = "7".into();
    assert!(!is_record(&wrong));
}

#[test]
fn a_model_without_a_name_gets_none_and_without_a_commit_there_is_no_record() {
    let repo = TestRepo::with(&[("x.py", BASE)]);
    let bad = TWO_FILES.replace("+    return 2", "+    return (2");
    let said = shown(&repo, &run(&repo, &bad, Some("m-1"))).expect(8);
    assert!(said.stdout.contains("committed nothing") && !said.stdout.contains("contributor"), "{said:?}");
    let text = shown(&repo, &run(&repo, TWO_FILES, None)).expect(0).stdout;
    let record: Value = serde_json::from_str(&text).unwrap();
    assert!(is_record(&record), "{record}");
    assert_eq!(record["files"][0]["conversations"][0]["contributor"], json!({ "type": "ai" }));
}
