//! What holds for a flow as a whole: its budget, and its recording.

use std::fs;

use serde_json::{Value, json};

use super::{Place, fix, pairs, review, statuses};
use crate::support::cli::host;

/// A recording of one answer, whose provider says that it took so many tokens.
fn recording(place: &Place, name: &str, reply: &str, tokens: u32) -> String {
    let usage = json!({ "input_tokens": tokens - 1, "output_tokens": 1 });
    let line = json!({ "round": 1, "provider": name, "usage": usage, "reply": reply });
    fs::write(place.repo.path().join("..").join(name), line.to_string() + "\n").expect("written");
    format!("replay:../{name}")
}

/// An author and two reviewers, each with a recording.
fn recorded(place: &Place, more: &[&str]) -> crate::support::cli::Ran {
    let answer = review(97, &[("I001", "resolved", "a.py", 1)]);
    let author = recording(place, "author.jsonl", &fix("a.py"), 60);
    let (one, two) = (recording(place, "one.jsonl", &answer, 50), recording(place, "two.jsonl", &answer, 50));
    let words = ["fix", "--rounds", "1", "--format", "json", "--accept-touched", "--provider", &author];
    host(place.repo.path(), &[&words[..], &["--reviewer", &one, "--reviewer", &two], more].concat())
}

#[test]
fn reviewers_are_asked_within_the_budget_of_the_run() {
    let place = Place::new(&["a.py"]);
    let list = place.beside("issues.json");
    fs::create_dir_all(list.parent().expect("a folder")).expect("made");
    let list = place.list(json!([{ "title": "XXX", "path": "a.py" }]));
    // The author takes 60 tokens and the first reviewer 50, so that nothing is left for the second.
    let report = recorded(&place, &["--issues", list.to_str().unwrap(), "--max-tokens", "100"]).expect(6).json();
    assert_eq!(report["ended_by"], "over-budget", "{report:#}");
    assert_eq!((statuses(&report), &report["commit"]), (pairs(&[("I001", "open")]), &Value::Null), "{report:#}");
    assert_eq!(report["reviews"], json!([]), "one vote of two is no review: {report:#}");
    assert!(report["notices"].to_string().contains("--max-tokens"), "{report:#}");
    let run = report["run"].as_str().unwrap();
    let log = host(place.repo.path(), &["log", run, "--format", "json"]).expect(0).json();
    assert_eq!(log["run"]["outcome"], "over-budget", "{log:#}");

    // With more to spend, the reviewers are asked about what was committed, and the author is not asked again.
    fs::remove_file(place.repo.path().join("../author.jsonl")).expect("removed");
    let answer = review(97, &[("I001", "resolved", "a.py", 1)]);
    let (one, two) = (recording(&place, "one.jsonl", &answer, 50), recording(&place, "two.jsonl", &answer, 50));
    let words = ["fix", "--format", "json", "--accept-touched", "--provider", "replay:../author.jsonl"];
    let more = ["--resume", run, "--max-tokens", "100", "--reviewer", &one, "--reviewer", &two];
    let report = host(place.repo.path(), &[&words[..], &more].concat()).expect(0).json();
    assert_eq!(statuses(&report), pairs(&[("I001", "touched")]), "{report:#}");
    assert_eq!(report["reviews"][0]["votes"].as_array().map(Vec::len), Some(2), "{report:#}");
}

/// Three batches in two attempts, and a reviewer: each is a part of its own in the recording, which then answers for all of them.
#[test]
fn a_recording_of_a_whole_flow_is_replayed() {
    let files = ["a.py", "b.py", "c.js"];
    let place = Place::new(&files);
    let issues = json!([
        { "id": "a", "title": "XXX", "path": "a.py", "effort": 5, "files": 3 },
        { "id": "b", "title": "XXX", "path": "b.py", "effort": 5, "files": 3 },
        { "id": "c", "title": "XXX", "path": "c.js" },
    ]);
    let better = "--- a/b.py\n+++ b/b.py\n@@ -1,1 +1,2 @@\n b = 1\n+# explained";
    let (a, b, c) = (fix("a.py"), fix("b.py"), fix("c.js"));
    place.agent("author", "", &[("say why", better), ("- a at", &a), ("- b at", &b), ("- c at", &c)]);
    let first = json!({ "score": 96, "blocking": [], "issues": [
        { "id": "a", "verdict": "resolved", "path": "a.py", "line": 1, "says": "gone" },
        { "id": "b", "verdict": "partial", "path": "b.py", "line": 1, "says": "say why" },
        { "id": "c", "verdict": "resolved", "path": "c.js", "line": 1, "says": "gone" } ] });
    let all = [("a", "resolved", "a.py", 1), ("b", "resolved", "b.py", 2), ("c", "resolved", "c.js", 1)];
    let second = review(98, &all);
    place.agent("reviewer", "", &[("# explained", &second), ("", &first.to_string())]);
    let list = place.list(issues.clone());
    let more = ["--issues", list.to_str().unwrap(), "--accept-touched", "--record", "../all.jsonl"];
    let report = place.fix_with(&["reviewer"], &more).expect(0).json();
    assert_eq!(statuses(&report), pairs(&[("a", "touched"), ("b", "touched"), ("c", "touched")]), "{report:#}");

    let text = fs::read_to_string(place.repo.path().join("../all.jsonl")).expect("recorded");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let parts: Vec<(&str, u64)> =
        lines.iter().map(|line| (line["step"].as_str().expect("a part"), line["round"].as_u64().unwrap())).collect();
    assert_eq!(parts, [("1.1", 1), ("1.2", 1), ("1.3", 1), ("reviewer-1", 1), ("2.1", 1), ("reviewer-1", 2)]);

    let other = Place::new(&files);
    other.agent("none", "", &[]);
    let list = other.list(issues);
    fs::write(other.repo.path().join("../all.jsonl"), text).expect("written");
    let replay = "replay:../all.jsonl";
    let words = ["fix", "--format", "json", "--accept-touched", "--provider", replay, "--reviewer", replay];
    let more = ["--issues", list.to_str().unwrap(), "--allow-same-family"];
    let again = host(other.repo.path(), &[&words[..], &more].concat()).expect(0).json();
    assert_eq!((statuses(&again), &again["iterations"]), (statuses(&report), &report["iterations"]), "{again:#}");
    let batches = |report: &Value| -> Vec<String> {
        let of = |batch: &Value| format!("{} {} {}", batch["id"], batch["outcome"], batch["rounds"]);
        report["batches"].as_array().unwrap().iter().map(of).collect()
    };
    assert_eq!(batches(&again), batches(&report));
    let tree = |place: &Place, report: &Value| {
        place.repo.git(&["rev-parse", &format!("{}^{{tree}}", report["branch"].as_str().unwrap())])
    };
    assert_eq!(tree(&other, &again), tree(&place, &report), "the same files");
}
