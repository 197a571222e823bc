//! Ctrl-C and SIGTERM at every moment: the exit code is 130, and no command ends by the signal.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::cli::command;
use crate::support::repo::TestRepo;

const SIGNALS: [Signal; 2] = [Signal::INT, Signal::TERM];

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Commands that read this file, which never ends, before they do anything else that takes time.
#[test]
fn commands_that_do_not_look_for_a_request_end_with_130_and_say_so() {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    let fifo = repo.path().join("fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).unwrap();
    for words in [&["guard", "certify", "fifo"][..], &["guard", "componentize", "fifo", "-o", "out.wasm"]] {
        for signal in SIGNALS {
            let args = [words, &["--format", "json"]].concat();
            let child = command(repo.path(), &args, &[]).spawn().unwrap();
            // Returns when the command has opened the other end.
            let _writer = File::options().write(true).open(&fifo).unwrap();
            send(&child, signal);
            let ended = child.wait_with_output().unwrap();
            assert_eq!(ended.status.code(), Some(130), "{words:?}: {ended:?}");
            let said: Value = serde_json::from_slice(&ended.stdout).unwrap();
            assert_eq!(
                (&said["error"]["kind"], &said["error"]["code"]),
                (&"interrupted".into(), &"interrupted".into()),
                "{said}"
            );
        }
    }
}

/// Every saved state is judged, rules that are wrong end nothing, and nothing of it is remembered.
#[test]
fn what_is_watched_is_judged_whenever_it_changes_until_a_signal() {
    let repo = TestRepo::with(&[("a.json", "{}\n")]);
    let mut child = command(repo.path(), &["check", "--watch", "--format", "json"], &[]).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut next = || -> Value {
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    assert_eq!(next()["verdict"], "pass");
    repo.write("a.json", "{\n");
    assert_eq!(next()["verdict"], "reject");
    repo.write("a.json", "{ }\n");
    assert_eq!(next()["verdict"], "pass");
    repo.write("guards.toml", "schema = 2\n");
    repo.commit("rules that are wrong");
    assert_eq!(next()["error"]["kind"], "config");
    repo.write("guards.toml", "schema = 1\n");
    repo.commit("mended");
    assert_eq!(next()["verdict"], "pass");
    send(&child, Signal::INT);
    assert_eq!(next()["error"]["kind"], "interrupted");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let rulings = crate::support::cli::host(repo.path(), &["log", "--rulings", "--format", "json"]).expect(0).json();
    assert_eq!(rulings["rulings"].as_array().map(Vec::len), Some(0), "{rulings}");
}

#[test]
fn a_server_of_mcp_ends_with_130() {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    for signal in SIGNALS {
        let mut child = command(repo.path(), &["mcp"], &[]).spawn().unwrap();
        let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{hello}").unwrap();
        let mut answer = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut answer).unwrap();
        assert!(answer.contains("protocolVersion"), "{answer}");
        send(&child, signal);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130), "{ended:?}");
        drop(input);
    }
}
