//! Errors of the system, random bytes, folders of a user, the terminal.

use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::os::windows::io::AsHandle;
use std::path::PathBuf;
use std::ptr;

use windows_sys::Win32::Foundation::{
    ERROR_COMMITMENT_LIMIT, ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL, ERROR_NO_SYSTEM_RESOURCES,
    ERROR_NOT_ENOUGH_MEMORY, ERROR_NOT_ENOUGH_QUOTA, ERROR_OUTOFMEMORY, ERROR_TOO_MANY_OPEN_FILES,
};
use windows_sys::Win32::Security::Cryptography::{BCRYPT_USE_SYSTEM_PREFERRED_RNG, BCryptGenRandom};

/// The answers of a machine that lacks something.
const LACKS: [u32; 8] = [
    ERROR_COMMITMENT_LIMIT,
    ERROR_DISK_FULL,
    ERROR_HANDLE_DISK_FULL,
    ERROR_NO_SYSTEM_RESOURCES,
    ERROR_NOT_ENOUGH_MEMORY,
    ERROR_NOT_ENOUGH_QUOTA,
    ERROR_OUTOFMEMORY,
    ERROR_TOO_MANY_OPEN_FILES,
];

/// Whether the system refused memory, disk, threads or handles.
pub fn is_lack(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| LACKS.contains(&code.cast_unsigned()))
}

/// Whether it is the answer of a system call.
pub fn is_system_error(error: &(dyn Error + 'static)) -> bool {
    error.is::<io::Error>()
}

/// Fills it with bytes that no one can foresee.
pub fn random_bytes(bytes: &mut [u8]) -> io::Result<()> {
    let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    // SAFETY: the system's own generator, and a buffer of this length.
    match unsafe { BCryptGenRandom(ptr::null_mut(), bytes.as_mut_ptr(), len, BCRYPT_USE_SYSTEM_PREFERRED_RNG) } {
        0 => Ok(()),
        status => Err(io::Error::other(format!("the system gives no random bytes (status {status:#x})"))),
    }
}

/// Where programs of this user keep what can be made again. `var` reads the environment.
pub fn cache_folder(var: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    var("XDG_CACHE_HOME").filter(|path| path.is_absolute()).or_else(|| var("LOCALAPPDATA"))
}

/// Where this user's settings of programs are.
pub fn settings_folder(var: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    var("XDG_CONFIG_HOME").filter(|path| path.is_absolute()).or_else(|| var("APPDATA"))
}

/// The user's own folder.
pub fn home(var: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    var("USERPROFILE").or_else(|| var("HOME"))
}

/// The variables that name the folder for temporary files.
pub const TEMPORARY_FOLDER: &[&str] = &["TEMP", "TMP"];

/// Variables without which programs do not work: where the system is, where programs and the user's files are, and which endings programs
/// have. All in capitals, see [`variable_name`].
pub const SYSTEM_VARIABLES: &[&str] = &[
    "ALLUSERSPROFILE",
    "APPDATA",
    "COMMONPROGRAMFILES",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The names of variables are the same in capitals.
pub fn variable_name(name: OsString) -> OsString {
    name.to_ascii_uppercase()
}

/// Columns of the terminal; None if the output is none.
pub fn terminal_width(output: &impl AsHandle) -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(output)?;
    Some(usize::from(width.0)).filter(|columns| *columns > 0)
}
