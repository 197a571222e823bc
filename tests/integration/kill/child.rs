//! A process that runs a command and ends itself after one of the steps that the command makes on disk.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use guardhost_core::change::{DiskStep, Event, Observer};
use guardhost_core::process_env::ProcessEnv;
use guardhost_observer::client::Budget;
use guardhost_provider::Cancel;
use host::cli::{Cli, Command as What};
use host::command::{self, CommandContext};
use host::exit_code;

use super::{FINISHED, SIGKILL};

/// Set in the child: the arguments, and after which step it ends itself.
const ARGS: &str = "GUARDHOST_TEST_PLACE_ARGS";
const STEP: &str = "GUARDHOST_TEST_PLACE_STEP";
/// Set in the child: a file that was not synced is empty after the end, as on a file system that keeps names and loses data.
const POWER: &str = "GUARDHOST_TEST_POWER_FAILS";

struct Killer {
    at: usize,
    power_fails: bool,
    root: PathBuf,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    steps: usize,
    /// Inodes of files that are safe: there before the command, or synced.
    safe: BTreeSet<u64>,
}

impl Observer for Killer {
    fn see(&self, _: &Event) {}

    fn disk(&self, step: &DiskStep<'_>) {
        let mut seen = self.seen.lock().expect("not poisoned");
        match step {
            DiskStep::Synced(path) => {
                seen.safe.insert(fs::symlink_metadata(path).expect("synced").ino());
            }
            DiskStep::Changed if seen.steps == self.at => {
                if self.power_fails {
                    lose_data(&self.root, &seen.safe);
                }
                let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
            }
            DiskStep::Changed => seen.steps += 1,
        }
    }
}

pub fn each_file(dir: &Path, visit: &mut dyn FnMut(&Path, &fs::Metadata)) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        let data = fs::symlink_metadata(&path).expect("metadata");
        match data.is_dir() {
            true => each_file(&path, visit),
            false => visit(&path, &data),
        }
    }
}

fn lose_data(root: &Path, safe: &BTreeSet<u64>) {
    each_file(root, &mut |path, data| {
        if data.is_file() && !safe.contains(&data.ino()) {
            let file = fs::set_permissions(path, fs::Permissions::from_mode(0o600))
                .and_then(|()| fs::File::options().write(true).open(path));
            file.and_then(|file| file.set_len(0)).expect("truncated");
        }
    });
}

/// Not a test of its own: what the child does.
#[test]
fn child() {
    let Ok(args) = std::env::var(ARGS) else { return };
    let at = std::env::var(STEP).expect("a step").parse().expect("a number");
    let cwd = std::env::current_dir().expect("a folder");
    let mut seen = Seen::default();
    each_file(&cwd, &mut |_, data| {
        seen.safe.insert(data.ino());
    });
    let power_fails = std::env::var_os(POWER).is_some();
    let killer = Killer { at, power_fails, root: cwd.clone(), seen: Mutex::new(seen) };
    let cli = <Cli as clap::Parser>::try_parse_from(args.split('\u{1f}')).expect("arguments");
    let process = ProcessEnv {
        cwd,
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
    let report = match &cli.command {
        What::Apply(args) => command::apply(args, &ctx),
        What::Check(args) => command::check(args, &ctx),
        What::Run(args) => command::run(args, &ctx, Cancel::default()),
        What::Doctor { probe_agents, canary } => command::doctor(*probe_agents, *canary, &ctx, Cancel::default()),
        What::Guard(args) => command::guard(args, &ctx).map(|report| report.expect("a report")),
        _ => panic!("a command that places nothing"),
    };
    let report = report.expect("a report");
    // Only reached when there are fewer steps than `at`.
    std::process::exit(FINISHED + i32::from(exit_code::of_report(&report)));
}

/// What becomes of the rest of the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Disk {
    Keeps,
    LosesWhatIsNotSynced,
}

/// Runs `host` with these arguments in `dir` and ends it after a step. False when it ended successfully before that.
pub fn kill(dir: &Path, args: &[String], step: usize, disk: Disk, env: &[(&str, &str)]) -> bool {
    let mut child = Command::new(std::env::current_exe().expect("this test"));
    child.args(["integration::kill::child::child", "--exact", "--nocapture"]);
    // On a build server commands that write rules are `--locked`.
    child.env_remove("CI").env(ARGS, args.join("\u{1f}")).env(STEP, step.to_string()).envs(env.iter().copied());
    if disk == Disk::LosesWhatIsNotSynced {
        child.env(POWER, "yes");
    }
    let output = child.current_dir(dir).stdin(Stdio::null()).output().expect("it runs");
    let killed = output.status.signal() == Some(SIGKILL);
    assert!(killed || output.status.code() == Some(FINISHED), "step {step}: {output:?}");
    killed
}
