//! `host log`: the records of runs, however the runs ended.

use std::fs;
use std::io::Write;
use std::process::Child;

use serde_json::{Value, json};

use crate::support::cli::{command, host};
use crate::support::repo::TestRepo;

const GOOD: &str = "Two is better.\n\n<<<AI_DIFF_START>>>\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n<<<AI_DIFF_END>>>\n";
const BAD: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";
const MISFIT: &str =
    "*** Begin Patch\n*** Update File: x.py\n@@ def y():\n-    return 7\n+    return 2\n*** End Patch\n";

fn repo() -> TestRepo {
    TestRepo::with(&[("x.py", "def x():\n    return 1\n")])
}

fn run(repo: &TestRepo, replies: &[&str], code: i32) -> String {
    let file = repo.path().join("../replies.jsonl");
    let lines = replies
        .iter()
        .zip(1..)
        .map(|(reply, round)| json!({ "round": round, "provider": "test", "reply": reply }).to_string());
    fs::write(&file, lines.collect::<Vec<_>>().join("\n")).expect("written");
    let rounds = replies.len().to_string();
    let args = [
        "run",
        "--task",
        "Let x return 2",
        "--provider",
        "replay:../replies.jsonl",
        "--rounds",
        &rounds,
        "--format",
        "json",
    ];
    let ran = host(repo.path(), &args).expect(code);
    ran.json()["run"].as_str().expect("an id").to_owned()
}

fn log(repo: &TestRepo, args: &[&str]) -> Value {
    host(repo.path(), &[&["log", "--format", "json"], args].concat()).expect(0).json()
}

#[test]
fn patch_sets_are_recorded_in_order_and_their_status_follows_from_decisions() {
    let repo = repo();
    assert_eq!(log(&repo, &[]), json!({ "schema_version": 1, "runs": [] }));
    let id = run(&repo, &["Not sure.", MISFIT, BAD, GOOD], 0);
    let shown = log(&repo, &[&id]);
    let past = &shown["run"];
    assert_eq!(
        (past["state"].as_str(), past["outcome"].as_str(), past["rounds"].as_u64()),
        (Some("ended"), Some("committed"), Some(4))
    );
    assert_eq!(past["base"], repo.oid("HEAD").to_string());
    let listed: Vec<_> = past["patchsets"]
        .as_array()
        .expect("patch sets")
        .iter()
        .map(|set| {
            [&set["sequence"], &set["round"], &set["apply_status"], &set["format"], &set["written_as"]]
                .map(Value::to_string)
                .join(" ")
        })
        .collect();
    assert_eq!(
        listed,
        [
            "0 2 \"rejected\" \"unified_diff\" \"v4a\"",
            "1 3 \"rejected\" \"git_diff\" \"unified_diff\"",
            "2 4 \"applied\" \"git_diff\" \"git_diff\"",
        ]
    );
    let last = &past["patchsets"][2];
    assert_eq!((last["object_type"].as_str(), last["version"].as_u64()), (Some("patch_set"), Some(1)));
    assert_eq!(last["run"], Value::from(id.as_str()));
    assert_eq!(last["created_by"], json!({ "kind": "agent", "id": "test" }));
    assert_eq!(last["rationale"], "Two is better.");
    assert_eq!(
        last["touched"],
        json!([{ "path": "x.py", "change_type": "modify", "lines_added": 1, "lines_deleted": 1 }])
    );
    assert_eq!(
        last["tree"],
        repo.git(&["rev-parse", &format!("{}^{{tree}}", past["commit"].as_str().expect("a commit"))])
    );
    let artifact = &last["artifact"];
    assert_eq!((artifact["store"].as_str(), last["artifact_state"].as_str()), (Some("file"), Some("kept")));
    let path = repo.path().join(".git/guardhost/runs").join(&id).join(artifact["path"].as_str().expect("a path"));
    let diff = fs::read_to_string(&path).expect("the diff");
    assert!(diff.contains("-    return 1\n+    return 2\n"), "{diff}");
    let refused = past["patchsets"][1]["evidence"].as_array().expect("evidence");
    let syntax = refused.iter().find(|evidence| evidence["tool"] == "syntax-holds").expect("it was asked");
    assert_eq!(
        (syntax["verdict"].as_str(), syntax["patchset_id"].as_str()),
        (Some("reject"), past["patchsets"][1]["object_id"].as_str())
    );
    assert!(syntax["digest"].as_str().is_some_and(|digest| digest.starts_with("sha256:")), "{syntax}");
    let decided: Vec<_> =
        past["decisions"].as_array().expect("decisions").iter().map(|object| object["decision_type"].clone()).collect();
    assert_eq!(decided, ["retry", "retry", "retry", "commit"]);
    assert!(past["decisions"][0]["patchset_id"].is_null(), "a round without a patch: {past}");

    // The patch that did not fit is kept in a readable form, and shown to people.
    let human = host(repo.path(), &["log", &id[..15]]).expect(0).stdout;
    for words in ["Let x return 2", "rejected", "applied", "syntax-holds", "V4A patch", "Two is better."] {
        assert!(human.contains(words), "{words}: {human}");
    }
    fs::write(&path, "edited").expect("written");
    assert_eq!(log(&repo, &[&id])["run"]["patchsets"][2]["artifact_state"], "changed");
    fs::remove_file(&path).expect("removed");
    assert_eq!(log(&repo, &[&id])["run"]["patchsets"][2]["artifact_state"], "missing");
}

#[test]
fn a_run_shows_each_line_of_its_replies_with_what_it_was_read_as() {
    let repo = repo();
    let unread = format!("{BAD}\nThen:\n\n```bash\nsed -i s/x/y/ x.py\n```\n");
    let id = run(&repo, &["Not sure.", &unread, GOOD], 0);
    let show = |args: &[&str]| host(repo.path(), &[&["show", &id], args].concat()).expect(0);
    let shown = show(&["--reply", "--format", "json"]).json();
    let replies = shown["run"]["replies"].as_array().expect("replies");
    // Nothing is known of the lines of a reply without a patch.
    assert_eq!(replies.iter().map(|reply| reply["round"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(3)]);
    let parts = |reply: &Value| {
        let parts = reply["lines"].as_array().expect("lines").iter();
        parts.map(|part| part["part"].as_str().expect("a part").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(parts(&replies[0]), ["frame", "edit", "frame", "prose", "rest"]);
    assert!(parts(&replies[1]).contains(&"edit".to_owned()), "{replies:?}");
    let human = show(&["--reply"]).stdout;
    assert!(human.contains("rest      sed -i s/x/y/ x.py"), "{human}");
    assert!(human.contains("edit 1    +    return 2"), "{human}");
    assert!(show(&["--format", "json"]).json()["run"].get("replies").is_none());
}

#[test]
fn runs_are_listed_newest_first_and_found_by_a_beginning() {
    let repo = repo();
    let first = run(&repo, &[BAD], 1);
    let second = run(&repo, &["NO_CHANGES_NEEDED"], 0);
    let listed = log(&repo, &[]);
    let runs: Vec<_> = listed["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| [&run["run"], &run["outcome"]].map(|value| value.as_str().unwrap_or("none").to_owned()))
        .collect();
    assert_eq!(runs, [[second.clone(), "no-change".into()], [first.clone(), "rejected".into()]]);
    assert_eq!(listed["runs"][1]["latest"]["apply_status"], "rejected");
    assert!(listed["runs"][0]["latest"].is_null());
    assert_eq!(log(&repo, &["-n", "1"])["runs"].as_array().map(Vec::len), Some(1));
    let several = host(repo.path(), &["log", "0"]).expect(2);
    assert!(several.stderr.contains(&first) && several.stderr.contains(&second), "{several:?}");
    host(repo.path(), &["log", "ffff"]).expect(2);
    host(repo.path(), &["log", "../../x"]).expect(2);
    let human = host(repo.path(), &["log"]).expect(0).stdout;
    assert!(
        human.lines().next().is_some_and(|line| line.contains("no change") && line.contains("Let x return 2")),
        "{human}"
    );
}

#[test]
fn a_run_that_could_not_go_on_says_why() {
    let repo = repo();
    let args = ["run", "--task", "x", "--provider", "command:false", "--quiet"];
    host(repo.path(), &args).expect(6);
    let run = &log(&repo, &[])["runs"][0];
    assert_eq!((run["state"].as_str(), run["outcome"].as_str()), (Some("ended"), Some("provider")));
    assert!(run["reason"].as_str().is_some_and(|reason| reason.contains("false")), "{run}");
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_running_run_is_distinguished_from_a_killed_one() {
    let repo = repo();
    // The agent creates a file when it is asked, and then waits.
    let asked = repo.path().join("../asked");
    let script = format!("command:sh -c 'cat > /dev/null; : > {}; exec sleep 30'", asked.display());
    let mut host =
        Killed(command(repo.path(), &["run", "--task", "wait", "--provider", &script], &[]).spawn().expect("it runs"));
    while !asked.exists() {
        assert!(host.0.try_wait().expect("a child").is_none(), "it ended early");
        std::thread::yield_now();
    }
    assert_eq!(log(&repo, &[])["runs"][0]["state"], "running");
    host.0.kill().expect("killed");
    host.0.wait().expect("gone");
    let listed = log(&repo, &[]);
    assert_eq!(
        (listed["runs"][0]["state"].as_str(), listed["runs"][0]["outcome"].as_str()),
        (Some("interrupted"), None)
    );
    let human = crate::support::cli::host(repo.path(), &["log"]).expect(0).stdout;
    assert!(human.contains("interrupted"), "{human}");
}

#[test]
fn damaged_and_foreign_lines_hide_nothing_and_are_not_lost() {
    let repo = repo();
    let id = run(&repo, &[GOOD], 0);
    let file = repo.path().join(".git/guardhost/runs").join(&id).join("records.jsonl");
    let mut records = fs::OpenOptions::new().append(true).open(&file).expect("records");
    records
        .write_all(
            b"{\"object_id\":\"x\",\"object_type\":\"from_the_future\",\"version\":9}\n\xff\xfe\n{\"object_id\":\"to",
        )
        .expect("written");
    let bytes = fs::read(&file).expect("bytes");
    let run = log(&repo, &[&id])["run"].clone();
    assert_eq!((run["unread"].as_u64(), run["outcome"].as_str()), (Some(3), Some("committed")));
    let human = host(repo.path(), &["log", &id]).expect(0).stdout;
    assert!(human.contains("3 lines"), "{human}");
    assert_eq!(fs::read(&file).expect("bytes"), bytes);
}

/// An audit is recorded as runs are, and nobody who asks for the newest run means it.
#[test]
fn an_audit_behind_a_run_is_not_shown_for_it() {
    let newest =
        |repo: &TestRepo| host(repo.path(), &["show", "--format", "json"]).expect(0).json()["run"]["command"].clone();
    let behind_a_run = repo();
    let id = run(&behind_a_run, &[GOOD], 0);
    host(behind_a_run.path(), &["audit"]).expect(0);
    assert_eq!(log(&behind_a_run, &[])["runs"][0]["command"], "audit");
    assert_eq!(newest(&behind_a_run), "run");
    assert!(host(behind_a_run.path(), &["show"]).expect(0).stdout.contains(&id[..8]));
    // There is nothing else.
    let alone = repo();
    host(alone.path(), &["audit"]).expect(0);
    assert_eq!(newest(&alone), "audit");
}
