//! A process that runs a command and ends itself at one moment: at an event, or after a step that the command makes on disk.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use guardhost_core::change::{DiskStep, Event, Observer};
use guardhost_core::process_env::ProcessEnv;
use guardhost_observer::client::ObserverTime;
use guardhost_provider::Cancel;
use host::cli::{Cli, Command as What};
use host::command::{self, CommandContext};
use host::exit_code;

/// Set in the child: the arguments, and after how many events or steps it ends itself.
const ARGS: &str = "GUARDHOST_TEST_KILL_ARGS";
const EVENT: &str = "GUARDHOST_TEST_KILL_EVENT";
const STEP: &str = "GUARDHOST_TEST_KILL_STEP";
/// Set in the child: a file that was not synced is empty after the end, as on a file system that keeps names and loses data.
const POWER: &str = "GUARDHOST_TEST_POWER_FAILS";

/// What the child adds to the command's exit code, so that libtest's own codes are no answer.
const FINISHED: i32 = 100;
/// Before the number of events on a line of the child's output.
const EVENTS: &str = "events seen: ";

/// When the child ends itself. Counted from 0.
#[derive(Debug, Clone, Copy)]
pub enum Moment {
    Event(usize),
    Step(usize, Disk),
}

/// What becomes of the rest of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disk {
    Keeps,
    LosesWhatIsNotSynced,
}

/// How the child ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    Killed,
    /// Before its moment came.
    Finished {
        exit_code: i32,
        events: usize,
    },
}

struct Killer {
    event: Option<usize>,
    step: Option<usize>,
    power_fails: bool,
    root: PathBuf,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    events: usize,
    steps: usize,
    /// Inodes of files that are safe: there before the command, or synced.
    safe: BTreeSet<u64>,
}

impl Observer for Killer {
    fn see(&self, _: &Event) {
        let mut seen = self.seen.lock().expect("not poisoned");
        if self.event == Some(seen.events) {
            end();
        }
        seen.events += 1;
    }

    fn disk(&self, step: &DiskStep<'_>) {
        let mut seen = self.seen.lock().expect("not poisoned");
        match step {
            DiskStep::Synced(path) => {
                seen.safe.insert(fs::symlink_metadata(path).expect("synced").ino());
            }
            DiskStep::Changed if self.step == Some(seen.steps) => {
                if self.power_fails {
                    lose_data(&self.root, &seen.safe);
                }
                end();
            }
            DiskStep::Changed => seen.steps += 1,
        }
    }
}

fn end() {
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
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
    let number = |name| std::env::var(name).ok().map(|number| number.parse().expect("a number"));
    let cwd = std::env::current_dir().expect("a folder");
    let mut seen = Seen::default();
    each_file(&cwd, &mut |_, data| {
        seen.safe.insert(data.ino());
    });
    let power_fails = std::env::var_os(POWER).is_some();
    let killer =
        Killer { event: number(EVENT), step: number(STEP), power_fails, root: cwd.clone(), seen: Mutex::new(seen) };
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
        observer: &ObserverTime::default(),
        traces: None,
        agent: None,
    };
    let report = match &cli.command {
        What::Apply(args) => command::apply(args, &ctx),
        What::Check(args) => command::check(args, &ctx),
        What::Run(args) => command::run(args, &ctx, Cancel::default()),
        What::Doctor { probe_agents, canary } => command::doctor(*probe_agents, *canary, &ctx, Cancel::default()),
        What::Guard(args) => command::guard(args, &ctx).map(|report| report.expect("a report")),
        What::Improve(args) => command::improve(args, &ctx, Cancel::default()),
        What::Fix(args) => command::fix(args, &ctx, Cancel::default()),
        _ => panic!("no test kills this command"),
    };
    let report = report.expect("a report");
    // Only reached when its moment did not come.
    println!("\n{EVENTS}{}", killer.seen.lock().expect("not poisoned").events);
    std::process::exit(FINISHED + i32::from(exit_code::from_report(&report)));
}

/// Runs `host` with these arguments, of which the first is its name, in `dir`, and ends it at a moment.
pub fn ended(dir: &Path, args: &[impl AsRef<str>], moment: Moment, env: &[(&str, &str)]) -> Ended {
    let mut child = Command::new(std::env::current_exe().expect("this test"));
    child.args(["integration::kill::child::child", "--exact", "--nocapture"]);
    let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
    // On a build server commands that write rules are `--locked`.
    child.env_remove("CI").env(ARGS, args.join("\u{1f}")).envs(env.iter().copied());
    match moment {
        Moment::Event(event) => child.env(EVENT, event.to_string()),
        Moment::Step(step, Disk::Keeps) => child.env(STEP, step.to_string()),
        Moment::Step(step, Disk::LosesWhatIsNotSynced) => child.env(STEP, step.to_string()).env(POWER, "yes"),
    };
    let output = child.current_dir(dir).stdin(Stdio::null()).output().expect("it runs");
    if output.status.signal() == Some(rustix::process::Signal::KILL.as_raw()) {
        return Ended::Killed;
    }
    let exit_code = output.status.code().filter(|code| (FINISHED..FINISHED + 100).contains(code));
    let exit_code = exit_code.unwrap_or_else(|| panic!("{moment:?}: {output:?}")) - FINISHED;
    let said = String::from_utf8_lossy(&output.stdout);
    let events = said.lines().find_map(|line| line.strip_prefix(EVENTS)).expect("the child says it");
    Ended::Finished { exit_code, events: events.parse().expect("a number") }
}

/// The same; true when it was killed, false when it ended successfully before that.
pub fn kill(dir: &Path, args: &[impl AsRef<str>], moment: Moment, env: &[(&str, &str)]) -> bool {
    match ended(dir, args, moment, env) {
        Ended::Killed => true,
        Ended::Finished { exit_code: 0, .. } => false,
        failed @ Ended::Finished { .. } => panic!("{moment:?}: {failed:?}"),
    }
}
