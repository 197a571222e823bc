//! An issue whose fix is in HEAD is `merged`, however it came there, and nobody is asked about it again.

use serde_json::{Value, json};

use super::{Place, fix, pairs, review, statuses};

/// Two issues of two sides, so that the branch has two commits.
fn fixed() -> (Place, Value) {
    let place = Place::new(&["a.py", "b.js"]);
    place.agent("author", "", &[("a at a.py", &fix("a.py")), ("b at b.js", &fix("b.js"))]);
    place.agent("reviewer", "", &[("", &review(97, &[("a", "resolved", "a.py", 1), ("b", "resolved", "b.js", 1)]))]);
    let report = fix_both(&place, 0);
    (place, report)
}

fn fix_both(place: &Place, code: i32) -> Value {
    let list = place
        .list(json!([{ "id": "a", "title": "XXX", "path": "a.py" }, { "id": "b", "title": "XXX", "path": "b.js" }]));
    let words = ["--issues", list.to_str().unwrap(), "--accept-touched"];
    place.fix_with(&["reviewer"], &words).expect(code).json()
}

#[test]
fn a_squash_a_rebase_and_a_cherry_pick_merge_as_a_merge_does() {
    let merged: &[(&str, &str)] = &[("a", "merged"), ("b", "merged")];
    for (way, expected) in [
        ("merge", merged),
        ("squash", merged),
        ("rebase", merged),
        ("one", &[("a", "merged"), ("b", "touched")]),
        ("none", &[("a", "touched"), ("b", "touched")]),
    ] {
        let (place, report) = fixed();
        let branch = report["branch"].as_str().unwrap();
        // Meanwhile somebody else commits.
        place.repo.write("other.txt", "other\n");
        place.repo.commit("other");
        match way {
            "merge" => drop(place.repo.git(&["merge", "-q", "--no-edit", branch])),
            "squash" => {
                place.repo.git(&["merge", "-q", "--squash", branch]);
                place.repo.git(&["commit", "-q", "-m", "Fix both (#4)"]);
            }
            "rebase" => drop(place.repo.git(&["cherry-pick", &format!("main~1..{branch}")])),
            "one" => drop(place.repo.git(&["cherry-pick", &format!("{branch}~1")])),
            _ => {}
        }
        if way == "squash" || way == "rebase" {
            place.repo.git(&["branch", "-q", "-D", branch]);
        }
        let asked = (place.asked("author"), place.asked("reviewer"));
        let again = fix_both(&place, 0);
        assert_eq!(statuses(&again), pairs(expected), "{way}: {again:#}");
        assert_eq!((place.asked("author"), place.asked("reviewer")), asked, "{way}");
    }
}

/// A branch that was thrown away, and whose change is nowhere, leaves its issues open.
#[test]
fn what_was_discarded_is_tried_again() {
    let (place, report) = fixed();
    place.repo.git(&["branch", "-q", "-D", report["branch"].as_str().unwrap()]);
    let again = fix_both(&place, 0);
    assert_eq!((statuses(&again), place.asked("author")), (pairs(&[("a", "touched"), ("b", "touched")]), 4));
}
