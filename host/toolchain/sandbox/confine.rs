//! The sandbox without bubblewrap: a process that gives up rights for good, and then executes the tool.
//!
//! Landlock (kernel documentation, `userspace-api/landlock`) limits reading and writing to the given paths, and signals and abstract
//! sockets to the sandbox. Seccomp forbids sockets altogether, because Landlock does not restrict UDP or sockets with a path.
//! Neither prevents a process from changing modes and time stamps of files that the user owns; bubblewrap does.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use serde::{Deserialize, Serialize};

use guardhost_core::error::{Context, Error, Result};

/// The hidden subcommand: paths as JSON, then the command.
pub const CONFINE: &str = "__confine";

#[derive(Debug, Serialize, Deserialize)]
pub struct Paths {
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
}

/// Does not return when it succeeds.
pub fn confine(paths: &str, command: &[OsString]) -> Result<u8> {
    let paths: Paths = serde_json::from_str(paths).context("cannot parse the paths")?;
    let (program, args) = command.split_first().context("no command")?;
    kernel::restrict(&paths)?;
    let error = Command::new(program).args(args).exec();
    Err(Error::new(error).context(format!("cannot start {}", program.display())))
}

/// Whether this kernel can confine, and if not, why.
pub fn available() -> Result<(), String> {
    kernel::available()
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::collections::BTreeMap;

    use caps::CapSet;
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
        RulesetStatus, Scope, path_beneath_rules,
    };
    use seccompiler::{SeccompAction, SeccompFilter, SeccompRule, TargetArch};

    use super::Paths;
    use guardhost_core::error::{Context, Error, Result};

    /// The first with scopes for signals and sockets (Linux 6.12); older ones lack truncation (6.2) or devices (6.10).
    const LANDLOCK: ABI = ABI::V6;

    /// Devices that every program may write to.
    const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

    /// `socketpair` stays: it reaches nothing outside. io_uring can make sockets without these system calls; the others read the user's
    /// keys.
    const REFUSED: [i64; 5] =
        [libc::SYS_socket, libc::SYS_io_uring_setup, libc::SYS_keyctl, libc::SYS_add_key, libc::SYS_request_key];

    /// The bit of x86-64's second table of system calls, x32, which does the same under other numbers.
    const X32: i64 = 0x4000_0000;

    fn ruleset() -> Result<Ruleset, landlock::RulesetError> {
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(LANDLOCK))?
            .handle_access(AccessNet::from_all(LANDLOCK))?
            .scope(Scope::from_all(LANDLOCK))
    }

    pub fn available() -> Result<(), String> {
        let made = ruleset().and_then(Ruleset::create);
        made.map(drop).map_err(|error| format!("the kernel's Landlock is too old ({error}; Linux 6.12 has it)"))
    }

    pub fn restrict(paths: &Paths) -> Result<()> {
        // Capabilities of root bypass much of the following: they allow reading every process's environment, for example.
        for set in [CapSet::Effective, CapSet::Permitted, CapSet::Inheritable] {
            caps::clear(None, set).context("cannot give up capabilities")?;
        }
        let status = ruleset()
            .and_then(Ruleset::create)
            .and_then(|rules| rules.add_rules(path_beneath_rules(&paths.read, AccessFs::from_read(LANDLOCK))))
            .and_then(|rules| rules.add_rules(path_beneath_rules(&paths.write, AccessFs::from_all(LANDLOCK))))
            .and_then(|rules| {
                let write = AccessFs::from_read(LANDLOCK) | AccessFs::WriteFile | AccessFs::Truncate;
                rules.add_rules(path_beneath_rules(DEVICES, write))
            })
            .and_then(|rules| rules.restrict_self())
            .context("cannot enter the sandbox")?;
        if status.ruleset != RulesetStatus::FullyEnforced {
            return Err(Error::msg("the kernel enforces only a part of the sandbox"));
        }
        seccompiler::apply_filter(&filter()?).context("cannot filter system calls")
    }

    fn filter() -> Result<seccompiler::BpfProgram> {
        let x32 = if cfg!(target_arch = "x86_64") { X32 } else { 0 };
        let calls = REFUSED.iter().flat_map(|call| [*call, *call | x32]);
        let rules: BTreeMap<i64, Vec<SeccompRule>> = calls.map(|call| (call, Vec::new())).collect();
        let arch: TargetArch = std::env::consts::ARCH.try_into().context("no filter for this architecture")?;
        let refuse = SeccompAction::Errno(libc::EACCES.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)
            .context("cannot make the system call filter")?;
        filter.try_into().context("cannot compile the system call filter")
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    pub fn available() -> Result<(), String> {
        Err("only Linux has Landlock".to_owned())
    }

    pub fn restrict(_: &super::Paths) -> guardhost_core::error::Result<()> {
        Err(guardhost_core::error::Error::msg("only Linux has Landlock"))
    }
}
