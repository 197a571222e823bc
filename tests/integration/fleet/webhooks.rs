//! `host serve` with a queue: pull requests of a forge go to the workers, and their verdicts come back.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

use super::machines::{Machines, Server};
use crate::support::cli::{command, host_with};
use crate::support::forge::{Loopback, Pull, TOKEN};
use crate::support::webhooks::deliver;

const SECRET: &str = "a secret of the forge";

/// `host serve` that takes webhooks. Ended by SIGKILL with the value.
struct Serving {
    child: Child,
    /// Of the server.
    url: String,
    /// Where it takes webhooks.
    webhook: String,
}

impl Serving {
    fn start(machines: &Machines, forge: &Loopback, more: &[&str]) -> Serving {
        let folder = machines.folder.path();
        let data = folder.join("data").display().to_string();
        let keys = machines.keys().display().to_string();
        let args = ["serve", "--listen", "127.0.0.1:0", "--data", &data, "--webhook", "127.0.0.1:0"];
        let api = forge.api();
        let args = [&args[..], &["--token-env", "FORGE_TOKEN", "--api", &api], more].concat();
        let mut env = vec![("GUARDHOST_QUEUE", machines.address.as_str()), ("GUARDHOST_FLEET_KEYS", &keys)];
        env.extend([("GUARDHOST_WEBHOOK_SECRET", SECRET), ("FORGE_TOKEN", TOKEN)]);
        env.extend(machines.env.iter().map(|(name, value)| (*name, value.as_str())));
        let mut child = command(folder, &args, &env).spawn().expect("host serve");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let mut said = String::new();
        let mut after = |word: &str| loop {
            let line = lines.next().unwrap_or_else(|| panic!("host serve ended: {said}")).expect("a line");
            if let Some((_, rest)) = line.split_once(word) {
                return rest.trim().to_owned();
            }
            said.push_str(&line);
        };
        let webhook = after("webhook on ");
        let url = after("listening on ");
        // What it says later must find a reader.
        std::thread::spawn(move || lines.for_each(|line| println!("serve: {}", line.unwrap_or_default())));
        Serving { child, url, webhook }
    }

    fn get(&self, path: &str) -> String {
        let mut answer = Vec::new();
        let address = self.url.strip_prefix("http://").unwrap();
        let mut stream = std::net::TcpStream::connect(address).expect("a connection");
        std::io::Write::write_all(
            &mut stream,
            format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").as_bytes(),
        )
        .expect("sent");
        std::io::Read::read_to_end(&mut stream, &mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// What the observer knows of a commit.
    fn observed(&self, sha: &str) -> Value {
        let answer = self.get("/repo/agent-log?limit=1000");
        let body = &answer[answer.find('[').expect("a list")..=answer.rfind(']').expect("a list")];
        let rows: Vec<Value> = serde_json::from_str(body).expect("JSON");
        let of: Vec<&Value> = rows.iter().filter(|row| row["commit_sha"] == sha).collect();
        assert_eq!(of.len(), 1, "{sha}: {rows:?}");
        of[0].clone()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A pull request of a new branch, which the forge knows.
fn pull(machines: &Machines, forge: &Loopback, number: u64, from: &str, file: &str, text: &str) -> String {
    let (repo, branch) = (&machines.repo, format!("branch-{number}"));
    repo.git(&["switch", "--quiet", "--force-create", &branch, from]);
    repo.write(file, text);
    let head = repo.commit(&format!("change {number}")).to_string();
    repo.git(&["push", "--quiet", &forge.repository().display().to_string(), &format!("HEAD:refs/heads/{branch}")]);
    repo.git(&["switch", "--quiet", "main"]);
    forge.state().pulls.push(Pull {
        number,
        title: branch.clone(),
        body: String::new(),
        is_open: true,
        is_merged: false,
        head: branch,
        base: "main".into(),
        draft: false,
        labels: Vec::new(),
        ..Pull::default()
    });
    head
}

fn body(forge: &Loopback, action: &str, number: u64, head: &str) -> String {
    json!({
        "action": action,
        "number": number,
        "pull_request": { "head": { "sha": head }, "base": { "ref": "main" } },
        "repository": { "full_name": "team/tally", "clone_url": forge.remote() },
    })
    .to_string()
}

/// The newest status of a commit, when it is no longer waiting.
fn status(forge: &Loopback, sha: &str) -> (String, String) {
    let begun = Instant::now();
    loop {
        let statuses = forge.state().statuses.clone();
        let newest = statuses.iter().rev().find(|(of, _)| of == sha).map(|(_, body)| body.clone());
        if let Some(body) = newest.filter(|body| body["state"] != "pending") {
            return (body["state"].as_str().unwrap().to_owned(), body["description"].as_str().unwrap().to_owned());
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{sha}: {statuses:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn forge_of(machines: &mut Machines) -> Loopback {
    let forge = Loopback::start();
    machines.repo.git(&["branch", "--quiet", "--move", "main"]);
    let place = forge.repository().display().to_string();
    machines.repo.git(&["push", "--quiet", &place, "HEAD:refs/heads/main"]);
    // Git's own credentials, as a person would set them up.
    let config = machines.folder.path().join("config/git");
    std::fs::create_dir_all(&config).unwrap();
    let sign_in = base64::engine::general_purpose::STANDARD.encode(format!("x-access-token:{TOKEN}"));
    std::fs::write(config.join("config"), format!("[http]\n\textraHeader = Authorization: Basic {sign_in}\n")).unwrap();
    machines.env.push(("XDG_CONFIG_HOME", machines.folder.path().join("config").display().to_string()));
    forge
}

fn waiting(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("data/webhooks/inbox")).unwrap().count()
}

#[test]
fn a_webhook_becomes_a_job_and_its_verdict_a_status_even_if_the_server_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _running)) = Server::nats(folder.path()) else { return };
    let mut machines = Machines::new(server.address(), 0);
    let forge = forge_of(&mut machines);
    let first = machines.repo.oid("HEAD").to_string();
    // The base goes on: what is judged is a merge.
    machines.repo.write("conf/b.json", "{ \"b\": 1 }\n");
    machines.repo.write("README.md", "# Read me\n");
    machines.repo.write("guards.toml", "schema = 1\n\n[policy]\nrounds = 2\n");
    machines.repo.commit("the base goes on");
    machines.repo.git(&["push", "--quiet", &forge.repository().display().to_string(), "HEAD:refs/heads/main"]);
    let good = pull(&machines, &forge, 1, &first, "conf/good.json", "{ \"a\": 1 }\n");
    let bad = pull(&machines, &forge, 2, "main", "conf/bad.json", "{ \"a\": \n");
    let conflicting = pull(&machines, &forge, 3, &first, "README.md", "# Read on\n");
    let closed = pull(&machines, &forge, 4, "main", "conf/closed.json", "{ \"a\": 1 }\n");
    let rules = pull(&machines, &forge, 5, "main", "guards.toml", "schema = 1\n");
    let remote = forge.remote();
    let serve = || Serving::start(&machines, &forge, &["--allow-remote", &remote]);
    let serving = serve();
    let send = |serving: &Serving, id: &str, body: &str| deliver(&serving.webhook, SECRET, "pull_request", id, body);
    assert_eq!(deliver(&serving.webhook, "another", "pull_request", "0", &body(&forge, "opened", 1, &good)), 401);
    assert_eq!(waiting(machines.folder.path()), 0);
    for (number, head) in [(1, &good), (2, &bad), (3, &conflicting), (4, &closed), (5, &rules)] {
        assert_eq!(send(&serving, &number.to_string(), &body(&forge, "opened", number, head)), 202);
    }
    assert_eq!(send(&serving, "1", &body(&forge, "opened", 1, &good)), 200, "a delivery is read once");
    assert_eq!(waiting(machines.folder.path()), 5);
    // Nobody has judged them when the server is killed.
    drop(serving);
    let serving = serve();
    assert_eq!(send(&serving, "6", &body(&forge, "closed", 4, &closed)), 202);
    let worker = machines.worker("w0", &["--allow-remote", &remote]);

    let (state, words) = status(&forge, &good);
    assert_eq!((state.as_str(), words.as_str()), ("success", "the guards accept this pull request"));
    let (state, words) = status(&forge, &bad);
    assert_eq!((state.as_str(), words.as_str()), ("failure", "rejected by syntax-holds"));
    let (state, words) = status(&forge, &conflicting);
    assert_eq!(state, "error", "what cannot be merged is not accepted");
    assert!(words.contains("conflicts with its base in README.md"), "{words}");
    assert_eq!(status(&forge, &rules), ("failure".to_owned(), "rejected by rules".to_owned()));

    // As `host check` says of the same merge.
    let merge = ["merge-tree", "--write-tree", "main", &good];
    let tree = machines.repo.git(&merge).trim().to_owned();
    let begun = Instant::now();
    while waiting(machines.folder.path()) > 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} wait", waiting(machines.folder.path()));
        std::thread::sleep(Duration::from_millis(50));
    }
    let seen = serving.observed(&good);
    assert_eq!((&seen["outcome"], &seen["tree"]), (&json!("success"), &json!(tree)));
    assert_eq!(seen["touched_files"], json!(["conf/good.json"]));
    let seen = serving.observed(&bad);
    assert_eq!((&seen["outcome"], &seen["failure_modes"]), (&json!("fail"), &json!(["syntax-holds"])));
    assert_eq!(serving.observed(&conflicting)["outcome"], "aborted");
    let log = serving.get("/repo/agent-log?limit=1000");
    assert!(!log.contains(&closed), "a pull request that was closed is not judged: {log}");

    // The base moves: what is open is judged again, as it would be merged now.
    machines.repo.write("conf/b.json", "{ \"b\": 2 }\n");
    machines.repo.commit("the base goes on again");
    machines.repo.git(&["push", "--quiet", &forge.repository().display().to_string(), "HEAD:refs/heads/main"]);
    let pushed = json!({
        "ref": "refs/heads/main",
        "after": machines.repo.oid("HEAD").to_string(),
        "repository": { "full_name": "team/tally", "clone_url": forge.remote() },
    });
    assert_eq!(deliver(&serving.webhook, SECRET, "push", "7", &pushed.to_string()), 202);
    let tree = machines.repo.git(&["merge-tree", "--write-tree", "main", &good]).trim().to_owned();
    let begun = Instant::now();
    let is_seen = || serving.get("/repo/agent-log?limit=1000").contains(&tree);
    while waiting(machines.folder.path()) > 0 || !is_seen() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} wait", waiting(machines.folder.path()));
        std::thread::sleep(Duration::from_millis(50));
    }
    let log = serving.get("/repo/agent-log?limit=1000");
    assert!(!log.contains(&closed), "a pull request that was closed is not judged: {log}");

    let page = serving.get("/pages/fleet");
    assert!(page.contains("w0") && page.contains("href=\"/pages/fleet\""), "{page}");
    drop(worker);
    forge.check();
}

#[test]
fn what_may_not_be_fetched_is_said_and_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _running)) = Server::nats(folder.path()) else { return };
    let mut machines = Machines::new(server.address(), 0);
    let forge = forge_of(&mut machines);
    let head = pull(&machines, &forge, 1, "main", "conf/good.json", "{ \"a\": 1 }\n");
    let serving = Serving::start(&machines, &forge, &["--allow-remote", "https://example.org/"]);
    assert_eq!(deliver(&serving.webhook, SECRET, "pull_request", "1", &body(&forge, "opened", 1, &head)), 202);
    let (state, words) = status(&forge, &head);
    assert_eq!(state, "error");
    assert!(words.contains("--allow-remote"), "{words}");
    // Without a queue nothing can judge.
    let refused = host_with(
        machines.folder.path(),
        &["serve", "--listen", "127.0.0.1:0", "--webhook", "127.0.0.1:0", "--fleet-keys", "workers.txt"],
        b"",
        &[("GUARDHOST_WEBHOOK_SECRET", SECRET)],
    );
    assert!(refused.code == 2 && refused.stderr.contains("--queue"), "{refused:?}");
}
