//! What a machine can confine a process with, found out without the host: a defect of its own search must not look like a skip.

use std::path::PathBuf;
use std::process::Command;

use super::Missing;

/// Bubblewrap, where it may make namespaces.
pub fn bubblewrap() -> Result<PathBuf, Missing> {
    let tried = Command::new("bwrap").args(["--unshare-all", "--ro-bind", "/", "/", "true"]).output();
    let tried = tried.map_err(|error| Missing::NotInstalled(format!("bwrap: {error}")))?;
    match tried.status.success() {
        true => Ok("bwrap".into()),
        false => Err(Missing::Unsupported(String::from_utf8_lossy(&tried.stderr).into_owned())),
    }
}

/// The first Landlock with scopes for signals and sockets, of Linux 6.12: what the host's sandbox needs.
const LANDLOCK: libc::c_long = 6;

/// Landlock has no program; the path is empty.
#[cfg(target_os = "linux")]
pub fn landlock() -> Result<PathBuf, Missing> {
    const ASK_FOR_VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the kernel reads no attributes, and returns the version of its interface or an error.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0_usize, ASK_FOR_VERSION)
    };
    match version {
        LANDLOCK.. => Ok(PathBuf::new()),
        1.. => Err(Missing::Unsupported(format!("version {LANDLOCK} is needed, the kernel has {version}"))),
        _ => Err(Missing::Unsupported("the kernel has none".to_owned())),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn landlock() -> Result<PathBuf, Missing> {
    Err(Missing::Unsupported("only Linux has it".to_owned()))
}
