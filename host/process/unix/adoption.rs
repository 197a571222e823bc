//! What outlives the process that should have killed it: an agent can kill or stop its attendant. The kernel then gives the orphans to the
//! next process above that adopts orphans, which is the host.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, waitid, waitpid};

use super::descendants::{children, descendants, descendants_of, signal};
use super::kernel;

/// How long processes are killed again and again before this is given up.
const PATIENCE: Duration = Duration::from_secs(20);

/// Passes over this process's own children between two over all that are below them.
const QUICK_PASSES: u32 = 64;

/// From here on, orphans among the descendants of this process become its children. For a program that starts agents, not for a library.
pub fn adopt_orphans() -> Result<()> {
    kernel::reap_orphans().context("cannot adopt orphans")
}

/// The time in which one attendant runs, in a process that starts nothing else meanwhile.
pub(super) struct Adoption {
    /// The children that there were before. None: this process adopts no orphans.
    before: Option<HashSet<i32>>,
}

impl Adoption {
    pub(super) fn begin() -> Self {
        Adoption { before: kernel::is_reaper().then(|| own_children().into_iter().collect()) }
    }

    /// Kills every child that was not there before, and whatever is below it. True when none is left, and when this process adopts none.
    ///
    /// The attendant has ended, and has been waited for.
    pub(super) fn end(&self) -> bool {
        let Some(before) = &self.before else { return true };
        let begun = Instant::now();
        let mut last: Vec<i32> = Vec::new();
        for pass in 0_u32.. {
            if is_childless() {
                return true;
            }
            let mut orphans = own_children();
            orphans.retain(|pid| !before.contains(pid));
            // Where there were children before, a list is all the proof there is.
            if orphans.is_empty() && !before.is_empty() {
                return true;
            }
            if pass % QUICK_PASSES == 0 {
                let below: Vec<i32> = descendants_of(&orphans).iter().map(|process| process.pid).collect();
                // What is stopped makes no more processes while the others are killed.
                signal(&orphans, Signal::STOP);
                signal(&below, Signal::STOP);
                signal(&below, Signal::KILL);
            }
            signal(&orphans, Signal::KILL);
            for orphan in orphans.iter().copied().filter_map(Pid::from_raw) {
                // Not yet ended, or another thread's: it is looked at again.
                let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
            }
            if begun.elapsed() >= PATIENCE {
                return false;
            }
            // A chain of forks has to be overtaken; the same processes once more cannot be killed now, and are waited for.
            match orphans == last {
                true => thread::sleep(Duration::from_millis(1)),
                false => thread::yield_now(),
            }
            last = orphans;
        }
        false
    }
}

/// The kernel knows of no child, ended ones included.
fn is_childless() -> bool {
    let any = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT);
    matches!(any, Err(Errno::CHILD))
}

fn own_children() -> Vec<i32> {
    let own = getpid().as_raw_nonzero().get();
    let by_parents =
        || descendants(own).iter().filter(|process| process.parent == own).map(|process| process.pid).collect();
    children().unwrap_or_else(by_parents)
}

/// Whether a child of this process is stopped, as by SIGSTOP.
pub fn is_stopped(child: u32) -> bool {
    let Some(child) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return false };
    let stopped = waitid(WaitId::Pid(child), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT);
    stopped.is_ok_and(|status| status.is_some_and(|status| status.stopped()))
}

/// Continues a child that was stopped.
pub(super) fn go_on(child: u32) {
    if let Ok(child) = i32::try_from(child) {
        signal(&[child], Signal::CONT);
    }
}
