//! The sandbox without bubblewrap: a process that gives up rights for good, and then executes the tool.
//!
//! Landlock (kernel documentation, `userspace-api/landlock`) limits reading and writing to the given paths, and signals and abstract
//! sockets to the sandbox. Seccomp forbids the rest (`system_calls`).
//! Neither prevents a process from changing modes and time stamps of files that the user owns; bubblewrap does.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
use super::namespace;
#[cfg(not(target_os = "linux"))]
use super::no_namespace as namespace;
use super::started::StartSignal;
use guardhost_core::error::{Context, Error, Result};
use guardhost_process::{exit_code, wait_for};

/// The hidden subcommand: a [`Confinement`] as JSON, then the command.
pub const CONFINE: &str = "__confine";

/// This program, also where its path is not visible.
const SELF: &str = "/proc/self/exe";

#[derive(Debug, Serialize, Deserialize)]
pub struct Confinement {
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    pub step: ConfineStep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConfineStep {
    /// Make a process namespace, whose first process does the next step.
    EnterNamespace,
    /// Be the first process of the namespace: reap orphans, and end with the command.
    BeFirstProcess,
    /// Become the command.
    Execute,
    /// The same, in a sandbox that somebody else has made.
    ExecuteConfined,
}

/// The exit code is the command's. [`ConfineStep::Execute`] does not return when it succeeds.
pub fn confine(confinement: &str, command: &[OsString]) -> Result<u8> {
    let signal = StartSignal::from_stdin().context("cannot reach the host")?;
    signal.failing_with(|| confined(confinement, command, &signal))
}

fn confined(confinement: &str, command: &[OsString], signal: &StartSignal) -> Result<u8> {
    let confinement: Confinement = serde_json::from_str(confinement).context("cannot parse the paths")?;
    let (program, args) = command.split_first().context("no command")?;
    // The supervisor kills what it finds. This is for the case that it is killed itself.
    guardhost_process::kernel::end_with_parent(Signal::KILL).context("cannot end with the supervisor")?;
    match confinement.step {
        ConfineStep::EnterNamespace => {
            namespace::enter().context("cannot make a process namespace")?;
            let next = Confinement { step: ConfineStep::BeFirstProcess, ..confinement };
            let mut first = Command::new(SELF);
            first.arg(CONFINE).arg(serde_json::to_string(&next)?).args(command).stdin(signal.pass_on()?);
            let first = first.spawn().context("cannot start the first process of a namespace")?;
            Ok(exit_code(wait_for(first.id())?))
        }
        ConfineStep::BeFirstProcess => {
            namespace::mount_proc().context("cannot mount /proc")?;
            kernel::restrict(&confinement)?;
            // The command's processes may not take the report from this one.
            guardhost_process::kernel::forbid_debuggers().context("cannot close this process to others")?;
            let child = Command::new(program).args(args).stdin(Stdio::null()).spawn();
            let child = child.with_context(|| format!("cannot start {}", program.display()))?;
            signal.started();
            Ok(exit_code(wait_for(child.id())?))
        }
        ConfineStep::Execute => {
            kernel::restrict(&confinement)?;
            Err(execute(program, args, signal))
        }
        ConfineStep::ExecuteConfined => {
            kernel::forbid_reaching()?;
            Err(execute(program, args, signal))
        }
    }
}

/// Returns only when it fails.
fn execute(program: &OsString, args: &[OsString], signal: &StartSignal) -> Error {
    // The system closes the connection together with the execution, so that it has to be said before.
    signal.started();
    let error = Command::new(program).args(args).stdin(Stdio::null()).exec();
    Error::new(error).context(format!("cannot start {}", program.display()))
}

/// Whether a process namespace can be made here. `exe` is this program.
pub fn has_namespaces(exe: &Path) -> bool {
    let confinement = Confinement { read: vec!["/".into()], write: Vec::new(), step: ConfineStep::EnterNamespace };
    let Ok(confinement) = serde_json::to_string(&confinement) else { return false };
    let mut command = Command::new(exe);
    command.args([CONFINE, &confinement]).arg(exe).arg("--version").env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether this kernel can confine, and if not, why.
pub fn available() -> Result<(), String> {
    kernel::available()
}

#[cfg(target_os = "linux")]
mod kernel {
    use caps::CapSet;
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
        RulesetStatus, Scope, path_beneath_rules,
    };

    use super::super::system_calls::{self, Sockets};
    use super::Confinement;
    use guardhost_core::error::{Context, Error, Result};

    /// The first with scopes for signals and sockets (Linux 6.12); older ones lack truncation (6.2) or devices (6.10).
    const LANDLOCK: ABI = ABI::V6;

    /// Devices that every program may write to.
    const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

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

    pub fn restrict(paths: &Confinement) -> Result<()> {
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
        system_calls::refuse(Sockets::None)
    }

    /// In a sandbox that restricts the rest.
    pub fn forbid_reaching() -> Result<()> {
        system_calls::refuse(Sockets::OfTheNamespace)
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    pub fn available() -> Result<(), String> {
        Err("only Linux has Landlock".to_owned())
    }

    pub fn restrict(_: &super::Confinement) -> guardhost_core::error::Result<()> {
        Err(guardhost_core::error::Error::msg("only Linux has Landlock"))
    }

    pub fn forbid_reaching() -> guardhost_core::error::Result<()> {
        Ok(())
    }
}
