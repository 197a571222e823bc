//! `host guard test --watch`.

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::Home;
use crate::support::cli::command;
use crate::support::guest::{Found, Guest, REJECT, verdict};

/// Long enough for a machine that does much else; a quick one waits for nothing.
const PATIENCE: Duration = Duration::from_secs(120);

struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn begin(home: &Home) -> Self {
        let mut child = command(home.path(), &["guard", "test", "--watch", "--format", "json"], &[]).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (said, lines) = mpsc::channel();
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| said.send(line)));
        Watching { child, lines }
    }

    #[track_caller]
    fn next(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("it tests again after an edit");
        serde_json::from_str(&line).unwrap()
    }
}

/// Nobody waits for it when a test fails.
impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn tests_again_after_every_edit_until_ctrl_c() {
    let home = Home::with_guest(&Guest::default());
    home.case("one");
    home.write("cases/one/expect.json", r#"{"verdict": "pass"}"#);
    let mut watching = Watching::begin(&home);
    assert_eq!(watching.next()["ok"], true);

    home.write("cases/one/expect.json", r#"{"verdict": "reject"}"#);
    assert_eq!(watching.next()["ok"], false, "an edited case");

    let found = [Found { path: Some("a.md"), ..Found::default() }];
    home.write("source.wasm", Guest::answering(verdict(REJECT, &found)).component());
    // The edit may be seen before its last byte is written: then one more round follows.
    let mut built = watching.next();
    while built["cases"][0]["verdict"] != "reject" {
        built = watching.next();
    }

    home.write("guard.toml", "[build]");
    let mut broken = watching.next();
    while broken["error"].is_null() {
        broken = watching.next();
    }
    assert_eq!(broken["error"]["kind"], "usage", "{broken}");

    let pid = Pid::from_child(&watching.child);
    kill_process(pid, Signal::INT).unwrap();
    let ended = watching.child.wait().unwrap();
    assert!(ended.success(), "{ended:?}");
}
