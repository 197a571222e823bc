//! `guardhost`: the second name of `host`, for machines on which another program has the first, such as BIND's tool for DNS. It runs the
//! `host` that is installed beside it.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// As a shell says that a command could not be started.
const NOT_STARTED: u8 = 127;

fn main() -> ExitCode {
    let words = std::env::args_os().skip(1);
    let run = |host| guardhost_os::become_program(Command::new(host).args(words), OsStr::new("guardhost"));
    match host().and_then(run) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("guardhost: cannot run `host`, which is installed beside this program: {error}");
            ExitCode::from(NOT_STARTED)
        }
    }
}

/// Links to this program are followed: `host` lies beside the file itself.
fn host() -> io::Result<PathBuf> {
    let own = std::env::current_exe()?.canonicalize()?;
    Ok(own.with_file_name(format!("host{}", std::env::consts::EXE_SUFFIX)))
}
