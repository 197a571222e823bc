//! Fixes that guards give: applied and judged again without asking a provider, or not applied at all.

mod edits;

use std::fs;
use std::path::Path;

use guard_cases::Case;
use serde_json::{Value, json};

use crate::support::cases;
use crate::support::cli::{Ran, host, host_with};
use crate::support::repo::TestRepo;

const FENCED: &str = "```diff\ndiff --git a/tool.py b/tool.py\nnew file mode 100644\n--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,4 @@\n+```python\n+def tool():\n+    return 1\n+```\n```\n";
const PLAIN: &str = "```diff\ndiff --git a/tool.py b/tool.py\nnew file mode 100644\n--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,2 @@\n+def tool():\n+    return 2\n```\n";
/// The same fence, and an error that only the author can fix.
const HALF: &str = "```diff\ndiff --git a/tool.py b/tool.py\nnew file mode 100644\n--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,4 @@\n+```python\n+def tool():\n+    return 1\n+```\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";
/// Behind the fence there is JSON that the schema refuses.
const BENEATH: &str = "```diff\n--- a/package.json\n+++ b/package.json\n@@ -1,4 +1,7 @@\n+```json\n {\n   \"name\": \"x\",\n-  \"version\": \"1.0.0\"\n+  \"version\": \"1.0.0\",\n+  \"scripts\": \"none\"\n }\n+```\n```\n";

fn repo() -> TestRepo {
    let repo = TestRepo::with(&[
        ("x.py", "def x():\n    return 1\n"),
        ("package.json", "{\n  \"name\": \"x\",\n  \"version\": \"1.0.0\"\n}\n"),
        ("a.txt", "one\n"),
    ]);
    repo.write("a.txt", "two\n");
    repo
}

fn replies(repo: &TestRepo, replies: &[&str]) {
    let line = |(reply, round)| json!({ "round": round, "provider": "test", "reply": reply }).to_string();
    let lines: Vec<String> = replies.iter().zip(1..).map(line).collect();
    fs::write(repo.path().join("../replies.jsonl"), lines.join("\n")).unwrap();
}

fn run(repo: &TestRepo, given: &[&str], more: &[&str]) -> Ran {
    replies(repo, given);
    let args = ["run", "--task", "Add a tool", "--file-hint", "package.json", "--provider", "replay:../replies.jsonl"];
    host(repo.path(), &[&args[..], more].concat())
}

/// The events of a trace, by name.
fn trace(report: &Value) -> Vec<Value> {
    let text = fs::read_to_string(report["trace"].as_str().unwrap()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_fence_round_a_file_costs_no_second_round() {
    let repo = repo();
    let before = (repo.status(), repo.snapshot());
    let report = run(&repo, &[FENCED], &["--format", "json"]).expect(0).json();
    let round = &report["rounds"][0];
    assert_eq!((report["outcome"].as_str(), report["rounds"].as_array().map(Vec::len)), (Some("committed"), Some(1)));
    let fix = json!({ "guard": "syntax-holds", "rule": "wrapped-in-fence", "path": "tool.py", "line": 1, "title": "Remove the fence lines" });
    let fixed = &round["check"]["fixed"];
    assert_eq!((fixed["applied"].as_bool(), &fixed["fixes"]), (Some(true), &json!([fix])));
    assert_eq!((&fixed["before"]["verdict"], &round["check"]["verdict"]), (&json!("reject"), &json!("pass")));
    assert_eq!(round["touched"][0]["lines_added"], 2);
    assert_eq!(round["notes"], json!(["fix: tool.py: Remove the fence lines (syntax-holds/wrapped-in-fence)"]));
    let commit = report["commit"].as_str().unwrap();
    assert_eq!(repo.git(&["show", &format!("{commit}:tool.py")]), "def tool():\n    return 1");
    assert!(!report["diff"].as_str().unwrap().contains("```"), "{report}");
    assert_eq!(before, (repo.status(), repo.snapshot()));

    let events = trace(&report);
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let stages: Vec<_> = names
        .into_iter()
        .filter(|name| !["judged", "not-fixed"].contains(name))
        .skip_while(|name| *name != "placed")
        .collect();
    assert_eq!(
        stages,
        [
            "placed",
            "judging",
            "critic_syntax_check.fail",
            "fixing",
            "judging",
            "fixed",
            "settling",
            "committed",
            "run-ended"
        ]
    );
    assert_eq!(events.iter().find(|event| event["event"] == "fixed").unwrap()["fixes"], json!([fix]));

    // The record keeps the provider's own patch and the fixed one apart.
    let id = report["run"].as_str().unwrap();
    let past = host(repo.path(), &["log", id, "--format", "json"]).expect(0).json()["run"].take();
    let [own, mended] = past["patchsets"].as_array().unwrap().as_slice() else { panic!("{past}") };
    assert_eq!((&own["apply_status"], &mended["apply_status"]), (&json!("rejected"), &json!("applied")));
    assert_eq!((&own["created_by"]["kind"], &mended["created_by"]["kind"]), (&json!("agent"), &json!("system")));
    assert_eq!((&mended["mends"], &mended["fixes"]), (&own["object_id"], &json!([fix])));
    let verdict = |set: &Value| {
        let evidence = set["evidence"].as_array().unwrap();
        evidence.iter().find(|evidence| evidence["tool"] == "syntax-holds").unwrap()["verdict"].clone()
    };
    assert_eq!((verdict(own), verdict(mended)), (json!("reject"), json!("pass")));
    let artifact = |set: &Value| {
        fs::read_to_string(Path::new(past["dir"].as_str().unwrap()).join(set["artifact"]["path"].as_str().unwrap()))
            .unwrap()
    };
    assert!(artifact(own).contains("+```python\n") && !artifact(mended).contains("```"));
    let human = host(repo.path(), &["log", id]).expect(0).stdout;
    assert!(human.contains("fixed      tool.py: Remove the fence lines (syntax-holds/wrapped-in-fence)"), "{human}");
    let human = run(&repo, &[FENCED], &[]).expect(0).stdout;
    assert!(human.contains("repaired   fix: tool.py: Remove the fence lines"), "{human}");
}

#[test]
fn without_fixes_a_second_round_is_asked_for() {
    let repo = repo();
    let report = run(&repo, &[FENCED, PLAIN], &["--no-fix", "--format", "json"]).expect(0).json();
    let rounds = report["rounds"].as_array().unwrap();
    assert_eq!((rounds.len(), &rounds[0]["check"]["fixed"]), (2, &Value::Null));
    let feedback = rounds[0]["feedback"].as_str().unwrap();
    assert!(
        feedback.contains("| tool.py:1: error: ")
            && feedback.contains("[syntax-holds/wrapped-in-fence]\n")
            && feedback.contains("|     1: ```python\n"),
        "{feedback}"
    );
    assert_eq!(
        repo.git(&["show", &format!("{}:tool.py", report["commit"].as_str().unwrap())]),
        "def tool():\n    return 2"
    );
    // A flag overrides the environment.
    let applied = |flags: &[&str], env: &[(&str, &str)]| {
        let args =
            ["run", "--task", "Add", "--provider", "replay:../replies.jsonl", "--rounds", "1", "--format", "json"];
        let report = host_with(repo.path(), &[&args[..], flags].concat(), b"", env).json();
        report["rounds"][0]["check"]["fixed"]["applied"] == true
    };
    let env = [("GUARDHOST_FIX", "false")];
    assert!(applied(&[], &[]) && applied(&["--fix"], &env));
    assert!(!applied(&["--no-fix"], &[]) && !applied(&["--fix=false"], &[]) && !applied(&[], &env));
}

#[test]
fn a_change_with_an_error_without_a_fix_is_not_fixed_in_part() {
    let repo = repo();
    let report = run(&repo, &[HALF, PLAIN], &["--format", "json"]).expect(0).json();
    let round = &report["rounds"][0];
    let fixed = json!({ "applied": false, "fixes": [], "reason": "1 of 2 errors cannot be fixed without their author", "before": null });
    assert_eq!((&round["check"]["fixed"], &round["setback"]["kind"]), (&fixed, &json!("rejected")));
    let feedback = round["feedback"].as_str().unwrap();
    assert!(feedback.contains("tool.py") && feedback.contains("x.py"), "{feedback}");
    assert!(trace(&report).iter().any(|event| event["event"] == "not-fixed"));
}

#[test]
fn errors_that_only_show_after_a_fix_are_in_the_same_feedback() {
    let repo = repo();
    let report = run(&repo, &[BENEATH, PLAIN], &["--format", "json"]).expect(0).json();
    let round = &report["rounds"][0];
    let fixed = &round["check"]["fixed"];
    assert_eq!((&fixed["applied"], fixed["fixes"].as_array().map(Vec::len)), (&json!(false), Some(1)));
    assert_eq!(fixed["reason"], "with them it would still be turned down by schema-holds");
    let feedback = round["feedback"].as_str().unwrap();
    assert!(feedback.contains("Rejected by: syntax-holds.\n"), "{feedback}");
    assert!(feedback.contains("| package.json:4: error (as it would be with the errors above fixed): "), "{feedback}");
    let past = host(repo.path(), &["log", report["run"].as_str().unwrap(), "--format", "json"]).expect(0).json();
    let sets = past["run"]["patchsets"].as_array().unwrap();
    let statuses: Vec<_> = sets.iter().map(|set| (&set["apply_status"], set["mends"].is_string())).collect();
    assert_eq!(statuses, [(&json!("rejected"), false), (&json!("rejected"), true), (&json!("applied"), false)]);
}

#[test]
fn host_patch_applies_fixes_too() {
    let repo = TestRepo::with(&[("a.md", "# A\n"), ("b.json", "{\n  \"n\": 1\n}\n")]);
    repo.write("a.md", "# A\n\nTwo.\n");
    repo.stage_all();
    replies(&repo, &["```diff\n--- a/b.json\n+++ b/b.json\n@@ -1,3 +1,3 @@\n {\n-  \"n\": 1\n+  \"n\": 2,\n }\n```\n"]);
    let args = [
        "patch",
        "--source",
        "a.md",
        "--target",
        "b.json",
        "--instruction",
        "Count",
        "--provider",
        "replay:../replies.jsonl",
    ];
    let report = host(repo.path(), &[&args[..], &["--format", "json"]].concat()).expect(0).json();
    assert_eq!((&report["outcome"], &report["rounds"]), (&json!("staged"), &json!(1)));
    assert_eq!(repo.read("b.json"), b"{\n  \"n\": 2\n}\n");
    assert_eq!(repo.status(), "M  a.md\nM  b.json");
}

#[test]
fn apply_places_the_fixed_change_on_request() {
    let repo = repo();
    fs::write(repo.path().join("../p.diff"), FENCED).unwrap();
    let before = (repo.status(), repo.snapshot());
    let apply =
        |more: &[&str]| host(repo.path(), &[&["apply", "--patch", "../p.diff", "--format", "json"], more].concat());
    let refused = apply(&[]).expect(1).json();
    assert_eq!((&refused["applied"], &refused["check"]["fixed"]), (&json!(false), &Value::Null));
    assert_eq!(apply(&["--fix", "--dry-run"]).expect(0).json()["applied"], true);
    apply(&["--fix", "--no-guards"]).expect(2);
    assert_eq!(before, (repo.status(), repo.snapshot()));
    let report = apply(&["--fix"]).expect(0).json();
    assert_eq!((&report["applied"], &report["check"]["fixed"]["applied"]), (&json!(true), &json!(true)));
    assert_eq!(repo.read("tool.py"), b"def tool():\n    return 1\n");
    assert_eq!(repo.status(), " M a.txt\nA  tool.py");
}

#[test]
fn a_staged_change_is_fixed_in_index_and_work_tree_or_not_at_all() {
    let repo = repo();
    repo.write("b.json", "{\n  \"a\": [1, 2,],\n}\n");
    repo.git(&["add", "b.json"]);
    let check = |more: &[&str]| host(repo.path(), &[&["check", "--format", "json"], more].concat());
    check(&["--staged"]).expect(1);
    check(&["--range", "HEAD", "--fix"]).expect(2);
    check(&["--patch", "-", "--fix"]).expect(2);
    // The file has unstaged edits as well, which must not be overwritten.
    repo.write("b.json", "{\n  \"a\": [1, 2, 3,],\n}\n");
    let before = (repo.status(), repo.snapshot());
    let refused = check(&["--staged", "--fix"]).expect(7).json();
    assert_eq!(refused["error"]["hint"], "stage or stash the rest of these files, or leave out --fix");
    assert_eq!(before, (repo.status(), repo.snapshot()));
    repo.git(&["add", "b.json"]);
    let report = check(&["--staged", "--fix"]).expect(0).json();
    assert_eq!((&report["verdict"], &report["fixed"]["applied"]), (&json!("pass"), &json!(true)));
    assert_eq!(repo.read("b.json"), b"{\n  \"a\": [1, 2, 3]\n}\n");
    assert_eq!(repo.status(), " M a.txt\nA  b.json");
    assert_eq!(repo.git(&["write-tree"]), report["candidate"].as_str().unwrap());
    // A clean change, and one that cannot be fixed, stay as they are.
    check(&["--staged", "--fix"]).expect(0);
    repo.write("x.py", "def x():\n    return (1\n");
    repo.stage_all();
    let before = repo.snapshot();
    check(&["--staged", "--fix"]).expect(1);
    assert_eq!(before, repo.snapshot());
}

/// Over the guards' own cases: a change whose errors all have a fix is accepted by the whole set once it is fixed.
#[test]
fn the_whole_set_accepts_what_a_fix_makes() {
    let mut fixed = 0;
    for (name, case) in cases::all().iter().filter(|(_, case)| is_fixable(case)) {
        let repo = TestRepo::new();
        cases::write(case, "before", &repo);
        repo.commit("base");
        repo.git(&["rm", "-q", "-r", "--ignore-unmatch", "."]);
        cases::write(case, "after", &repo);
        // A fix may undo the whole change of a case.
        repo.write("more.txt", "more\n");
        repo.stage_all();
        let ran = host(repo.path(), &["check", "--staged", "--fix", "--format", "json"]);
        let report = ran.json();
        let findings =
            report["guards"].as_array().unwrap().iter().flat_map(|guard| guard["findings"].as_array().unwrap());
        // Another guard may object too, and have no fix; and a fix of what no patch may touch is not placed.
        let is_open = findings.clone().any(|finding| finding["severity"] == "error" && finding["fix"].is_null());
        let is_protected =
            report["fixed"]["reason"].as_str().is_some_and(|reason| reason.contains("it is protected ("));
        assert_eq!(ran.code, i32::from(is_open || is_protected), "{name}: {ran:?}");
        if ran.code != 0 {
            continue;
        }
        fixed += 1;
    }
    assert!(fixed >= 10, "only {fixed} cases carry a fix");
}

/// A case without settings, in which every error has a fix.
fn is_fixable(case: &Case) -> bool {
    let expected: Value = serde_json::from_str(case.text("expect.json").unwrap().unwrap()).unwrap();
    let findings = expected["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let plain = case.file("settings.json").is_none() && case.file("task.json").is_none();
    plain && !findings.is_empty() && findings.iter().all(|finding| finding["fix"].is_string())
}
