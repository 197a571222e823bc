//! What runs say to an observer, and hear from it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::served::{Served, ask};
use crate::support::cli::{Ran, command, host, host_with};
use crate::support::repo::{TestRepo, git_in};

pub const GOOD: &str =
    "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n```\n";
pub const BAD: &str =
    "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";

pub fn repo() -> TestRepo {
    TestRepo::with(&[
        ("x.py", "def x():\n    return 1\n"),
        ("guards.toml", "schema = 1\n\n[policy]\nrounds = 1\n\n[[guard]]\nid = \"syntax-holds\"\n"),
    ])
}

/// A `claude` that runs `before` and answers with the reply; the `PATH` that has it.
pub fn claude(folder: &Path, reply: &str, before: &str) -> String {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    let result = json!({ "type": "result", "subtype": "success", "is_error": false, "result": reply, "stop_reason": "end_turn",
        "session_id": "s", "terminal_reason": "completed", "permission_denials": [], "num_turns": 1, "total_cost_usd": 0.01,
        "usage": { "input_tokens": 9, "output_tokens": 9 } });
    let init =
        json!({ "type": "system", "subtype": "init", "session_id": "s", "model": "claude-opus-4-5", "tools": [] });
    fs::write(bin.join("reply"), format!("{init}\n{result}\n")).expect("written");
    let script = format!("#!/bin/sh\ncat > /dev/null\n{before}\ncat '{}'\n", bin.join("reply").display());
    fs::write(bin.join("claude"), script).expect("written");
    fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).expect("executable");
    let rest = std::env::var("PATH").unwrap_or_default();
    format!("{}:{rest}", bin.display())
}

pub const TASK: [&str; 9] =
    ["run", "--task", "Let x return 2", "--file-hint", "x.py", "--provider", "claude", "--format", "json"];

pub fn run(repo: &Path, path: &str, url: &str) -> Ran {
    host_with(repo, &TASK, b"", &[("PATH", path), ("GUARDHOST_OBSERVER", url)])
}

#[test]
fn a_run_is_observed_from_its_claim_to_its_commit() {
    let (repo, folder) = (repo(), tempfile::tempdir().expect("a folder"));
    let served = Served::start(&folder.path().join("data"), &["--repo", repo.path().to_str().expect("a name")]);
    let path = claude(folder.path(), GOOD, "");
    let report = run(repo.path(), &path, &served.url).expect(0).json();
    assert_eq!(report["notices"], json!([]), "nothing was absent");
    let log = served.log();
    let commit = report["commit"].as_str().expect("a commit");
    assert_eq!(log.len(), 1);
    let id = log[0]["repo"].as_str().expect("an id").to_owned();
    assert_eq!(
        (&log[0]["outcome"], &log[0]["run_id"], &log[0]["commit_sha"], &log[0]["touched_files"], &log[0]["model"]),
        (&json!("success"), &report["run"], &json!(commit), &json!(["x.py"]), &json!("claude"))
    );
    // Under the claim, which is free again.
    assert_eq!(log[0]["claim"]["fence"], 1);
    assert_eq!(served.get(&format!("/claim?repo={id}")).1, json!([]));
    assert_eq!(served.get(&format!("/agent/identity/{commit}")).1["agent"], "guardhost");
    let facts = served.get(&format!("/repo/fingerprint?repo={id}")).1;
    assert_eq!(facts["tree"].as_str(), Some(repo.git(&["rev-parse", "HEAD^{tree}"]).trim()));
    assert_eq!(facts["languages"][0]["name"], "Python");
    // Every line of the trace, once and in order.
    let trace = fs::read_to_string(report["trace"].as_str().expect("a trace")).expect("the trace");
    let lines: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let events = events(&served, &format!("/events?repo={id}&after=0"), lines.len());
    assert_eq!(events.iter().map(|event| event["data"].clone()).collect::<Vec<_>>(), lines);
    // A clone is the same repository.
    let clone = folder.path().join("clone");
    git_in(folder.path(), &["clone", "-q", repo.path().to_str().expect("a name"), "clone"], b"");
    run(&clone, &path, &served.url);
    assert_eq!(served.log()[0]["repo"], json!(id));
    assert_eq!(served.log()[0]["claim"]["fence"], 2);
}

/// The first events of a stream.
fn events(served: &Served, path: &str, count: usize) -> Vec<Value> {
    use std::io::{BufRead, BufReader, Write};
    let mut stream = std::net::TcpStream::connect(served.url.trim_start_matches("http://")).expect("a connection");
    stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).expect("set");
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("sent");
    let lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
    let data = lines.filter_map(|line| Some(serde_json::from_str(line.strip_prefix("data: ")?).expect("JSON")));
    data.take(count).collect()
}

#[test]
fn a_run_whose_claim_was_taken_over_commits_nothing() {
    let (repo, folder) = (repo(), tempfile::tempdir().expect("a folder"));
    let served = Served::start(&folder.path().join("data"), &[]);
    let path = claude(folder.path(), BAD, "");
    run(repo.path(), &path, &served.url).expect(1);
    let row = served.log()[0].clone();
    let (id, key) = (row["repo"].as_str().expect("an id"), row["claim"]["key"].as_str().expect("a key").to_owned());
    assert_eq!((&row["outcome"], &row["failure_modes"]), (&json!("fail"), &json!(["syntax-holds"])));
    // While the provider thinks, its claim ends and another run takes it.
    let steal = format!(
        "python3 - <<'END'\nimport json, urllib.parse, urllib.request\nbase, repo, key = {:?}, {id:?}, {key:?}\ndef ask(method, path, body=None):\n    data = None if body is None else json.dumps(body).encode()\n    request = urllib.request.Request(base + path, data=data, method=method, headers={{'content-type': 'application/json'}})\n    return json.loads(urllib.request.urlopen(request).read())\nclaim = ask('GET', '/claim?' + urllib.parse.urlencode(dict(repo=repo, key=key)))['claim']\nask('DELETE', '/claim?' + urllib.parse.urlencode(dict(repo=repo, key=key, holder=claim['holder'], fence=claim['fence'])))\nask('POST', '/claim', dict(repo=repo, key=key, holder='another-run'))\nEND",
        served.url
    );
    let path = claude(folder.path(), GOOD, &steal);
    let before = repo.git(&["for-each-ref"]);
    let ran = run(repo.path(), &path, &served.url).expect(7);
    assert!(ran.stdout.contains("another-run") && ran.stdout.contains("stale"), "{ran:?}");
    assert_eq!(repo.git(&["for-each-ref"]), before, "no ref moved");
    // What it would have reported under the stale claim is refused, and kept here for people.
    assert_eq!(served.log().len(), 1);
    let refused: Vec<PathBuf> = fs::read_dir(repo.path().join(".git/guardhost/outbox/refused"))
        .expect("refused letters")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(refused.len(), 1);
    // The other run holds it: a third does not even begin.
    let path = claude(folder.path(), GOOD, "echo asked > asked");
    let ran = run(repo.path(), &path, &served.url).expect(7);
    assert!(ran.stdout.contains("another run works on this task"), "{ran:?}");
    assert!(!repo.path().join("asked").exists());
}

#[test]
fn a_step_that_failed_elsewhere_is_not_tried_again_here() {
    let (repo, folder) = (repo(), tempfile::tempdir().expect("a folder"));
    let served = Served::start(&folder.path().join("data"), &[]);
    let plan = json!({ "schema_version": 1, "tasks": [{ "id": "T1", "title": "Change x", "subtasks": [
        { "id": "T1-S1", "title": "Let x return 2", "description": "d", "action": "modify", "file_hints": ["x.py"] }] }] });
    fs::write(folder.path().join("plan.json"), plan.to_string()).expect("written");
    let path = claude(folder.path(), BAD, "");
    let plan = folder.path().join("plan.json");
    let args = ["run", "--plan", plan.to_str().expect("a name"), "--provider", "claude", "--format", "json"];
    let env = [("PATH", path.as_str()), ("GUARDHOST_OBSERVER", served.url.as_str())];
    git_in(folder.path(), &["clone", "-q", repo.path().to_str().expect("a name"), "clone"], b"");
    for _ in 0..2 {
        host_with(repo.path(), &args, b"", &env).expect(1);
    }
    let log = served.log();
    assert_eq!(log.iter().filter(|row| row["outcome"] == "fail").count(), 2, "{log:?}");
    let clone = folder.path().join("clone");
    let elsewhere = host_with(&clone, &args, b"", &env).json();
    let layers = elsewhere["layers"].to_string();
    assert!(layers.contains("history") && layers.contains("syntax-holds"), "{elsewhere}");
    // Without the observer the clone knows nothing of it.
    let alone = host_with(&clone, &args, b"", &env[..1]).expect(1).json();
    assert!(!alone["layers"].to_string().contains("history"), "{alone}");
}

#[test]
fn a_folder_has_one_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let served = Served::start(&data, &[]);
    let data = data.to_str().expect("a name");
    let second = host(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--data", data]).expect(7);
    assert!(second.stderr.contains(&format!("process {}", served.pid())), "{second:?}");
    assert!(second.stderr.contains(&served.url), "{second:?}");
    assert_eq!(served.get("/readyz").0, 200, "the first is unharmed");
    let pid = served.pid().to_string();
    let mut third = command(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--data", &format!("{data}2")], &[]);
    let mut third = third.spawn().expect("host serve");
    std::thread::sleep(std::time::Duration::from_millis(500));
    std::process::Command::new("kill").arg(third.id().to_string()).status().expect("kill");
    assert_eq!(third.wait().expect("it ends").code(), Some(0), "a request to stop is no error");
    drop(pid);
    // Less than a week is kept by nobody: plans look back as far.
    let short = host(folder.path(), &["serve", "--data", data, "--keep-days", "6"]).expect(2);
    assert!(short.stderr.contains("7"), "{short:?}");
}

#[test]
fn tokens_are_made_listed_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let name = data.to_str().expect("a name");
    let made = host(folder.path(), &["serve", "--data", name, "--add-token", "ci", "--token-repo", "abc"]).expect(0);
    let token = made.stdout.trim();
    assert!(token.starts_with("gho_") && token.len() == 68, "{made:?}");
    assert_eq!(host(folder.path(), &["serve", "--data", name, "--list-tokens"]).expect(0).stdout, "ci\tabc\n");
    host(folder.path(), &["serve", "--data", name, "--add-token", "ci"]).expect(2);
    let served = Served::start(&data, &["--tokens"]);
    assert_eq!(ask(&served.url, "GET", "/repo/agent-log?repo=abc", None).expect("an answer").0, 401);
    let repo = repo();
    let path = claude(folder.path(), GOOD, "");
    let env = [("PATH", path.as_str()), ("GUARDHOST_OBSERVER", &served.url), ("GUARDHOST_OBSERVER_TOKEN", token)];
    // The token is for another repository: the run goes on, and says so.
    let ran = host_with(repo.path(), &TASK, b"", &env).expect(0);
    assert!(ran.json()["notices"].to_string().contains("403"), "{ran:?}");
    assert!(!format!("{ran:?}").contains(token), "the token is shown nowhere");
    host(folder.path(), &["serve", "--data", name, "--remove-token", "ci"]).expect(0);
    host(folder.path(), &["serve", "--data", name, "--remove-token", "ci"]).expect(2);
}
