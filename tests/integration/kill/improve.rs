//! `host improve`, killed at events spread over all of it, and taken up again: every step is committed once, and what the user has stays.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicU32;

use guardhost_core::process_env::ProcessEnv;
use guardhost_observer::client::Budget;
use guardhost_provider::Cancel;
use host::cli::{Cli, Command as What};
use host::command::{self, CommandContext};
use host::exit_code;
use serde_json::{Value, json};

use super::{FINISHED, KILL_AT, Killer, SIGKILL};
use crate::integration::planner::leftovers::{Place, statuses};
use crate::support::cli::host;
use crate::support::repo::TestRepo;

/// Set in the child: the arguments.
const ARGS: &str = "GUARDHOST_TEST_IMPROVE_ARGS";

/// Events between two moments at which it is killed.
const STRIDE: u32 = 4;

/// Not a test of its own: what the child does.
#[test]
fn child() {
    let (Ok(args), Ok(at)) = (std::env::var(ARGS), std::env::var(KILL_AT)) else { return };
    let killer = Killer { at: at.parse().expect("a number"), seen: AtomicU32::new(0) };
    let cli = <Cli as clap::Parser>::try_parse_from(args.split('\u{1f}')).expect("arguments");
    let What::Improve(args) = &cli.command else { panic!("not `host improve`") };
    let process = ProcessEnv {
        cwd: std::env::current_dir().expect("a folder"),
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
    let report = command::improve(args, &ctx, Cancel::default()).expect("a report");
    std::process::exit(FINISHED + i32::from(exit_code::of_report(&report)));
}

/// A repository, and beside it an agent that plans two steps and does them.
fn place() -> (TestRepo, PathBuf) {
    let repo = TestRepo::with(&[
        ("README.md", "# tally\n\nIt counts.\n"),
        ("lib/count.mjs", "export function count(things) {\n  return things.length + 1;\n}\n"),
        ("lib/show.mjs", "export function show(n) {\n  return String(n);\n}\n"),
    ]);
    repo.write("README.md", "# tally\n\nIt counts, and this is not committed.\n");
    repo.write("untracked.txt", "mine\n");
    let step = |title: &str, hint: &str| json!({ "title": title, "file_hints": [hint], "action": "modify" });
    let steps = [step("Show with words", "lib/show.mjs"), step("Count right", "lib/count.mjs")];
    let plan = json!({ "tasks": [{ "title": "Better", "subtasks": steps }] }).to_string();
    let diff = |path: &str, before: &str, after: &str| {
        format!("--- a/{path}\n+++ b/{path}\n@@ -2,1 +2,1 @@\n-{before}\n+{after}")
    };
    let answers = [
        ("You plan changes", plan),
        ("Show with words", diff("lib/show.mjs", "  return String(n);", "  return `${n} things`;")),
        ("Count right", diff("lib/count.mjs", "  return things.length + 1;", "  return things.length;")),
    ];
    let mut script = "cat > \"$0.prompt\"\n".to_owned();
    for (word, reply) in answers {
        script += &format!("if grep -q '{word}' \"$0.prompt\"; then cat <<'END'\n{reply}\nEND\nexit 0\nfi\n");
    }
    let agent = repo.path().join("../agent.sh");
    std::fs::write(&agent, script).expect("written");
    (repo, agent)
}

/// True when it was killed, false when it ended before.
fn killed_at(event: u32, repo: &TestRepo, arguments: &[&str]) -> bool {
    let mut child = Command::new(std::env::current_exe().expect("this test"));
    child.args(["integration::kill::improve::child", "--exact", "--nocapture"]).env_remove("CI");
    child.env(ARGS, [&["host"], arguments].concat().join("\u{1f}")).env(KILL_AT, event.to_string());
    let output = child.current_dir(repo.path()).stdin(Stdio::null()).output().expect("it runs");
    let killed = output.status.signal() == Some(SIGKILL);
    assert!(killed || output.status.code() == Some(FINISHED), "event {event}: {output:?}");
    killed
}

#[test]
fn every_step_is_committed_once() {
    let mut kills = 0;
    for event in (0..).step_by(STRIDE as usize) {
        let (repo, agent) = place();
        let before = (repo.snapshot(), repo.status());
        let provider = format!("command:sh {}", agent.display());
        let arguments = ["improve", "--provider", &provider, "--no-builds", "--format", "json"];
        if !killed_at(event, &repo, &arguments) {
            break;
        }
        kills += 1;
        let log = host(repo.path(), &["log", "--format", "json"]).expect(0).json();
        let runs = log["runs"].as_array().expect("runs").clone();
        let stopped = runs.iter().find(|run| run["command"] == "improve");
        let resume: Vec<&str> =
            stopped.and_then(|run| run["run"].as_str()).map_or_else(Vec::new, |run| vec!["--resume", run]);
        let report = host(repo.path(), &[&arguments[..], &resume].concat()).expect(0).json();
        let range = format!("main..{}", report["branch"].as_str().unwrap_or_default());
        let touched = repo.git(&["log", "--reverse", "--format=", "--name-only", &range]);
        assert_eq!(touched.split_whitespace().collect::<Vec<_>>(), ["lib/show.mjs", "lib/count.mjs"], "event {event}");
        // Killed between the commit and its record, a step finds its change already made.
        let done = |step: &Value| matches!(step["outcome"].as_str(), Some("committed" | "done" | "no-change"));
        assert!(report["plan"]["steps"].as_array().expect("steps").iter().all(done), "event {event}: {report:#}");
        assert_eq!(before, (repo.snapshot(), repo.status()), "event {event}: what the user has stays");
        repo.git(&["fsck", "--strict", "--no-dangling"]);
    }
    assert!(kills >= 10, "only {kills} kills met a living process");
}

/// The same with a reviewer, issues and voters behind the plan.
#[test]
fn every_fix_is_committed_once_and_the_votes_come_to_the_same() {
    let mut kills = 0;
    for event in (0..).step_by(2) {
        let place = Place::new();
        place.scores(97, [90, 85]);
        let before = (place.repo.snapshot(), place.repo.status());
        let arguments = place.arguments(&[]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        if !killed_at(event, &place.repo, &arguments) {
            break;
        }
        kills += 1;
        let log = host(place.repo.path(), &["log", "--format", "json"]).expect(0).json();
        let runs = log["runs"].as_array().expect("runs").clone();
        let stopped = runs.iter().find(|run| run["command"] == "improve");
        let resume: Vec<&str> =
            stopped.and_then(|run| run["run"].as_str()).map_or_else(Vec::new, |run| vec!["--resume", run]);
        let report = place.improve(&resume).expect(0).json();
        assert_eq!(place.touched(&report), ["lib/show.mjs", "LICENSE"], "event {event}: {report:#}");
        assert!(statuses(&report).iter().all(|status| *status == "resolved"), "event {event}: {report:#}");
        assert_eq!(report["votes"]["approval"], "approved", "event {event}: {report:#}");
        assert_eq!(before, (place.repo.snapshot(), place.repo.status()), "event {event}: what the user has stays");
        place.repo.git(&["fsck", "--strict", "--no-dangling"]);
    }
    assert!(kills >= 10, "only {kills} kills met a living process");
}
