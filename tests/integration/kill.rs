//! Promise 1: a change that is not accepted leaves the repository as it was, whenever the process is killed; and an accepted one is on its
//! branch whole, or not at all.
//!
//! Two ways to kill: at every event, one after the other, by an observer in a child process, so that the product needs no hook; and
//! the real binary, at moments spread over its run. Both count the kills that met a living process.

pub mod child;
mod improve;
mod left;
mod pins;
mod placing;
mod target;

use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::time::{Duration, Instant};

use guardhost_core::change::Oid;

use self::child::{Ended, Moment, ended};
use crate::support::cli::command as host_command;
use crate::support::repo::TestRepo;

const ARGS: [&str; 8] =
    ["host", "run", "--task", "shorten", "--provider", "replay:../replies.jsonl", "--file-hint", "README.md"];

const README: &str =
    "# x\n\nText.\n\n```console\n$ x --all --verbose --really-all-of-it\n$ x --help\n$ x --version | less\n```\n";
const BAD: &str = "```diff\n--- a/README.md\n+++ b/README.md\n@@ -1,9 +1,3 @@\n # x\n \n-Text.\n-\n-```console\n-$ x --all --verbose --really-all-of-it\n-$ x --help\n-$ x --version | less\n-```\n+All gone.\n--- a/pyproject.toml\n+++ b/pyproject.toml\n@@ -1,2 +1,2 @@\n [project]\n-name = \"x\"\n+name = \"x\n```\n";
const GOOD: &str = "```diff\n--- a/README.md\n+++ b/README.md\n@@ -1,4 +1,4 @@\n # x\n \n-Text.\n+Words.\n \n```\n";

/// A repository in every state that could be lost (staged, edited, untracked, ignored), with what must stay of it.
struct Target {
    repo: TestRepo,
    before: (std::collections::BTreeMap<std::path::PathBuf, (u32, Vec<u8>)>, String),
    main: Oid,
    /// Whether the replies end in an accepted change.
    accepted: bool,
}

impl Target {
    fn new(replies: &[&str], accepted: bool) -> Self {
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
        let lines: Vec<_> = (replies.iter().zip(1..))
            .map(|(reply, round)| serde_json::json!({ "round": round, "provider": "test", "reply": reply }).to_string())
            .collect();
        std::fs::write(repo.path().join("../replies.jsonl"), lines.join("\n")).expect("written");
        let before = (repo.snapshot(), repo.status());
        let main = repo.oid("main");
        Target { repo, before, main, accepted }
    }

    fn rejected() -> Self {
        Self::new(&[BAD, &BAD.replace("gone", "away")], false)
    }

    fn accepted() -> Self {
        Self::new(&[BAD, GOOD], true)
    }

    fn exit_code(&self) -> i32 {
        i32::from(!self.accepted)
    }

    /// Whether the run's branch is there, which is then taken away. Panics unless all else is as it was, and the branch whole.
    fn branch(&self, moment: &str) -> bool {
        let repo = &self.repo;
        assert!(self.before == (repo.snapshot(), repo.status()), "{moment}: the repository has changed");
        repo.git(&["fsck", "--strict", "--no-dangling"]);
        let branches = repo.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
        let own: Vec<_> = branches.lines().filter(|branch| *branch != "main").collect();
        assert_eq!(repo.oid("main"), self.main, "{moment}");
        assert!(own.len() <= usize::from(self.accepted), "{moment}: {branches}");
        for branch in &own {
            assert_eq!(repo.oid(&format!("{branch}^")), self.main, "{moment}");
            assert_eq!(repo.git(&["diff", "--name-only", "main", branch]), "README.md", "{moment}");
            let readme = repo.git(&["show", &format!("{branch}:README.md")]);
            assert_eq!(readme + "\n", README.replace("Text.", "Words."), "{moment}");
            assert!(repo.git(&["log", "-1", "--format=%B", branch]).contains("Guardhost-Run: "), "{moment}");
            repo.git(&["branch", "-q", "-D", branch]);
        }
        !own.is_empty()
    }
}

/// Kills a run at each of its events. The kills that left no branch, and those that left one.
fn kill_at_every_event(target: &Target) -> (u32, u32) {
    let (mut without, mut with) = (0, 0);
    for at in 0.. {
        let end = ended(target.repo.path(), &ARGS, Moment::Event(at), &[]);
        match (end, target.branch(&format!("killed at event {at}"))) {
            (Ended::Killed, false) => without += 1,
            (Ended::Killed, true) => with += 1,
            (Ended::Finished { exit_code, .. }, branch) => {
                assert_eq!(exit_code, target.exit_code());
                assert_eq!(branch, target.accepted, "a run that is not killed");
                break;
            }
        }
    }
    (without, with)
}

#[test]
fn a_rejected_run_that_is_killed_at_any_event_leaves_the_repository_as_it_was() {
    let (without, with) = kill_at_every_event(&Target::rejected());
    assert!(without >= 20 && with == 0, "{without} kills");
}

#[test]
fn an_accepted_run_that_is_killed_at_any_event_leaves_a_whole_branch_or_none() {
    let (without, with) = kill_at_every_event(&Target::accepted());
    assert!(without >= 20 && with >= 1, "{without} kills before the branch, {with} after");
}

/// Kills the binary at moments spread over the time that its run takes. At least half of the kills must meet it alive.
fn kill_at_many_moments(target: &Target) {
    const KILLS: u32 = 20;
    let spawn = || host_command(target.repo.path(), &ARGS[1..], &[]).spawn().expect("it runs");
    let duration = (0..3).map(|_| time(spawn(), target)).min().expect("three runs");
    let mut landed = 0;
    for step in 0..KILLS {
        let mut child = spawn();
        std::thread::sleep(duration * step / KILLS);
        child.kill().expect("killed, or gone already");
        let killed = child.wait().expect("gone").signal() == Some(rustix::process::Signal::KILL.as_raw());
        landed += u32::from(killed);
        target.branch(&format!("killed after {step}/{KILLS} of {duration:?}"));
    }
    assert!(landed >= KILLS / 2, "{landed} of {KILLS} kills landed within {duration:?}");
}

/// How long a run takes that is not killed.
fn time(mut child: Child, target: &Target) -> Duration {
    let begun = Instant::now();
    assert_eq!(child.wait().expect("it ends").code(), Some(target.exit_code()));
    let duration = begun.elapsed();
    assert_eq!(target.branch("not killed"), target.accepted);
    duration
}

#[test]
fn a_binary_that_is_killed_at_any_moment_leaves_the_repository_as_it_was() {
    kill_at_many_moments(&Target::rejected());
}

#[test]
fn a_binary_that_is_killed_at_any_moment_leaves_a_whole_branch_or_none() {
    kill_at_many_moments(&Target::accepted());
}
