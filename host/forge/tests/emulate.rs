//! The adapter of GitHub against a server that others wrote: emulate 0.12.2, for what it does as GitHub.
//!
//! It runs where `GUARD_TEST_EMULATE` holds two paths, of Node 24 and of `dist/index.js` of the npm package `emulate@0.12.2`, and says so where it
//! does not. What the server does in another way than GitHub is listed here, and the test fails when the list is no longer true.

mod forge;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use guardhost_core::stop::StopToken;
use guardhost_forge::{
    CheckRun, CommitStatus, DiffSide, Forge, ForgeFailure, ForgeToken, GitHub, HttpSettings, NewInline, NewPull,
    Proxies, PullState, RepoAddress, StatusState, StopPause, Viewer, WriteOutcome, open_or_update, sticky,
};
use serde_json::{Value, json};

use forge::{Description, Face};

const TOKEN: &str = "loopback-token";
const ROOT: &str = "/repos/robot/tally";
const SEED: &str = "tokens:
  loopback-token:
    login: robot
    scopes: [repo, user]
github:
  users:
    - login: robot
  repos:
    - owner: robot
      name: tally
      auto_init: true
";

/// Fields of its answers that are not as GitHub describes them: the operation, and the field.
const KNOWN: &[&str] = &[
    "GET /repos/{owner}/{repo}/commits/{ref}/check-runs: /check_runs/output lacks \"annotations_url\"",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments:  lacks \"_links\"",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments: /in_reply_to_id",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments: /original_position",
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments: /position",
    "GET /repos/{owner}/{repo}/pulls: /labels/description",
    "GET /repos/{owner}/{repo}:  lacks \"network_count\"",
    "GET /repos/{owner}/{repo}:  lacks \"subscribers_count\"",
];

struct Server {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// None where it is not installed.
    fn start() -> Option<Self> {
        let paths = std::env::var("GUARD_TEST_EMULATE").ok()?;
        let (node, script) = paths.split_once(' ').expect("GUARD_TEST_EMULATE: the paths of node and of dist/index.js");
        let folder = tempfile::tempdir().expect("a folder");
        let seed = folder.path().join("seed.yaml");
        std::fs::write(&seed, SEED).expect("a file");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let child = Command::new(node)
            .args([script, "start", "--service", "github", "--port", &port.to_string(), "--seed"])
            .arg(&seed)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("node");
        let mut server = Server { child, port, _folder: folder };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert_eq!(server.child.try_wait().expect("a process"), None, "the server ended");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(server)
    }

    /// One request, past the adapter.
    fn call(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        // Version 1.0: the answer comes whole, and the connection ends with it.
        let head = format!(
            "{method} {path} HTTP/1.0\r\nhost: 127.0.0.1\r\nauthorization: Bearer {TOKEN}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split_whitespace().nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, serde_json::from_str(body).unwrap_or_default())
    }

    /// A branch with one file more than `main`.
    fn push(&self, branch: &str) {
        let (_, main) = self.call("GET", &format!("{ROOT}/git/ref/heads/main"), &Value::Null);
        let new = json!({ "ref": format!("refs/heads/{branch}"), "sha": main["object"]["sha"] });
        assert_eq!(self.call("POST", &format!("{ROOT}/git/refs"), &new).0, 201);
        let content = base64::engine::general_purpose::STANDARD.encode("a = 1\n");
        let file = json!({ "message": "Change", "content": content, "branch": branch });
        assert_eq!(self.call("PUT", &format!("{ROOT}/contents/a.py"), &file).0, 201);
    }

    fn client(&self) -> GitHub {
        let address = RepoAddress::from_remote("http://127.0.0.1/robot/tally").expect("an address");
        let stop = StopToken::default();
        let settings = HttpSettings {
            api: format!("http://127.0.0.1:{}", self.port),
            token: Some(ForgeToken::new("GITHUB_TOKEN", TOKEN)),
            proxies: Proxies::default(),
            pause: Box::new(StopPause(stop.clone())),
            stop,
        };
        GitHub::new(&address, settings).expect("a client")
    }

    /// What of its answers is not as GitHub describes it.
    fn mismatches(&self, sha: &str) -> Vec<String> {
        let description = Description::new(Face::GitHub);
        let mut found = std::collections::BTreeSet::new();
        for path in [
            "/user".to_owned(),
            ROOT.to_owned(),
            format!("{ROOT}/pulls"),
            format!("{ROOT}/pulls/1"),
            format!("{ROOT}/pulls/1/comments"),
            format!("{ROOT}/issues/1/comments"),
            format!("{ROOT}/issues/1/labels"),
            format!("{ROOT}/commits/{sha}/check-runs"),
            format!("{ROOT}/actions/runs"),
        ] {
            let operation = description.operation("GET", &path).expect("an operation");
            let (status, body) = self.call("GET", &path, &Value::Null);
            for wrong in description.check_answer(operation, status, &body) {
                // Without numbers of entries, and without the value.
                let place: Vec<&str> = wrong.splitn(3, ": ").collect();
                let field =
                    place[1].split('/').filter(|part| part.parse::<u64>().is_err()).collect::<Vec<_>>().join("/");
                let missing = wrong.strip_suffix(" is a required property").and_then(|text| text.rsplit(' ').next());
                found.insert(format!(
                    "{}: {field}{}",
                    operation.name,
                    missing.map(|name| format!(" lacks {name}")).unwrap_or_default()
                ));
            }
        }
        found.into_iter().collect()
    }
}

#[test]
fn the_adapter_of_github_works_with_a_server_of_others() {
    let Some(server) = Server::start() else {
        // Past the harness, which keeps what a test that passes prints.
        let said = "SKIPPED the second server for GitHub (emulate 0.12.2): GUARD_TEST_EMULATE is not set\n";
        std::io::stderr().write_all(said.as_bytes()).expect("written");
        return;
    };
    server.push("guardhost/work");
    let github = server.client();
    assert_eq!(github.viewer().unwrap(), Viewer::User("robot".into()));
    assert_eq!(github.repository().unwrap().default_branch, "main");
    let new = |text: &str| NewPull {
        head: "guardhost/work".into(),
        base: "main".into(),
        title: "Work".into(),
        body: guardhost_forge::comments::body::pull_body("01a2-b", text),
        draft: false,
    };
    assert_eq!(github.find("guardhost/work").unwrap(), None);
    let (pull, done) = open_or_update(&github, &new("first")).unwrap();
    assert_eq!((pull.number, done, pull.state, pull.from_fork), (1, WriteOutcome::Made, PullState::Open, false));
    assert_eq!(open_or_update(&github, &new("first")).unwrap().1, WriteOutcome::Unchanged);
    let (changed, done) = open_or_update(&github, &new("second")).unwrap();
    assert_eq!((changed.number, done, changed.head_sha.as_str()), (1, WriteOutcome::Changed, pull.head_sha.as_str()));
    github.add_labels(1, &["guardhost", "docs"]).unwrap();
    github.add_labels(1, &["guardhost"]).unwrap();
    let mut labels = github.pull(1).unwrap().labels;
    labels.sort();
    assert_eq!(labels, ["docs", "guardhost"]);

    let summary = |text: &str| format!("{}\n{text}", guardhost_forge::comments::body::SUMMARY_MARKER);
    let done = ["one", "one", "two"].map(|text| sticky(&github, 1, &summary(text)).unwrap());
    assert_eq!(done, [WriteOutcome::Made, WriteOutcome::Unchanged, WriteOutcome::Changed]);
    assert_eq!(github.comments(1).unwrap().len(), 1);
    let inline = NewInline {
        sha: pull.head_sha.clone(),
        path: "a.py".into(),
        side: DiffSide::Right,
        start_line: None,
        line: 1,
        old_line: None,
        body: "text <!-- one -->".into(),
        marker: "<!-- one".into(),
    };
    let made = github.comment_inline(1, &inline).unwrap();
    github.edit_inline(1, made.id, "other").unwrap();
    let found = github.inline_comments(1).unwrap();
    assert_eq!(
        found.iter().map(|found| (found.line, found.body.as_str(), found.is_own)).collect::<Vec<_>>(),
        [(Some(1), "other", true)]
    );

    let check = CheckRun {
        name: "guardhost".into(),
        external_id: "run-1".into(),
        passed: false,
        title: "rejected".into(),
        summary: "text".into(),
    };
    github.set_check(&pull.head_sha, &check).unwrap();
    github.set_check(&pull.head_sha, &CheckRun { passed: true, ..check }).unwrap();
    let path = format!("{ROOT}/commits/{}/check-runs", pull.head_sha);
    let (_, checks) = server.call("GET", &path, &Value::Null);
    assert_eq!((&checks["total_count"], &checks["check_runs"][0]["conclusion"]), (&json!(1), &json!("success")));

    // What it does not do as GitHub.
    assert_eq!(server.mismatches(&pull.head_sha), KNOWN);
    assert_eq!(github.files(1).unwrap(), [], "it computes no files");
    let status =
        CommitStatus { state: StatusState::Success, context: "guardhost".into(), description: "passed".into() };
    assert_eq!(github.set_status(&pull.head_sha, &status).unwrap_err().class, ForgeFailure::NotFound, "no statuses");
    let beside = NewInline { line: 99, ..inline };
    assert!(github.comment_inline(1, &beside).is_ok(), "it takes comments beside the diff");
    let second = json!({ "title": "Work", "head": "guardhost/work", "base": "main" });
    assert_eq!(
        server.call("POST", &format!("{ROOT}/pulls"), &second).0,
        201,
        "it opens a second pull request of a branch"
    );

    assert_eq!(github.close(1).unwrap().state, PullState::Closed);
}
