//! Promise 1: whatever happens, and whenever, a change that is not accepted leaves the repository as it was.
//!
//! The run is killed with SIGKILL at every event, one after the other, by an observer in a child process: the library's real way,
//! without a hook in the product. And the real binary is killed at moments that nobody chose.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use guardhost_core::change::{Event, Observer};
use guardhost_core::process_env::ProcessEnv;
use guardhost_provider::Cancel;
use host::cli::{Cli, Command as What};
use host::exit_code;
use host::command::{self, CommandContext};

use crate::support::cli::command as host_command;
use crate::support::repo::TestRepo;

/// Set in the child: at which event it ends itself.
const KILL_AT: &str = "GUARDHOST_TEST_KILL_AT";

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
    let Ok(at) = std::env::var(KILL_AT) else { return };
    let killer = Killer { at: at.parse().expect("a number"), seen: AtomicU32::new(0) };
    let cwd = std::env::current_dir().expect("a folder");
    let cli = <Cli as clap::Parser>::try_parse_from(ARGS).expect("arguments");
    let What::Run(args) = &cli.command else { panic!("not a run") };
    let process = ProcessEnv {
        cwd,
        exe: env!("CARGO_BIN_EXE_host").into(),
        temp: std::env::temp_dir(),
        threads: 2,
        ..ProcessEnv::default()
    };
    let ctx = CommandContext { global: &cli.global, process: &process, watchers: &[&killer] };
    let report = command::run(args, &ctx, Cancel::default()).expect("a report");
    // Only reached when there are fewer events than `at`.
    std::process::exit(100 + i32::from(exit_code::of_report(&report)));
}

const ARGS: [&str; 8] =
    ["host", "run", "--task", "shorten", "--provider", "replay:../replies.jsonl", "--file-hint", "README.md"];

/// A repository in every state that could be lost: staged, edited, untracked, ignored.
fn busy_repo() -> TestRepo {
    let repo = TestRepo::with(&[
        ("README.md", README),
        ("pyproject.toml", "[project]\nname = \"x\"\n"),
        (".gitignore", "*.log\n"),
        ("a.txt", "one\n"),
    ]);
    repo.write("a.txt", "two\n");
    repo.stage_all();
    repo.write("a.txt", "three\n");
    repo.write("untracked.txt", "mine\n");
    repo.write("ignored.log", "noise\n");
    let replies = [BAD.to_owned(), BAD.replace("gone", "away")];
    let lines = replies
        .iter()
        .zip(1..)
        .map(|(reply, round)| serde_json::json!({ "round": round, "provider": "test", "reply": reply }).to_string());
    std::fs::write(repo.path().join("../replies.jsonl"), lines.collect::<Vec<_>>().join("\n")).expect("written");
    repo
}

const README: &str =
    "# x\n\nText.\n\n```console\n$ x --all --verbose --really-all-of-it\n$ x --help\n$ x --version | less\n```\n";
const BAD: &str = "```diff\n--- a/README.md\n+++ b/README.md\n@@ -1,9 +1,3 @@\n # x\n \n-Text.\n-\n-```console\n-$ x --all --verbose --really-all-of-it\n-$ x --help\n-$ x --version | less\n-```\n+All gone.\n--- a/pyproject.toml\n+++ b/pyproject.toml\n@@ -1,2 +1,2 @@\n [project]\n-name = \"x\"\n+name = \"x\n```\n";

#[test]
fn a_run_that_is_killed_at_any_event_leaves_the_repository_as_it_was() {
    let repo = busy_repo();
    let before = (repo.snapshot(), repo.status(), repo.git(&["branch", "--list", "--verbose"]));
    let mut points = 0;
    for at in 0.. {
        let mut child = Command::new(std::env::current_exe().expect("this test"));
        child.args(["integration::kill::child", "--exact", "--nocapture"]).env(KILL_AT, at.to_string());
        let status =
            child.current_dir(repo.path()).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("it runs");
        assert_eq!(
            before,
            (repo.snapshot(), repo.status(), repo.git(&["branch", "--list", "--verbose"])),
            "killed at event {at}"
        );
        repo.git(&["fsck", "--strict", "--no-dangling"]);
        if let Some(code) = status.code() {
            assert_eq!(code, 101, "the run rejects when nobody kills it");
            break;
        }
        points += 1;
    }
    assert!(points >= 20, "only {points} points");
}

#[test]
fn a_binary_that_is_killed_at_any_moment_leaves_the_repository_as_it_was() {
    let repo = busy_repo();
    let before = (repo.snapshot(), repo.status());
    for step in 0..20 {
        let mut child = host_command(repo.path(), &ARGS[1..], &[]).spawn().expect("it runs");
        std::thread::sleep(Duration::from_micros(step * 1_500));
        child.kill().expect("killed");
        child.wait().expect("gone");
        assert_eq!(before, (repo.snapshot(), repo.status()), "killed after {step} steps");
    }
    repo.git(&["fsck", "--strict", "--no-dangling"]);
}
