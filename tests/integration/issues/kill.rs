//! A host that is killed at any of 20 points is taken up: the same statuses as without, and nothing is fixed twice.

use serde_json::{Value, json};

use super::{Place, fix, pairs, review, statuses, touched};
use crate::integration::kill::child::{Ended, Moment, ended};
use crate::support::cli::host;

const POINTS: usize = 20;

/// Three issues in two batches: one is fixed at the second attempt, one is rejected by a guard, one is fixed at once.
fn place() -> Place {
    let place = Place::new(&["a.py", "b.py", "c.js"]);
    let better = "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,2 @@\n a = 1\n+# explained";
    let broken = "--- a/b.py\n+++ b/b.py\n@@ -1,1 +1,1 @@\n-b = 1  # XXX\n+b = (1";
    place.agent(
        "author",
        "",
        &[("say why", better), ("- b at", broken), ("- a at", &fix("a.py")), ("- c at", &fix("c.js"))],
    );
    let first = json!({ "score": 96, "blocking": [], "issues": [
        { "id": "a", "verdict": "partial", "path": "a.py", "line": 1, "says": "say why" },
        { "id": "c", "verdict": "resolved", "path": "c.js", "line": 1, "says": "gone" } ] });
    let second = review(98, &[("a", "resolved", "a.py", 2), ("c", "resolved", "c.js", 1)]);
    place.agent("reviewer", "", &[("# explained", &second), ("", &first.to_string())]);
    place.list(json!([
        { "id": "a", "title": "XXX", "path": "a.py", "effort": 5, "files": 2 },
        { "id": "b", "title": "XXX", "path": "b.py", "effort": 5, "files": 2 },
        { "id": "c", "title": "XXX", "path": "c.js" },
    ]));
    place
}

fn run(place: &Place, at: usize) -> Ended {
    let list = place.beside("issues.json");
    let mut words = vec!["host".to_owned()];
    words.extend(place.arguments(&["reviewer"], &["--issues", list.to_str().unwrap(), "--accept-touched"]));
    ended(place.repo.path(), &words, Moment::Event(at), &[])
}

fn assert_end(place: &Place, report: &Value, moment: &str) {
    let expected = pairs(&[("a", "touched"), ("b", "failed"), ("c", "touched")]);
    assert_eq!(statuses(report), expected, "{moment}: {report:#}");
    let range = format!("main..{}", report["branch"].as_str().unwrap());
    assert_eq!(
        touched(place.repo.path(), &range),
        ["a.py", "c.js", "a.py"],
        "{moment}: a commit a fix, and none twice"
    );
    place.repo.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn a_flow_that_is_killed_ends_as_one_that_is_not() {
    let whole = place();
    let Ended::Finished { exit_code: 1, events } = run(&whole, usize::MAX) else {
        panic!("killed, or not ended with 1")
    };
    assert!(events >= POINTS, "{events} events");
    let mut resumed = 0;
    for point in 0..POINTS {
        let (place, at) = (place(), point * events / POINTS);
        let moment = format!("killed at event {at} of {events}");
        assert_eq!(run(&place, at), Ended::Killed, "{moment}");
        let log = host(place.repo.path(), &["log", "--format", "json"]).expect(0).json();
        let run = log["runs"].as_array().unwrap().iter().find(|run| run["command"] == "fix").cloned();
        let list = place.beside("issues.json");
        let anew = ["--issues", list.to_str().unwrap(), "--accept-touched"];
        let id = run.as_ref().and_then(|run| run["run"].as_str()).unwrap_or_default().to_owned();
        let ran = match id.is_empty() {
            true => place.fix_with(&["reviewer"], &anew),
            false => {
                resumed += 1;
                place.fix_with(&["reviewer"], &["--resume", &id, "--accept-touched"])
            }
        };
        assert_end(&place, &ran.expect(1).json(), &moment);
    }
    assert!(resumed >= POINTS - 2, "{resumed} were taken up");
}
