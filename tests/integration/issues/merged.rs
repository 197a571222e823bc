//! An issue whose fix is in HEAD is `merged`, however it came there, and nobody is asked about it again.

use serde_json::{Value, json};

use super::{Place, fix, pairs, review, statuses};
use crate::support::cli::{Ran, host_with};
use crate::support::forge::{Face, Loopback, TOKEN};

/// Two issues of two sides, so that the branch has two commits.
fn fixed() -> (Place, Value) {
    let place = Place::new(&["a.py", "b.js"]);
    place.agent("author", "", &[("a at a.py", &fix("a.py")), ("b at b.js", &fix("b.js"))]);
    place.agent("reviewer", "", &[("", &review(97, &[("a", "resolved", "a.py", 1), ("b", "resolved", "b.js", 1)]))]);
    let report = fix_both(&place, 0);
    (place, report)
}

fn both(place: &Place) -> Vec<String> {
    let list = place
        .list(json!([{ "id": "a", "title": "XXX", "path": "a.py" }, { "id": "b", "title": "XXX", "path": "b.js" }]));
    place.arguments(&["reviewer"], &["--issues", list.to_str().unwrap(), "--accept-touched"])
}

fn fix_both(place: &Place, code: i32) -> Value {
    fix_both_with(place, &[]).expect(code).json()
}

fn fix_both_with(place: &Place, variables: &[(&str, &str)]) -> Ran {
    let words = both(place);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    host_with(place.repo.path(), &words, b"", variables)
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

/// A person merges by a squash with changes of their own, and the forge deletes the branch: only the forge knows it.
#[test]
fn a_pull_request_that_the_forge_has_merged_is_merged_whatever_became_of_its_commits() {
    for (face, variable, named) in [(Face::GitHub, "GITHUB_TOKEN", "github"), (Face::Gitea, "GITEA_TOKEN", "gitea")] {
        let (place, report) = fixed();
        let forge = Loopback::start();
        place.repo.git(&["remote", "add", "origin", &forge.remote()]);
        place.repo.git(&["push", "--quiet", &forge.repository().display().to_string(), "HEAD:refs/heads/main"]);
        place.repo.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        let api = forge.api_of(face);
        let at_forge = [(variable, TOKEN), ("GUARDHOST_API", api.as_str()), ("GUARDHOST_FORGE", named)];
        let opened = host_with(place.repo.path(), &["pr", "open", "--format", "json"], b"", &at_forge);
        assert_eq!(opened.expect(0).json()["pull"]["number"], 1, "{face:?}");
        let asked = || (place.asked("author"), place.asked("reviewer"));
        let before = asked();
        place.repo.git(&["branch", "-q", "-D", report["branch"].as_str().unwrap()]);

        // One that was closed is not merged, and of one that cannot be asked about it is not known: both are tried again.
        forge.state().pulls[0].is_open = false;
        for variables in [&at_forge[..], &[]] {
            let tried = asked();
            let again = fix_both_with(&place, variables).expect(0);
            assert!(asked() > tried, "{face:?}: {again:?}");
            let is_said = again.stderr.contains("whether the pull request 1 was merged is not known");
            assert_eq!(is_said, variables.is_empty(), "{face:?}: {}", again.stderr);
            place.repo.git(&["branch", "-q", "-D", again.json()["branch"].as_str().unwrap()]);
        }
        assert!(asked() > before);

        forge.state().pulls[0].is_merged = true;
        let before = asked();
        let merged = fix_both_with(&place, &at_forge).expect(0).json();
        assert_eq!(statuses(&merged), pairs(&[("a", "merged"), ("b", "merged")]), "{face:?}: {merged:#}");
        assert_eq!(asked(), before, "{face:?}");
        // The same number in another repository is another pull request.
        place.repo.git(&["remote", "set-url", "origin", &format!("{}x", forge.remote())]);
        let elsewhere = fix_both_with(&place, &at_forge).expect(0).json();
        assert_eq!(statuses(&elsewhere), pairs(&[("a", "touched"), ("b", "touched")]), "{face:?}: {elsewhere:#}");
        forge.check();
    }
}
