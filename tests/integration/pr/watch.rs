//! `host pr watch`: what is never shown to a provider, and the forge's webhook.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::json;

use super::{Place, THREE, build};
use crate::support::cli::command;
use crate::support::forge::TOKEN;
use crate::support::webhooks::signed;

/// Of the job's log nothing is shown, whether the key begins in it or only ends there.
#[test]
fn a_private_key_in_a_log_never_reaches_a_provider() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
    for log in [
        format!(
            "+ cat deploy.key\n-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\nerror: denied\n"
        ),
        format!("{body}\n-----END OPENSSH PRIVATE KEY-----\nerror: denied\n"),
    ] {
        let place = Place::building(vec![build("failure", &log), build("success", "")]);
        let report = place.watch(&[THREE], &[]).expect(0).json();
        let fix = report["fixes"][0]["run"].as_str().expect("a run");
        let prompt = fs::read_to_string(place.repo.path().join(".git/guardhost/runs").join(fix).join("1/prompt.txt"));
        let prompt = prompt.expect("a prompt");
        assert!(prompt.contains("it holds a private key") && !prompt.contains(body), "{prompt}");
        assert!(!prompt.contains("denied"), "nothing of that log is shown: {prompt}");
    }
}

/// The builds are asked for once an hour: what ends the wait is the delivery.
#[test]
fn a_signed_delivery_ends_the_wait() {
    let place = Place::building(Vec::new());
    let secret = "a secret of the webhook";
    let api = place.forge.api();
    let env = [("GITHUB_TOKEN", TOKEN), ("GUARDHOST_API", api.as_str()), ("GUARDHOST_WEBHOOK_SECRET", secret)];
    let args = [
        "pr",
        "watch",
        "--interval",
        "3600",
        "--wait",
        "7200",
        "--listen",
        "127.0.0.1:0",
        "--verbose",
        "--format",
        "json",
    ];
    let mut child = command(place.repo.path(), &args, &env)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = BufReader::new(child.stderr.take().expect("standard error")).lines();
    let address = said
        .find_map(|line| line.expect("a line").split_once("webhook on ").map(|(_, address)| address.trim().to_owned()))
        .expect("where it listens");
    let drain = std::thread::spawn(move || said.count());
    // It asked once, and there was no build.
    while !place.forge.requests().iter().any(|request| request.contains("/actions/runs")) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    place.forge.state().planned = vec![build("success", "")];
    let head = place.repo.git(&["rev-parse", "--verify", &head_of(&place)]);
    let body = json!({
        "sha": head, "state": "success", "context": "ci", "id": 1, "repository": { "full_name": "team/tally" },
    })
    .to_string();
    let mut stream = TcpStream::connect(&address).expect("a connection");
    let signature = signed(secret, body.as_bytes());
    write!(
        stream,
        "POST / HTTP/1.1\r\nhost: here\r\nx-github-event: status\r\nx-github-delivery: 7\r\nx-hub-signature-256: {signature}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("sent");
    let output = child.wait_with_output().expect("it ends");
    drain.join().expect("read");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"outcome\":\"success\""));
    place.forge.check();
}

#[test]
fn a_webhook_without_a_secret_is_not_listened_to() {
    let place = Place::building(Vec::new());
    let said = place.watch(&[], &["--listen", "127.0.0.1:0"]).expect(2).json()["error"].to_string();
    assert!(said.contains("GUARDHOST_WEBHOOK_SECRET is not set"), "{said}");
}

fn head_of(place: &Place) -> String {
    place.forge.state().pulls[0].head.clone()
}
