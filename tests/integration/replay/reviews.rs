//! What critics said, judged again from the recorded answers of the models.

use std::fs;

use serde_json::{Value, json};

use crate::support::cli::host_with;
use crate::support::repo::TestRepo;

use super::{folder, outcome, problems, replay, replay_warm};

const BEFORE: &str = "def save(path, data):\n    with open(path, \"w\") as file:\n        file.write(data)\n";
const AFTER: &str = "def save(path, data):\n    file = open(path, \"w\")\n    file.write(data)\n";
const PINNED: &str = "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n\n\
                      [[guard]]\nid = \"critic-devil\"\nmode = \"enforce\"\ngrants = [\"model\"]\n";

fn finding() -> Value {
    json!({ "findings": [
        { "severity": "major", "path": "store.py", "line": 2, "title": "The file is not closed", "detail": "Keep the with statement." },
    ] })
}

/// The report of a review whose model answers so; its run.
fn review(repo: &TestRepo, replies: &[Value], args: &[&str]) -> Value {
    let line = |(reply, round): (&Value, u32)| {
        json!({ "round": round, "provider": "model", "reply": reply.to_string() }).to_string()
    };
    let lines: Vec<String> = replies.iter().zip(1..).map(line).collect();
    fs::write(repo.path().join("../replies.jsonl"), lines.join("\n")).expect("written");
    let args = [&["review", "--format", "json", "--provider", "replay:../replies.jsonl"], args].concat();
    let ran = host_with(repo.path(), &args, b"", &[]);
    assert!([0, 1].contains(&ran.code), "{ran:?}");
    ran.json()
}

fn staged(files: &[(&str, &str)]) -> TestRepo {
    let repo = TestRepo::with(&[files, &[("store.py", BEFORE)]].concat());
    repo.write("store.py", AFTER);
    repo.git(&["add", "-A"]);
    repo
}

#[test]
fn a_critics_verdict_is_judged_again_without_a_model() {
    let repo = staged(&[]);
    let none = json!({ "findings": [] });
    let reviewed = review(&repo, &[finding(), none.clone(), none], &["--staged", "--task", "Close no file"]);
    assert_eq!(reviewed["critics"][0]["verdict"], "reject", "{reviewed:#}");
    let run = reviewed["run"].as_str().expect("a run");
    fs::remove_file(repo.path().join("../replies.jsonl")).expect("removed");
    let again = replay(repo.path(), &[run]).expect(0).json();
    let guard = &again["runs"][0]["changes"][0]["guards"][0];
    assert_eq!((&guard["id"], &guard["outcome"]), (&json!("critic-panel"), &json!("same")), "{again:#}");
    assert!(guard["answers"].as_u64() > Some(0), "{again:#}");

    // On another machine, from one file.
    let file = repo.path().join("../review.json");
    let file = file.to_str().expect("a path");
    host_with(repo.path(), &["replay", run, "--export", file], b"", &[]).expect(0);
    assert_eq!(replay_warm(repo.path(), &["--bundle", file]).expect(0).json()["same"], true);

    // An answer that was changed is named, and so is what nobody answered then.
    let answers = folder(&repo, run).join("1/answers.json");
    let text = fs::read_to_string(&answers).expect("answers");
    fs::write(&answers, text.replace("not closed", "now closed")).expect("written");
    let changed = replay_warm(repo.path(), &[run]).expect(1).json();
    assert!(problems(&changed).contains(&("artifact-changed".to_owned(), "1/answers.json".to_owned())), "{changed:#}");
    assert_eq!(outcome(&changed, 0, "critic-panel"), "answers-missing", "{changed:#}");
    fs::write(&answers, text).expect("written");
    // The judgement alone: the verdict is not the recorded one.
    let judgement = folder(&repo, run).join("1/judgement.json");
    let text = fs::read_to_string(&judgement).expect("a judgement");
    fs::write(&judgement, text.replace("not closed", "now closed")).expect("written");
    let changed = replay_warm(repo.path(), &[run]).expect(1).json();
    assert_eq!(problems(&changed), [("artifact-changed".to_owned(), "1/judgement.json".to_owned())], "{changed:#}");
}

#[test]
fn pinned_critics_are_those_of_the_rules_and_commits_are_told_again() {
    let repo = TestRepo::with(&[("guards.toml", PINNED), ("store.py", BEFORE)]);
    repo.write("store.py", AFTER);
    repo.commit("Write without a context");
    repo.write("other.py", "x = 1\n");
    repo.commit("Another file");
    // The adversary names an axiom with every objection; it has none here.
    let replies = [finding(), json!({ "findings": [] })];
    let reviewed = review(&repo, &replies, &["--range", "HEAD~2..HEAD", "--critic", "critic-self,critic-devil"]);
    assert_eq!(reviewed["critics"].as_array().map(Vec::len), Some(2), "{reviewed:#}");
    let run = reviewed["run"].as_str().expect("a run");
    let again = replay(repo.path(), &[run]).expect(0).json();
    let said = again["runs"][0]["changes"][0]["guards"].as_array().expect("guards");
    let said: Vec<_> = said.iter().map(|guard| (guard["id"].as_str(), guard["outcome"].as_str())).collect();
    assert_eq!(said, [(Some("critic-self"), Some("same")), (Some("critic-devil"), Some("same"))], "{again:#}");
    // Under other rules than those of then it is another question, and the rules of then are in git.
    repo.write("guards.toml", "schema = 1\n\n[[guard]]\nid = \"syntax-holds\"\n");
    repo.commit("Other rules");
    assert_eq!(replay_warm(repo.path(), &[run]).expect(0).json()["same"], true);
}

#[test]
fn a_review_of_an_earlier_version_has_nothing_to_judge() {
    let repo = staged(&[]);
    let none = json!({ "findings": [] });
    let reviewed = review(&repo, &[none.clone(), none.clone(), none], &["--staged"]);
    let run = reviewed["run"].as_str().expect("a run");
    // Such a run has no decision that names the files of a round.
    let records = folder(&repo, run).join("records.jsonl");
    let text = fs::read_to_string(&records).expect("records");
    let first = text.lines().next().expect("a line");
    fs::write(&records, format!("{first}\n")).expect("written");
    let again = host_with(repo.path(), &["replay", run], b"", &[]).expect(8);
    assert!(again.stderr.contains("no guard judged a change in these runs"), "{again:?}");
}
