//! Promise 3: a change is placed whole or not at all, also under `kill -9` and when the power fails.
//!
//! A child process runs a command and kills itself right after the Nth step that it makes on disk, for every N. Then another host
//! comes: `host doctor`, or the same command again. Before it, every file is whole; after it, all of the change is there or nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use guardhost_core::change::{DiskStep, Event, Observer};
use guardhost_core::process_env::ProcessEnv;
use guardhost_provider::Cancel;
use host::cli::{Cli, Command as What};
use host::command::{self, CommandContext};
use host::exit_code;

use super::{FINISHED, SIGKILL};
use crate::support::cli::host;
use crate::support::repo::{TestRepo, git_in};

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
            DiskStep::Synced(path) => drop(seen.safe.insert(fs::symlink_metadata(path).expect("synced").ino())),
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

fn each_file(dir: &Path, visit: &mut dyn FnMut(&Path, &fs::Metadata)) {
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
    each_file(&cwd, &mut |_, data| drop(seen.safe.insert(data.ino())));
    let power_fails = std::env::var_os(POWER).is_some();
    let killer = Killer { at, power_fails, root: cwd.clone(), seen: Mutex::new(seen) };
    let cli = <Cli as clap::Parser>::try_parse_from(args.split('\u{1f}')).expect("arguments");
    let process = ProcessEnv {
        cwd,
        exe: env!("CARGO_BIN_EXE_host").into(),
        temp: std::env::temp_dir(),
        threads: 2,
        ..ProcessEnv::default()
    };
    let ctx =
        CommandContext { global: &cli.global, process: &process, embedded: &guards::EMBEDDED, watchers: &[&killer] };
    let report = match &cli.command {
        What::Apply(args) => command::apply(args, &ctx),
        What::Check(args) => command::check(args, &ctx),
        What::Run(args) => command::run(args, &ctx, Cancel::default()),
        What::Doctor => command::doctor(&ctx),
        _ => panic!("a command that places nothing"),
    };
    let report = report.expect("a report");
    // Only reached when there are fewer steps than `at`.
    std::process::exit(FINISHED + i32::from(exit_code::of_report(&report)));
}

/// Every file outside `.git` with its mode and bytes, and what git says of index and work tree.
#[derive(Debug, PartialEq)]
struct State {
    files: BTreeMap<PathBuf, (u32, Vec<u8>)>,
    staged: String,
    status: String,
}

/// A repository, and a command that changes its work tree.
struct Target {
    repo: TestRepo,
    /// Where the command runs: the repository, or a linked work tree.
    dir: PathBuf,
    elsewhere: Option<tempfile::TempDir>,
    args: Vec<String>,
    before: State,
    /// What the command makes of it.
    after: State,
}

const PATCH: &str = "\
diff --git a/edit b/edit
--- a/edit
+++ b/edit
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/crlf.bat b/crlf.bat
--- a/crlf.bat
+++ b/crlf.bat
@@ -1 +1,2 @@
 echo
+echo more
diff --git a/tool b/tool
old mode 100644
new mode 100755
diff --git a/gone/deep/file b/gone/deep/file
deleted file mode 100644
--- a/gone/deep/file
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/flat b/flat
deleted file mode 100644
--- a/flat
+++ /dev/null
@@ -1 +0,0 @@
-flat
diff --git a/flat/below b/flat/below
new file mode 100644
--- /dev/null
+++ b/flat/below
@@ -0,0 +1 @@
+below
diff --git a/new/er/file b/new/er/file
new file mode 100755
--- /dev/null
+++ b/new/er/file
@@ -0,0 +1 @@
+new
diff --git a/from b/to
similarity index 100%
rename from from
rename to to
";

impl Target {
    /// A repository in every state that could be lost (staged, edited, untracked, ignored), to be changed in every way.
    fn new(args: &[&str]) -> Self {
        Self::with(args, None, |_| {})
    }

    fn with(args: &[&str], elsewhere: Option<tempfile::TempDir>, more: fn(&Path)) -> Self {
        let repo = TestRepo::with(&[
            (".gitattributes", "*.bat text eol=crlf\n"),
            (".gitignore", "*.log\n"),
            ("edit", "one\ntwo\nthree\n"),
            ("crlf.bat", "echo\r\n"),
            ("tool", "#!/bin/sh\n"),
            ("gone/deep/file", "gone\n"),
            ("flat", "flat\n"),
            ("from", "moved\n"),
            ("a.txt", "one\n"),
            ("tool.py", "def tool():\n    return 1\n"),
            ("README.md", super::README),
        ]);
        let dir = match &elsewhere {
            None => repo.path().to_path_buf(),
            Some(folder) => {
                let dir = folder.path().join("linked");
                repo.git(&["worktree", "add", "-q", dir.to_str().expect("UTF-8")]);
                dir
            }
        };
        let write = |path: &str, text: &str| fs::write(dir.join(path), text).expect("written");
        write("a.txt", "two\n");
        git_in(&dir, &["add", "a.txt"], b"");
        write("a.txt", "three\n");
        write("untracked.txt", "mine\n");
        write("ignored.log", "noise\n");
        fs::write(repo.path().join("../change.patch"), PATCH).expect("written");
        more(&dir);
        let patch = repo.path().join("../change.patch").canonicalize().expect("a path");
        let real = args.iter().map(|arg| arg.replace("PATCH", patch.to_str().expect("UTF-8"))).collect();
        let mut target = Target { before: state(&dir), after: state(&dir), repo, dir, elsewhere, args: real };
        let copy = tempfile::tempdir().expect("a folder");
        copy_all(target.repo.path().parent().expect("a folder"), copy.path());
        // A linked work tree is no longer linked when it is copied; it comes to what a plain one comes to.
        target.after = match target.elsewhere {
            Some(_) => Target::with(args, None, more).after,
            None => {
                let dir = copy.path().join("repo");
                let args: Vec<&str> = target.args.iter().map(String::as_str).collect();
                let _ = host(&dir, &args[1..]).expect(0);
                state(&dir)
            }
        };
        assert_ne!(target.after, target.before, "the command changes something");
        target
    }

    /// Kills the command after a step. False when it ended before that.
    fn kill(&self, args: &[String], step: usize, power_fails: bool) -> bool {
        let mut child = Command::new(std::env::current_exe().expect("this test"));
        child.args(["integration::kill::placing::child", "--exact", "--nocapture"]);
        child.env(ARGS, args.join("\u{1f}")).env(STEP, step.to_string());
        if power_fails {
            child.env(POWER, "yes");
        }
        let output = child.current_dir(&self.dir).stdin(Stdio::null()).output().expect("it runs");
        let killed = output.status.signal() == Some(SIGKILL);
        assert!(killed || output.status.code() == Some(FINISHED), "step {step}: {output:?}");
        killed
    }

    /// Every file is the old one or the new one, whole, and nothing else is there.
    fn assert_no_file_is_torn(&self, moment: &str) {
        for (path, now) in state(&self.dir).files {
            let known = [&self.before, &self.after].map(|state| state.files.get(&path));
            let of_a_host = path.components().any(|part| part.as_os_str().to_string_lossy().starts_with(".guardhost-"));
            assert!(of_a_host || known.contains(&Some(&now)), "{moment}: {} is torn: {now:?}", path.display());
        }
    }

    /// Whether the change is there: all of it, or nothing of it. Nothing else is left.
    fn is_changed(&self, moment: &str) -> bool {
        let now = state(&self.dir);
        assert!(now == self.before || now == self.after, "{moment}: {now:#?}");
        let git_dir = git_in(&self.dir, &["rev-parse", "--absolute-git-dir"], b"");
        for left in ["index.lock", "guardhost/place", "guardhost/place.lock"] {
            assert!(!Path::new(&git_dir).join(left).exists(), "{moment}: {left} is left");
        }
        self.repo.git(&["fsck", "--strict", "--no-dangling"]);
        now == self.after
    }

    fn doctor(&self) {
        let _ = host(&self.dir, &["doctor"]).expect(0);
    }

    fn command(&self) -> crate::support::cli::Ran {
        let args: Vec<&str> = self.args.iter().skip(1).map(String::as_str).collect();
        host(&self.dir, &args)
    }

    /// The folders that the command may change.
    fn folders(&self) -> Vec<&Path> {
        let elsewhere = self.elsewhere.iter().map(tempfile::TempDir::path);
        [self.repo.path()].into_iter().chain(elsewhere).collect()
    }

    fn save(&self) -> tempfile::TempDir {
        let copy = tempfile::tempdir().expect("a folder");
        for (number, folder) in self.folders().into_iter().enumerate() {
            copy_all(folder, &copy.path().join(number.to_string()));
        }
        copy
    }

    fn restore(&self, copy: &tempfile::TempDir) {
        for (number, folder) in self.folders().into_iter().enumerate() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.expect("removed");
            }
            copy_all(&copy.path().join(number.to_string()), folder);
        }
    }
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    let status = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status().expect("cp runs");
    assert!(status.success());
}

fn state(dir: &Path) -> State {
    let mut files = BTreeMap::new();
    each_file(dir, &mut |path, data| {
        let path = path.strip_prefix(dir).expect("below").to_path_buf();
        if path.iter().next().is_some_and(|first| first == ".git") {
            return;
        }
        files.insert(path.clone(), (data.permissions().mode(), fs::read(dir.join(&path)).expect("read")));
    });
    State {
        files,
        staged: git_in(dir, &["ls-files", "--stage"], b""),
        status: git_in(dir, &["status", "--porcelain", "--untracked-files=all", "--ignored"], b""),
    }
}

/// Kills the command after each of its steps. After one half of the kills `host doctor` comes, after the other the same command.
/// The number of kills before the change was made, and after it.
fn kill_after_every_step(target: &Target, power_fails: bool) -> (u32, u32) {
    let copy = target.save();
    let (mut before, mut after) = (0, 0);
    for step in 0.. {
        if !target.kill(&target.args, step, power_fails) {
            assert!(target.is_changed("not killed"));
            return (before, after);
        }
        let moment = format!("killed after step {step}");
        if !power_fails {
            target.assert_no_file_is_torn(&moment);
        }
        if step % 2 == 0 || power_fails {
            target.doctor();
            match target.is_changed(&moment) {
                true => after += 1,
                false => before += 1,
            }
        } else {
            let again = target.command();
            let complete = again.stderr.contains("the change is complete");
            assert!(again.code == 0 || complete, "{moment}: {again:?}");
            assert!(target.is_changed(&moment), "{moment}, and done again");
            before += 1;
        }
        target.restore(&copy);
    }
    unreachable!("a command ends")
}

#[test]
fn apply_that_is_killed_after_any_step_leaves_all_or_nothing() {
    let target = Target::new(&["host", "apply", "--no-guards", "--patch", "PATCH"]);
    let (before, after) = kill_after_every_step(&target, false);
    assert!(before >= 12 && after >= 1, "{before} kills before the change, {after} after");
}

#[test]
fn fixes_that_are_killed_after_any_step_are_there_whole_or_not_at_all() {
    let fenced: fn(&Path) = |dir| {
        for name in ["tool.py", "more.py"] {
            fs::write(dir.join(name), "```python\ndef tool():\n    return 2\n```\n").expect("written");
            git_in(dir, &["add", name], b"");
        }
    };
    let target = Target::with(&["host", "check", "--staged", "--fix"], None, fenced);
    let (before, after) = kill_after_every_step(&target, false);
    assert!(before >= 5 && after >= 1, "{before} kills before the change, {after} after");
}

#[test]
fn apply_survives_a_loss_of_power_after_any_step() {
    let target = Target::new(&["host", "apply", "--no-guards", "--patch", "PATCH"]);
    let (before, after) = kill_after_every_step(&target, true);
    assert!(before >= 12 && after >= 1, "{before} losses before the change, {after} after");
}

/// The host that undoes a change is killed too, after each of its steps.
#[test]
fn a_recovery_that_is_killed_after_any_step_is_gone_on_with() {
    let target = Target::new(&["host", "apply", "--no-guards", "--patch", "PATCH"]);
    let copy = target.save();
    let doctor = ["host", "doctor"].map(str::to_owned);
    let mut kills = 0;
    // The last step before the index is replaced: all files are placed.
    let is_before = |step: &usize| {
        let killed = target.kill(&target.args, *step, false);
        let before = state(&target.dir).staged == target.before.staged;
        target.restore(&copy);
        killed && before
    };
    let last = (0..).take_while(is_before).last().expect("a step before the index");
    for step in 0.. {
        assert!(target.kill(&target.args, last, false));
        let killed = target.kill(&doctor, step, false);
        target.assert_no_file_is_torn(&format!("the recovery was killed after step {step}"));
        target.doctor();
        assert!(!target.is_changed(&format!("the recovery was killed after step {step}")));
        if !killed {
            break;
        }
        kills += 1;
    }
    assert!(kills >= 8, "{kills} kills");
}

/// The work tree is on another file system than the git directory, so that files are staged in the work tree.
#[test]
fn a_linked_work_tree_on_another_file_system_is_changed_whole_or_not_at_all() {
    let memory = Path::new("/dev/shm");
    let device = |path: &Path| fs::metadata(path).map(|data| data.dev());
    let elsewhere = match (device(memory), device(&std::env::temp_dir())) {
        (Ok(one), Ok(other)) if one != other => tempfile::tempdir_in(memory).expect("a folder"),
        found => {
            eprintln!("SKIPPED: there is no second file system to test with ({found:?})");
            return;
        }
    };
    let target = Target::with(&["host", "apply", "--no-guards", "--patch", "PATCH"], Some(elsewhere), |_| {});
    let (before, after) = kill_after_every_step(&target, false);
    assert!(before >= 12 && after >= 1, "{before} kills before the change, {after} after");
    assert_eq!(target.repo.status(), "", "the other work tree of the repository");
}
