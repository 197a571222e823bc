//! `guardhost`: the second name of `host`, for machines on which another program has the first, such as BIND's tool for DNS. It runs the
//! `host` that is installed beside it.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// As a shell says that a command could not be started.
const NOT_STARTED: u8 = 127;

fn main() -> ExitCode {
    match host().and_then(|host| run(&host)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("guardhost: cannot run `host`, which is installed beside this program: {error}");
            ExitCode::from(NOT_STARTED)
        }
    }
}

/// Links to this program are followed: `host` lies beside the file itself.
fn host() -> std::io::Result<PathBuf> {
    let own = std::env::current_exe()?.canonicalize()?;
    Ok(own.with_file_name(format!("host{}", std::env::consts::EXE_SUFFIX)))
}

/// Replaces this process, so that signals and the exit code need no passing on.
#[cfg(unix)]
fn run(host: &PathBuf) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(Command::new(host).arg0("guardhost").args(std::env::args_os().skip(1)).exec())
}

#[cfg(not(unix))]
fn run(host: &PathBuf) -> std::io::Result<ExitCode> {
    let status = Command::new(host).args(std::env::args_os().skip(1)).status()?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(NOT_STARTED)))
}
