//! The process between cargo and a test binary: it keeps the binary's output apart from everything else that cargo shows, and reports it
//! with the exit code over a descriptor that the binary does not get.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{FromRawFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use rustix::io::{FdFlags, fcntl_setfd};

use super::suite::Suite;
use crate::sandbox::DESCRIPTOR;
use guardhost_core::error::{Context, Result};

/// Bytes of output that are reported: 100,000 lines of a suite.
const MOST: u64 = 8 << 20;

/// The exit code is the binary's. `report` is the descriptor's number.
pub fn run_suite(report: RawFd, key: &str, words: &[OsString]) -> Result<u8> {
    let (built, command) = words.split_first().context("no build folder")?;
    let (program, args) = command.split_first().context("no command")?;
    // Its binary may not look into this process, neither as a debugger nor through `/proc`.
    guardhost_process::kernel::forbid_debuggers().context("cannot close this process to others")?;
    // SAFETY: the supervisor left the sandbox's report under this number, and nothing else in this process uses it.
    let mut channel = unsafe { File::from_raw_fd(report) };
    fcntl_setfd(&channel, FdFlags::CLOEXEC).context("no descriptor to report to")?;
    let mut command = Command::new(program);
    command.args(args).env_remove(DESCRIPTOR);
    if !Path::new(program).starts_with(built) {
        // rustdoc runs the binaries of documentation tests in the same manner, and reports on them itself.
        return Err(command.exec()).with_context(|| format!("cannot start {}", program.display()));
    }
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.with_context(|| format!("cannot start {}", program.display()))?;
    let (stdout, stderr) = child.stdout.take().zip(child.stderr.take()).context("no pipes")?;
    let reading = thread::Builder::new().spawn(move || read(stderr))?;
    let (stdout, stdout_cut) = read(stdout)?;
    let (stderr, stderr_cut) = reading.join().map_err(|_| io::Error::other("the reader panicked")).flatten()?;
    let status = child.wait().context("cannot wait for the test binary")?;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    let code = code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX);
    let binary = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let suite = Suite { binary, code, stdout, stderr, cut: stdout_cut || stderr_cut };
    channel.write_all(format!("{key} {}\n", serde_json::to_string(&suite)?).as_bytes()).context("cannot report")?;
    Ok(code)
}

/// Reads to the end: processes that the binary started may still write.
fn read(mut from: impl Read) -> io::Result<(String, bool)> {
    let mut bytes = Vec::new();
    from.by_ref().take(MOST).read_to_end(&mut bytes)?;
    let cut = io::copy(&mut from, &mut io::sink())? > 0;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), cut))
}
