//! The descendants of a process, by Linux's `/proc` (proc(5)): the only way to find those that left its process group and session.

use std::collections::HashMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    pub pid: i32,
    pub(super) parent: i32,
    /// Bytes in memory.
    pub resident: u64,
}

/// All descendants of `root`, without it. Processes that start or end meanwhile may be missing.
pub fn descendants(root: i32) -> Vec<Process> {
    descendants_of(&[root])
}

/// The same for several processes.
pub(super) fn descendants_of(roots: &[i32]) -> Vec<Process> {
    let mut children: HashMap<i32, Vec<Process>> = HashMap::new();
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    for entry in entries.flatten() {
        let is_process = entry.file_name().to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_process {
            continue;
        }
        let stat = fs::read_to_string(entry.path().join("stat"));
        if let Some(process) = stat.ok().as_deref().and_then(parse) {
            children.entry(process.parent).or_default().push(process);
        }
    }
    let mut found = Vec::new();
    let mut parents = roots.to_vec();
    while let Some(parent) = parents.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            parents.push(child.pid);
            found.push(child);
        }
    }
    found
}

/// Passes over this process's own children between two over all of its descendants, which take a hundred times as long.
const QUICK_PASSES: u32 = 64;

/// How long passes follow one another without a pause.
const HURRY: Duration = Duration::from_secs(10);

/// Kills until no descendant is left, which is when the kernel knows of no child: this process must be the reaper of orphans.
///
/// A process that forks and exits, again and again, is gone before it can be killed by its number. Its newest link is an orphan, and so
/// a child of this process; the kernel lists those in one short file.
pub fn kill_children() {
    let begun = Instant::now();
    for pass in 0_u32.. {
        let children = (pass % QUICK_PASSES != 0).then(children).flatten();
        match children {
            Some(children) => signal(&children, Signal::KILL),
            None => {
                let all = || descendants(getpid().as_raw_nonzero().get()).iter().map(|process| process.pid).collect();
                // What is stopped makes no more processes while the others are killed.
                let stopped: Vec<i32> = all();
                signal(&stopped, Signal::STOP);
                signal(&stopped, Signal::KILL);
            }
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(rustix::io::Errno::CHILD) => return,
                Err(_) => break,
            }
        }
        match begun.elapsed() < HURRY {
            true => thread::yield_now(),
            false => thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// They may have ended by themselves.
pub(super) fn signal(pids: &[i32], signal: Signal) {
    for pid in pids.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        let _ = kill_process(pid, signal);
    }
}

/// The numbers stay theirs until this process reaps them. None when the kernel does not list them.
pub(super) fn children() -> Option<Vec<i32>> {
    let mut found = Vec::new();
    for thread in fs::read_dir("/proc/self/task").ok()?.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).ok()?;
        found.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
    }
    Some(found)
}

/// A process's name may contain anything, parentheses too; after the last one come numbers.
fn parse(stat: &str) -> Option<Process> {
    let pid = stat.split(' ').next()?.parse().ok()?;
    let rest: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let pages: u64 = rest.get(21)?.parse().ok()?;
    Some(Process { pid, parent: rest.get(1)?.parse().ok()?, resident: pages * rustix::param::page_size() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_does_not_mislead() {
        let stat = "12 (a) R 1 (b) S 7 12 12 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 99 4096 3 18446744073709551615 0";
        let page = rustix::param::page_size() as u64;
        assert_eq!(parse(stat), Some(Process { pid: 12, parent: 7, resident: 3 * page }));
        assert_eq!(parse("12 (a"), None);
    }
}
