//! Promise 3: a change is placed whole or not at all, also under `kill -9` and when the power fails.
//!
//! A child process runs a command and kills itself right after the Nth step that it makes on disk, for every N. Then another host
//! comes: `host doctor`, or the same command again. Before it, every file is whole; after it, all of the change is there or nothing.

use std::fs;
use std::path::Path;

use super::child::{Disk, Moment, kill};
use super::target::{Target, state};
use crate::support::repo::git_in;
use crate::support::tools::{Tool, needs};

pub const APPLY: [&str; 5] = ["host", "apply", "--no-guards", "--patch", "PATCH"];

/// Kills the command after each of its steps. After one half of the kills `host doctor` comes, after the other the same command.
/// The number of kills before the change was made, and after it.
fn kill_after_every_step(target: &Target, disk: Disk) -> (u32, u32) {
    let copy = target.save();
    let (mut before, mut after) = (0, 0);
    for step in 0.. {
        if !target.kill(step, disk) {
            assert!(target.is_changed("not killed"));
            return (before, after);
        }
        let moment = format!("killed after step {step}");
        if disk == Disk::Keeps {
            target.assert_no_file_is_torn(&moment);
        }
        if step % 2 == 0 || disk == Disk::LosesWhatIsNotSynced {
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
    let target = Target::new(&APPLY);
    let (before, after) = kill_after_every_step(&target, Disk::Keeps);
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
    let (before, after) = kill_after_every_step(&target, Disk::Keeps);
    assert!(before >= 5 && after >= 1, "{before} kills before the change, {after} after");
}

#[test]
fn apply_survives_a_loss_of_power_after_any_step() {
    let target = Target::new(&APPLY);
    let (before, after) = kill_after_every_step(&target, Disk::LosesWhatIsNotSynced);
    assert!(before >= 12 && after >= 1, "{before} losses before the change, {after} after");
}

/// After that step all files are placed.
pub fn last_step_before_the_index(target: &Target) -> usize {
    let copy = target.save();
    let is_before = |step: &usize| {
        let killed = target.kill(*step, Disk::Keeps);
        let before = state(&target.dir).staged == target.before.staged;
        target.restore(&copy);
        killed && before
    };
    (0..).take_while(is_before).last().expect("a step before the index")
}

/// The host that undoes a change is killed too, after each of its steps.
#[test]
fn a_recovery_that_is_killed_after_any_step_is_gone_on_with() {
    let target = Target::new(&APPLY);
    let doctor = ["host", "doctor"].map(str::to_owned);
    let mut kills = 0;
    let last = last_step_before_the_index(&target);
    for step in 0.. {
        assert!(target.kill(last, Disk::Keeps));
        let killed = kill(&target.dir, &doctor, Moment::Step(step, Disk::Keeps), &[]);
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
    let Some(folder) = needs(Tool::SecondFileSystem) else { return };
    let elsewhere = tempfile::tempdir_in(folder).expect("a folder");
    let target = Target::with(&APPLY, Some(elsewhere), |_| {});
    let (before, after) = kill_after_every_step(&target, Disk::Keeps);
    assert!(before >= 12 && after >= 1, "{before} kills before the change, {after} after");
    assert_eq!(target.repo.status(), "", "the other work tree of the repository");
}
