//! Lists of issues: what is read, and what is refused.

use serde_json::json;

use super::{Place, fix, pairs, review, statuses};
use crate::support::cli::host;

#[test]
fn ignored_and_duplicate_issues_are_not_tried() {
    let place = Place::new(&["a.py"]);
    place.agent("author", "", &[("a.py", &fix("a.py"))]);
    place.agent("reviewer", "", &[("", &review(99, &[("a", "resolved", "a.py", 1)]))]);
    let list = place.list(json!([
        { "id": "a", "title": "XXX", "path": "a.py", "line": 1 },
        { "id": "b", "title": "XXX", "path": "a.py", "line": 9 },
        { "id": "c", "title": "Old", "path": "a.py", "status": "ignored", "why": "by design" },
    ]));
    let more = ["--issues", list.to_str().unwrap(), "--accept-touched"];
    let report = place.fix_with(&["reviewer"], &more).expect(0).json();
    assert_eq!(statuses(&report), pairs(&[("a", "touched"), ("b", "duplicate"), ("c", "ignored")]), "{report:#}");
    assert_eq!(
        (&report["issues"][1]["why"], &report["issues"][2]["why"]),
        (&json!("the same as a"), &json!("by design"))
    );
    let asked = place.questions("author");
    assert!(!asked.contains("Old") && !asked.contains("- b at"), "{asked}");
}

#[test]
fn an_empty_list_is_a_clean_end() {
    let place = Place::new(&["a.py"]);
    place.agent("author", "", &[]);
    place.agent("reviewer", "", &[]);
    let list = place.list(json!([]));
    let report = place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap()]).expect(0).json();
    assert_eq!((&report["issues"], &report["commit"], place.asked("author")), (&json!([]), &json!(null), 0));
}

#[test]
fn what_makes_no_sense_is_named_with_its_place() {
    let place = Place::new(&["a.py"]);
    place.agent("author", "", &[]);
    place.agent("reviewer", "", &[]);
    for (issues, expected) in [
        (json!([{ "title": "" }]), "issues[0]: the title is empty"),
        (json!([{ "title": "x", "path": "../x" }]), "no path inside of the repository"),
        (json!([{ "title": "x", "effort": 9 }]), "an effort is 1 to 5"),
        (json!([{ "title": "x", "id": "a" }, { "title": "y", "id": "a" }]), "two issues have the id"),
        (json!([{ "titel": "x" }]), "unknown field `titel`"),
    ] {
        let list = place.list(issues);
        let refused = place.fix_with(&["reviewer"], &["--issues", list.to_str().unwrap()]).expect(2);
        assert!(refused.stdout.contains(expected), "{expected}: {refused:?}");
    }
    let list = place.list(json!([]));
    let wrong = place.fix_with(&["reviewer"], &["--sarif", list.to_str().unwrap()]).expect(2);
    assert!(wrong.stdout.contains("2.1.0 is read"), "{wrong:?}");
    let unknown = place.fix_with(&["reviewer"], &["--resume", "ffff"]).expect(2);
    assert!(unknown.stdout.contains("no run begins with"), "{unknown:?}");
    assert_eq!(place.asked("author"), 0);
}

/// The points that an audit does not give are issues; the metric tells whether one is gone.
#[test]
fn what_an_audit_found_is_resolved_when_its_metric_gives_the_point() {
    let place = Place::new(&["a.py"]);
    let audit = place.beside("audit.json");
    let words =
        ["audit", "--no-builds", "--metric", "license", "--format", "json", "--output", audit.to_str().unwrap()];
    host(place.repo.path(), &words).expect(0);
    let mit = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software.";
    let patch =
        format!("--- /dev/null\n+++ b/LICENSE\n@@ -0,0 +1,5 @@\n+MIT License\n+\n+Copyright (c) 2026 Me\n+\n+{mit}");
    place.agent("author", "", &[("", &patch)]);
    let all: Vec<String> = (1..=9).map(|at| format!("I{at:03}")).collect();
    let all: Vec<_> = all.iter().map(|id| (id.as_str(), "resolved", "LICENSE", 1)).collect();
    place.agent("reviewer", "", &[("", &review(99, &all))]);
    let more = ["--from-audit", audit.to_str().unwrap(), "--no-builds"];
    let report = place.fix_with(&["reviewer"], &more).json();
    let issues = report["issues"].as_array().unwrap();
    assert!(!issues.is_empty(), "{report:#}");
    assert!(issues.iter().any(|issue| issue["status"] == "resolved"), "{report:#}");
}
