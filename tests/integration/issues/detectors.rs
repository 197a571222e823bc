//! What tells that an issue is gone, where it is no scanner.

use serde_json::{Value, json};

use super::{Place, fix, pairs, review, statuses};

fn why(report: &Value) -> String {
    report["issues"][0]["why"].as_str().unwrap_or_default().to_owned()
}

/// A guard judges the whole tree as if all of it were new: what it reports on the base and not on the commit is gone.
#[test]
fn a_guard_tells_whether_an_issue_is_gone() {
    const MANIFEST: &str = "{\n  \"name\": \"x\",\n  \"version\": \"1.0.0\",\n  \"scripts\": \"none\"\n}\n";
    let cases = [
        ("  \"scripts\": {}", "resolved", 0, ""),
        // The file is touched, and what the guard reports is still there.
        ("  \"scripts\": \"none\",\n+  \"license\": \"MIT\"", "failed", 1, "its detector still reports it"),
    ];
    for (lines, status, code, expected) in cases {
        let place = Place::with(&[("package.json", MANIFEST)]);
        let last = lines.lines().count() + 4;
        let patch = format!(
            "--- a/package.json\n+++ b/package.json\n@@ -1,5 +1,{last} @@\n {{\n   \"name\": \"x\",\n   \"version\": \"1.0.0\",\n-  \"scripts\": \"none\"\n+{lines}\n }}"
        );
        place.agent("author", "", &[("", &patch)]);
        place.agent("reviewer", "", &[("", &review(99, &[("I001", "resolved", "package.json", 4)]))]);
        let detector = json!({ "guard": "schema-holds" });
        let issue = json!({ "title": "scripts is no object", "rule": "wrong-type", "path": "package.json", "line": 4, "detector": detector });
        let list = place.list(json!([issue]));
        let more = ["--issues", list.to_str().unwrap(), "--iterations", "1"];
        let report = place.fix_with(&["reviewer"], &more).expect(code).json();
        assert_eq!(statuses(&report), pairs(&[("I001", status)]), "{report:#}");
        assert!(why(&report).contains(expected), "{report:#}");
    }
    // A guard that is not there tells nothing.
    let place = Place::new(&["a.py"]);
    place.agent("author", "", &[("", &fix("a.py"))]);
    place.agent("reviewer", "", &[("", &review(99, &[("I001", "resolved", "a.py", 1)]))]);
    let list = place.list(json!([{ "title": "XXX", "path": "a.py", "detector": { "guard": "gone" } }]));
    let report = place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap()]).expect(1).json();
    assert_eq!(statuses(&report), pairs(&[("I001", "touched")]), "{report:#}");
    assert!(why(&report).contains("gone"), "{report:#}");
}

/// The first batch also fixes the file of the second, whose provider then finds nothing left to do: the commit that it is in counts.
#[test]
fn a_fix_that_another_batch_brought_counts() {
    let place = Place::new(&["a.py", "b.py"]);
    let both = fix("a.py") + "\n" + &fix("b.py");
    place.agent("author", "", &[("- b at", "NO_CHANGES_NEEDED"), ("- a at", &both)]);
    let all = [("a", "resolved", "a.py", 1), ("b", "resolved", "b.py", 1)];
    place.agent("reviewer", "", &[("", &review(99, &all))]);
    let list = place.list(json!([
        { "id": "a", "title": "XXX", "path": "a.py", "effort": 5, "files": 3 },
        { "id": "b", "title": "XXX", "path": "b.py", "effort": 5, "files": 3 },
    ]));
    let more = ["--issues", list.to_str().unwrap(), "--accept-touched"];
    let report = place.fix_with(&["reviewer"], &more).expect(0).json();
    assert_eq!(statuses(&report), pairs(&[("a", "touched"), ("b", "touched")]), "{report:#}");
    let outcomes: Vec<&Value> = report["batches"].as_array().unwrap().iter().map(|batch| &batch["outcome"]).collect();
    assert_eq!(outcomes, ["committed", "no-change"]);
    let commit = |at: usize| report["issues"][at]["commit"].as_str().expect("a commit");
    assert_eq!(commit(0), commit(1));

    // Where no commit has its file, a provider that sees nothing to do is not believed: the issue is open.
    let place = Place::new(&["a.py", "b.py"]);
    place.agent("author", "", &[("- b at", "NO_CHANGES_NEEDED"), ("- a at", &fix("a.py"))]);
    place.agent("reviewer", "", &[("", &review(99, &all))]);
    let list = place.list(json!([
        { "id": "a", "title": "XXX", "path": "a.py", "effort": 5, "files": 3 },
        { "id": "b", "title": "XXX", "path": "b.py", "effort": 5, "files": 3 },
    ]));
    let more = ["--issues", list.to_str().unwrap(), "--accept-touched"];
    let report = place.fix_with(&["reviewer"], &more).expect(1).json();
    assert_eq!(statuses(&report), pairs(&[("a", "touched"), ("b", "open")]), "{report:#}");
    assert!(!place.questions("reviewer").contains("- b at"), "it is not reviewed");
}
