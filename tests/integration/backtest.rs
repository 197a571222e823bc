//! `host backtest`: what became of each change of a history that git made, and what the guards of today say of it.

mod forge;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::cli::{command, host};
use crate::support::repo::TestRepo;

const DAY: i64 = 24 * 60 * 60;
/// The first day, in seconds since 1970.
const BEGIN: i64 = 1_750_000_000;

/// A repository in whose history time goes by.
pub struct Past {
    pub repo: TestRepo,
    now: i64,
}

impl Past {
    /// Files `f1.py` to `f16.py`, each with one function.
    pub fn new() -> Self {
        let mut past = Past { repo: TestRepo::new(), now: BEGIN };
        for number in 1..=16 {
            past.repo.write(file(number), good(number, "1"));
        }
        past.repo.stage_all();
        past.git(&["commit", "-q", "-m", "base"]);
        past
    }

    /// Runs git at the time that it is.
    pub fn git(&mut self, args: &[&str]) -> String {
        let date = format!("{} +0000", self.now);
        let mut command = Command::new("git");
        command.arg("-C").arg(self.repo.path()).args(["-c", "user.name=Test", "-c", "user.email=test@example.org"]);
        command.args(args).env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date);
        let ran = command.stdin(Stdio::null()).output().expect("git runs");
        assert!(ran.status.success(), "{args:?}: {ran:?}");
        String::from_utf8(ran.stdout).expect("UTF-8").trim().to_owned()
    }

    pub fn days(&mut self, days: i64) {
        self.now += days * DAY;
    }

    pub fn change(&mut self, number: u64, content: &str, message: &str) {
        self.repo.write(file(number), content);
        self.git(&["commit", "-q", "-a", "-m", message]);
    }

    /// A branch with this change of its own file, as the head of a pull request; `main` is checked out again.
    fn pull(&mut self, number: u64, content: &str, message: &str) {
        self.git(&["checkout", "-q", "-B", "work", "main"]);
        self.change(number, content, message);
        self.git(&["update-ref", &format!("refs/pull/{number}/head"), "HEAD"]);
        self.git(&["checkout", "-q", "main"]);
        self.days(1);
    }

    fn squash(&mut self, message: &str) {
        self.git(&["merge", "-q", "--squash", "work"]);
        self.git(&["commit", "-q", "-m", message]);
        self.days(1);
    }
}

pub fn file(number: u64) -> String {
    format!("f{number}.py")
}

pub fn good(number: u64, value: &str) -> String {
    format!("def f{number}():\n    result = {value}\n    return result\n")
}

pub fn bad(number: u64) -> String {
    format!("def f{number}():\n    result = (2\n    return result\n")
}

/// One pull request for each way in which one can end; its number is the number of its file.
fn pulls() -> Past {
    let mut past = Past::new();
    past.days(1);
    past.pull(1, &good(1, "2"), "One");
    past.git(&["merge", "-q", "--no-ff", "-m", "Merge pull request #1 from owner/one", "work"]);
    past.pull(2, &bad(2), "wip");
    past.squash("Two (#2)\n\nCo-Authored-By: Claude <noreply@anthropic.com>");
    past.pull(3, &good(3, "2"), "Three");
    past.squash("Three under another name");
    // Two commits, each of which is made again on a main line that went on.
    past.pull(4, &good(4, "2"), "Four");
    past.git(&["checkout", "-q", "work"]);
    past.change(16, &good(16, "2"), "Four, the rest");
    past.git(&["update-ref", "refs/pull/4/head", "HEAD"]);
    past.git(&["checkout", "-q", "main"]);
    past.change(1, &good(1, "3"), "Meanwhile");
    past.git(&["cherry-pick", "work~1", "work"]);
    past.pull(5, &bad(5), "Five\n\nCo-authored-by: Codex <codex@openai.com>");
    past.pull(6, &good(6, "2"), "Six");
    past.pull(7, &bad(7), "Seven");
    past.squash("Seven (#7)");
    past.git(&["revert", "--no-edit", "HEAD"]);
    past.pull(8, &good(8, "2"), "Eight");
    past.squash("Eight (#8)");
    past.change(8, &good(8, "1"), "Another way");
    past.pull(9, &bad(9), "Nine");
    past.squash("Nine (#9)");
    past.change(9, &good(9, "3"), "fix: close the bracket");
    past.pull(10, &good(10, "2"), "Ten");
    past.squash("Ten (#10)");
    past.days(10);
    past.change(10, &good(10, "3"), "fix: another value");
    past.pull(12, &good(12, "2"), "Twelve");
    past.squash("Twelve (#12)");
    past.git(&["revert", "--no-edit", "HEAD"]);
    past.git(&["revert", "--no-edit", "HEAD"]);
    past.git(&["checkout", "-q", "-B", "work", "main"]);
    past.repo.write(file(13), good(13, "2"));
    past.git(&[
        "commit",
        "-q",
        "-a",
        "-m",
        "Bump it",
        "--author",
        "dependabot[bot] <1+dependabot[bot]@users.noreply.example.org>",
    ]);
    past.git(&["update-ref", "refs/pull/13/head", "HEAD"]);
    past.git(&["checkout", "-q", "main"]);
    past.git(&["merge", "-q", "--no-ff", "-m", "Merge pull request #13 from owner/bump", "work"]);
    // Old, not in HEAD, and the forge still says what it would come to.
    past.pull(14, &bad(14), "Fourteen");
    past.git(&["update-ref", "refs/pull/14/merge", "refs/pull/14/head"]);
    // Without a commit of its own.
    let first = past.repo.git(&["rev-list", "--max-parents=0", "main"]);
    past.git(&["update-ref", "refs/pull/15/head", &first]);
    past.days(30);
    // The newest of all: perhaps open.
    past.pull(11, &good(11, "2"), "Eleven");
    past
}

fn backtest(past: &Past, args: &[&str]) -> Value {
    host(past.repo.path(), &[&["backtest", "--format", "json"], args].concat()).expect(0).json()
}

/// Without what differs from run to run.
fn figures(mut report: Value) -> Value {
    let object = report.as_object_mut().expect("an object");
    object.remove("resumed");
    object.remove("micros");
    report
}

fn stopped(report: &Value) -> Vec<(u64, String, String)> {
    let all = report["stopped"].as_array().expect("changes");
    let word = |change: &Value, key: &str| change[key].as_str().expect(key).to_owned();
    all.iter()
        .map(|change| (change["number"].as_u64().unwrap_or(0), word(change, "outcome"), word(change, "maker")))
        .collect()
}

#[test]
fn pull_requests_are_counted_by_what_became_of_them() {
    let past = pulls();
    let report = backtest(&past, &["--pulls"]);
    assert_eq!(
        (&report["changes"], &report["judged"], &report["failed"]),
        (&json!(14), &json!(14), &json!(0)),
        "{report:#}"
    );
    let counts = |kept: u64, reverted: u64, mended: u64, closed: u64, undecided: u64| json!({ "kept": kept, "reverted": reverted, "mended": mended, "closed": closed, "undecided": undecided });
    assert_eq!(report["all"], counts(7, 2, 1, 2, 2), "{report:#}");
    assert_eq!(report["rejected"], counts(1, 1, 1, 1, 1));
    let expected = [
        (2, "kept", "claude"),
        (9, "mended", "person"),
        (7, "reverted", "person"),
        (5, "closed", "codex"),
        (14, "undecided", "person"),
    ];
    assert_eq!(
        stopped(&report),
        expected.map(|(number, outcome, maker)| (number, outcome.to_owned(), maker.to_owned()))
    );
    let makers: Vec<(&str, usize)> = report["makers"]
        .as_array()
        .expect("makers")
        .iter()
        .map(|maker| {
            let all = maker["all"].as_object().expect("counts").values();
            (maker["maker"].as_str().expect("a name"), all.map(|count| count.as_u64().expect("a count") as usize).sum())
        })
        .collect();
    assert_eq!(makers, [("person", 11), ("claude", 1), ("codex", 1), ("bot", 1)]);
    // 1 of 2 closed ones, 3 of 9 that came in: the bot does not count.
    let odds = &report["odds"][0];
    assert_eq!(
        (&odds["bad"], &odds["rejected_bad"], &odds["rejected_good"]),
        (&json!("closed"), &json!(1), &json!(3)),
        "{odds}"
    );
    assert_eq!((&odds["accepted_bad"], &odds["accepted_good"]), (&json!(1), &json!(6)));
    assert!((odds["ratio"].as_f64().expect("a number") - 2.0).abs() < 1e-9);
    assert_eq!(report["odds"][1]["bad"], "undone");
    assert_eq!(report["rules"][0]["guard"], "syntax-holds");
    assert!(report["notices"].to_string().contains("left out: 1 pull request"), "{report}");
    // The newest has no change of its own.
    assert_eq!(backtest(&past, &["--pulls", "--limit", "3"])["changes"], 2);
    // Who is no agent is left out, and what was judged before is asked for its proofs.
    let agents = backtest(&past, &["--pulls", "--agents", "--triage"]);
    let of_agents = report["makers"].as_array().expect("makers").iter().filter(|maker| maker["is_agent"] == true);
    let sum = |counts: &Value| counts.as_object().expect("counts").values().filter_map(Value::as_u64).sum::<u64>();
    assert_eq!(agents["judged"], of_agents.map(|maker| sum(&maker["all"])).sum::<u64>());
    assert_eq!(sum(&agents["triage"]["changes"]), sum(&agents["all"]) - sum(&agents["rejected"]));
    let triage = backtest(&past, &["--pulls", "--triage"])["triage"].clone();
    assert!(triage["files"].as_u64() > Some(0), "{triage:#}");
    assert_eq!(backtest(&past, &["--pulls", "--since", "2025-07-15"])["changes"], 1);
    host(past.repo.path(), &["backtest", "--pulls", "--since", "soon"]).expect(2);

    let page = past.repo.path().join("../past.html");
    let human =
        host(past.repo.path(), &["backtest", "--pulls", "--page", page.to_str().expect("UTF-8")]).expect(0).stdout;
    assert!(
        human.contains("would have stopped 5: 1 closed by yourselves, 2 reverted or fixed, 1 merged and kept"),
        "{human}"
    );
    let html = fs::read_to_string(page).expect("written");
    assert!(html.contains("Two (#2)") && html.contains("Odds ratio 2.0") && !html.contains("href=\"#runs\""), "{html}");
}

#[test]
fn commits_are_counted_by_what_became_of_them() {
    let past = pulls();
    let report = backtest(&past, &[]);
    let commits = past.repo.git(&["rev-list", "--first-parent", "--count", "HEAD"]).parse::<u64>().expect("a number");
    assert_eq!(report["judged"], commits);
    let rows: Vec<(&str, &str)> = report["stopped"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|change| (change["subject"].as_str().expect("a subject"), change["outcome"].as_str().expect("a word")))
        .collect();
    assert_eq!(rows, [("Two (#2)", "kept"), ("Nine (#9)", "mended"), ("Seven (#7)", "reverted")]);
    assert_eq!(
        (&report["all"]["reverted"], &report["all"]["closed"]),
        (&json!(3), &json!(0)),
        "and the revert of Twelve: {report}"
    );
    // Of a guard that is named, and that no change of Python is about.
    let report = backtest(&past, &["--guard", "docs-kept"]);
    assert_eq!((&report["judged"], &report["stopped"]), (&json!(commits), &json!([])), "{report}");
}

#[test]
fn a_run_that_was_killed_or_interrupted_is_taken_up_again() {
    let mut past = pulls();
    let whole = figures(backtest(&past, &["--pulls"]));
    let folder = past.repo.path().join(".git/guardhost/backtest");
    let file = fs::read_dir(folder).expect("a folder").next().expect("a file").expect("an entry").path();
    let text = fs::read_to_string(&file).expect("lines");
    let half: Vec<&str> = text.lines().take(6).collect();
    fs::write(&file, format!("{}\n{}", half[..5].join("\n"), &half[5][..40])).expect("written");
    let again = backtest(&past, &["--pulls"]);
    assert_eq!(again["resumed"], 5);
    assert_eq!(figures(again), whole);
    let fresh = backtest(&past, &["--pulls", "--fresh"]);
    assert_eq!(fresh["resumed"], 0);
    assert_eq!(figures(fresh), whole);

    for number in 1..=150 {
        past.change(16, &good(16, &format!("{number}0")), "More");
    }
    fs::remove_file(&file).expect("removed");
    let child = command(past.repo.path(), &["backtest", "--format", "json"], &[]).spawn().expect("it starts");
    while fs::read_to_string(&file).map_or(0, |text| text.lines().count()) < 3 {
        std::thread::sleep(Duration::from_millis(2));
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("sent");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    let shown: Value = serde_json::from_slice(&ended.stdout).expect("what was done");
    let judged = shown["judged"].as_u64().expect("a count");
    assert_eq!(shown["ended_by"], "interrupted");
    assert!(judged >= 3 && judged < shown["changes"].as_u64().expect("a count"), "{shown}");
    let rest = backtest(&past, &[]);
    assert_eq!((&rest["resumed"], &rest["ended_by"]), (&json!(judged), &Value::Null));
}

/// The lines of the file in which is kept what was found out about trees.
fn facts(past: &Past) -> (PathBuf, String) {
    let entries = fs::read_dir(past.repo.path().join(".git/guardhost")).expect("a folder");
    let mut files = entries.map(|entry| entry.expect("an entry").path());
    let file = files.find(|path| path.extension().is_some_and(|ending| ending == "facts")).expect("facts");
    let text = fs::read_to_string(&file).expect("lines");
    (file, text)
}

#[test]
fn the_history_is_read_on_where_a_killed_run_left_it() {
    let past = pulls();
    let whole = figures(backtest(&past, &["--pulls"]));
    let (file, text) = facts(&past);
    // Killed at any time: between two facts, in the middle of one, after the last.
    for length in (0..text.len()).step_by(text.len() / 5 + 1).chain([text.len() - 3]) {
        fs::write(&file, &text[..length]).expect("written");
        assert_eq!(figures(backtest(&past, &["--pulls"])), whole, "{length}");
        let (_, again) = facts(&past);
        let known =
            |text: &str| text.lines().filter(|line| line.ends_with(';')).map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(known(&again), known(&text));
        let lines = again.lines().filter(|line| line.ends_with(';')).count();
        assert_eq!(lines, known(&again).len(), "what was known is not found out again");
    }
    // What a file that somebody edited says, a fresh run does not believe.
    fs::write(&file, text.replace("patch ", "paths ")).expect("written");
    assert_eq!(figures(backtest(&past, &["--pulls", "--fresh"])), whole);
}

#[test]
fn patches_of_people_are_not_compared_where_agents_alone_are_wanted() {
    let past = pulls();
    let tree = |name: &str| past.repo.git(&["rev-parse", &format!("{name}^{{tree}}")]);
    let compared = |number: u64| {
        let (_, text) = facts(&past);
        let tip = tree(&format!("refs/pull/{number}/head"));
        text.lines().any(|line| line.starts_with("patch ") && line.split(' ').nth(2) == Some(&tip))
    };
    // Three came in under another name, which its patch alone tells; a person made it.
    let agents = figures(backtest(&past, &["--pulls", "--agents"]));
    assert!(!compared(3));
    let all = backtest(&past, &["--pulls"]);
    assert!(compared(3));
    let makers = |report: &Value| {
        let rows = report["makers"].as_array().expect("makers").clone();
        rows.into_iter().filter(|maker| maker["is_agent"] == true).collect::<Vec<_>>()
    };
    assert_eq!(makers(&agents), makers(&all));
    assert_eq!(figures(backtest(&past, &["--pulls", "--agents"])), agents);
}

#[test]
fn heads_of_pull_requests_are_fetched_when_asked() {
    let past = pulls();
    let clone = tempfile::tempdir().expect("a folder");
    let path = clone.path().join("clone");
    let (from, to) = (past.repo.path().to_str().expect("UTF-8"), path.to_str().expect("UTF-8"));
    past.repo.git(&["clone", "-q", from, to]);
    let none = host(&path, &["backtest", "--pulls"]).expect(2);
    assert!(none.stderr.contains("--fetch"), "{none:?}");
    let report = host(&path, &["backtest", "--pulls", "--fetch", "--limit", "3", "--format", "json"]).expect(0).json();
    // The newest numbers; the last of them has no change of its own.
    assert_eq!(report["changes"], 2, "{report}");
    host(&path, &["backtest", "--pulls", "--fetch", "--offline"]).expect(2);
    host(&path, &["backtest", "--pulls", "--fetch=elsewhere"]).expect(2);
    // A mirror has them, and has no work tree.
    let mirror = clone.path().join("mirror.git");
    past.repo.git(&["clone", "-q", "--mirror", from, mirror.to_str().expect("UTF-8")]);
    assert_eq!(host(&mirror, &["backtest", "--pulls", "--format", "json"]).expect(0).json()["judged"], 14);
}
