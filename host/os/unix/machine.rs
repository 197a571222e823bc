//! Errors of the system, random bytes, folders of a user, the terminal.

use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::PathBuf;

use rustix::io::Errno;

/// Whether the system refused memory, disk, threads or descriptors.
pub fn is_lack(error: &io::Error) -> bool {
    let of_system = error.raw_os_error().map(Errno::from_raw_os_error);
    [Errno::NOMEM, Errno::AGAIN, Errno::MFILE, Errno::NFILE, Errno::NOSPC, Errno::DQUOT, Errno::FBIG]
        .into_iter()
        .any(|lack| of_system == Some(lack))
}

/// Whether it is the answer of a system call.
pub fn is_system_error(error: &(dyn Error + 'static)) -> bool {
    error.is::<Errno>() || error.is::<io::Error>()
}

/// Fills it with bytes that no one can foresee.
pub fn random_bytes(bytes: &mut [u8]) -> io::Result<()> {
    File::open("/dev/urandom")?.read_exact(bytes)
}

/// A variable that is set to an absolute path, else a folder in the home.
fn folder(var: &dyn Fn(&str) -> Option<PathBuf>, name: &str, in_home: &str) -> Option<PathBuf> {
    var(name).filter(|path| path.is_absolute()).or_else(|| Some(home(var)?.join(in_home)))
}

/// Where programs of this user keep what can be made again. `var` reads the environment.
pub fn cache_folder(var: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    folder(var, "XDG_CACHE_HOME", ".cache")
}

/// Where this user's settings of programs are.
pub fn settings_folder(var: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    folder(var, "XDG_CONFIG_HOME", ".config")
}

/// The user's own folder. A relative one would be a folder of the repository that the command stands in, whose author would choose settings
/// and cached code.
pub fn home(var: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    var("HOME").filter(|path| path.is_absolute())
}

/// The variables that name the folder for temporary files.
pub const TEMPORARY_FOLDER: &[&str] = &["TMPDIR"];

/// Variables of the system without which programs do not work: none.
pub const SYSTEM_VARIABLES: &[&str] = &[];

/// Every name is another variable.
pub fn variable_name(name: OsString) -> OsString {
    name
}

/// Columns of the terminal; None if the output is none.
pub fn terminal_width(output: &impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(output).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}
