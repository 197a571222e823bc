//! What only Linux's kernel does for a process that has to end others. Elsewhere a program that leaves the process group of the agent that
//! started it is not found; `host doctor` says so.

pub use system::{end_with_parent, forbid_debuggers, is_reaper, kill_group, reap_orphans};

/// Whether everything that an agent starts ends with it.
pub const ENDS_EVERY_PROCESS: bool = cfg!(target_os = "linux");

#[cfg(target_os = "linux")]
mod system {
    use rustix::io::Result;
    use rustix::process::{
        DumpableBehavior, Signal, child_subreaper, getpid, set_child_subreaper, set_dumpable_behavior,
        set_parent_process_death_signal,
    };

    /// Orphaned descendants become this process's children, not init's.
    pub fn reap_orphans() -> Result<()> {
        set_child_subreaper(Some(getpid()))
    }

    pub fn is_reaper() -> bool {
        child_subreaper().is_ok_and(|adopts| adopts.is_some())
    }

    /// The kernel sends `signal` when the parent has ended.
    pub fn end_with_parent(signal: Signal) -> Result<()> {
        set_parent_process_death_signal(Some(signal))
    }

    /// Other processes of the same user cannot change this one.
    pub fn forbid_debuggers() -> Result<()> {
        set_dumpable_behavior(DumpableBehavior::NotDumpable)
    }

    /// Descendants are found one by one.
    pub fn kill_group(_: u32) {}
}

#[cfg(not(target_os = "linux"))]
mod system {
    use rustix::io::Result;
    use rustix::process::{Pid, Signal, kill_process_group};

    pub fn reap_orphans() -> Result<()> {
        Ok(())
    }

    pub fn is_reaper() -> bool {
        false
    }

    pub fn end_with_parent(_: Signal) -> Result<()> {
        Ok(())
    }

    pub fn forbid_debuggers() -> Result<()> {
        Ok(())
    }

    /// The group that a child leads.
    pub fn kill_group(leader: u32) {
        if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            // An error means that the group has ended.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
