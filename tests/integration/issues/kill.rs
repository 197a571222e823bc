//! A host that is killed at any of 20 points is taken up: the same statuses as without, and nothing is fixed twice.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use guardhost_core::change::{Event, Observer};
use guardhost_core::process_env::ProcessEnv;
use guardhost_observer::client::Budget;
use guardhost_provider::Cancel;
use host::cli::{Cli, Command as What};
use host::command::{self, CommandContext};
use serde_json::{Value, json};

use super::{Place, fix, pairs, review, statuses, touched};
use crate::support::cli::host;

/// Set in the child: its arguments, and at which event it ends itself.
const ARGS: &str = "GUARDHOST_TEST_FIX_ARGS";
const KILL_AT: &str = "GUARDHOST_TEST_FIX_KILL_AT";
/// Set in the child: where it writes how many events there were.
const EVENTS: &str = "GUARDHOST_TEST_FIX_EVENTS";

const POINTS: u32 = 20;

struct Killer {
    at: u32,
    seen: AtomicU32,
}

impl Observer for Killer {
    fn see(&self, _: &Event) {
        if self.seen.fetch_add(1, Ordering::SeqCst) == self.at {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        }
    }
}

/// Not a test of its own: what the child does.
#[test]
fn child() {
    let Ok(args) = std::env::var(ARGS) else { return };
    let killer = Killer { at: std::env::var(KILL_AT).unwrap().parse().unwrap(), seen: AtomicU32::new(0) };
    let cli = <Cli as clap::Parser>::try_parse_from(args.split('\u{1f}')).expect("arguments");
    let What::Fix(args) = &cli.command else { panic!("no fix") };
    let process = ProcessEnv {
        cwd: std::env::current_dir().unwrap(),
        exe: env!("CARGO_BIN_EXE_host").into(),
        temp: std::env::temp_dir(),
        threads: 2,
        env: std::env::vars_os().collect(),
        ..ProcessEnv::default()
    };
    let ctx = CommandContext {
        global: &cli.global,
        process: &process,
        embedded: &guards::EMBEDDED,
        watchers: &[&killer],
        observer: &Budget::default(),
    };
    let _ = command::fix(args, &ctx, Cancel::default()).expect("a report");
    std::fs::write(std::env::var(EVENTS).unwrap(), killer.seen.load(Ordering::SeqCst).to_string()).unwrap();
}

/// Three issues in two batches: one is mended at the second attempt, one is rejected by a guard, one is fixed at once.
fn place() -> Place {
    let place = Place::new(&["a.py", "b.py", "c.js"]);
    let better = "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,2 @@\n a = 1\n+# explained";
    let broken = "--- a/b.py\n+++ b/b.py\n@@ -1,1 +1,1 @@\n-b = 1  # XXX\n+b = (1";
    place.agent(
        "author",
        "",
        &[("say why", better), ("- b at", broken), ("- a at", &fix("a.py")), ("- c at", &fix("c.js"))],
    );
    let first = json!({ "score": 96, "blocking": [], "issues": [
        { "id": "a", "verdict": "partial", "path": "a.py", "line": 1, "says": "say why" },
        { "id": "c", "verdict": "resolved", "path": "c.js", "line": 1, "says": "gone" } ] });
    let second = review(98, &[("a", "resolved", "a.py", 2), ("c", "resolved", "c.js", 1)]);
    place.agent("reviewer", "", &[("# explained", &second), ("", &first.to_string())]);
    place.list(json!([
        { "id": "a", "title": "XXX", "path": "a.py", "effort": 5, "files": 2 },
        { "id": "b", "title": "XXX", "path": "b.py", "effort": 5, "files": 2 },
        { "id": "c", "title": "XXX", "path": "c.js" },
    ]));
    place
}

/// Whether it was killed, and else how many events there were.
fn run(place: &Place, at: u32) -> Option<u32> {
    let list = place.beside("issues.json");
    let mut words = vec!["host".to_owned()];
    words.extend(place.arguments(&["reviewer"], &["--issues", list.to_str().unwrap(), "--accept-touched"]));
    let events = place.beside("events");
    let mut child = Command::new(std::env::current_exe().expect("this test"));
    child.args(["integration::issues::kill::child", "--exact", "--nocapture"]);
    child.env(ARGS, words.join("\u{1f}")).env(KILL_AT, at.to_string()).env(EVENTS, &events);
    let status =
        child.current_dir(place.repo.path()).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("it runs");
    match status.success() {
        true => Some(std::fs::read_to_string(events).expect("written").parse().expect("a number")),
        false => None,
    }
}

fn assert_end(place: &Place, report: &Value, moment: &str) {
    let expected = pairs(&[("a", "touched"), ("b", "failed"), ("c", "touched")]);
    assert_eq!(statuses(report), expected, "{moment}: {report:#}");
    let range = format!("main..{}", report["branch"].as_str().unwrap());
    assert_eq!(
        touched(place.repo.path(), &range),
        ["a.py", "c.js", "a.py"],
        "{moment}: a commit a fix, and none twice"
    );
    place.repo.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn a_flow_that_is_killed_ends_as_one_that_is_not() {
    let whole = place();
    let events = run(&whole, u32::MAX).expect("it is not killed");
    assert!(events >= POINTS, "{events} events");
    let mut resumed = 0;
    for point in 0..POINTS {
        let (place, at) = (place(), point * events / POINTS);
        let moment = format!("killed at event {at} of {events}");
        assert_eq!(run(&place, at), None, "{moment}");
        let log = host(place.repo.path(), &["log", "--format", "json"]).expect(0).json();
        let run = log["runs"].as_array().unwrap().iter().find(|run| run["command"] == "fix").cloned();
        let list = place.beside("issues.json");
        let anew = ["--issues", list.to_str().unwrap(), "--accept-touched"];
        let id = run.as_ref().and_then(|run| run["run"].as_str()).unwrap_or_default().to_owned();
        let ran = match id.is_empty() {
            true => place.fix_with(&["reviewer"], &anew),
            false => {
                resumed += 1;
                place.fix_with(&["reviewer"], &["--resume", &id, "--accept-touched"])
            }
        };
        assert_end(&place, &ran.expect(1).json(), &moment);
    }
    assert!(resumed >= POINTS - 2, "{resumed} were taken up");
}
