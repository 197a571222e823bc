//! The host's side: starts the supervisor, reads the output, enforces the limits that span processes.

use std::ffi::OsString;
use std::io::{self, PipeReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::limits::{Limits, PerProcess};
use super::processes::descendants;
use super::{SUPERVISE, SandboxedCommand};
use guardhost_core::error::{Context, Fault, Kind, Result};

/// How often memory and processes are counted.
const POLL: Duration = Duration::from_millis(100);

/// Time for the supervisor to kill what it started.
const GRACE: Duration = Duration::from_secs(10);

/// A command that ended by itself.
#[derive(Debug)]
pub struct Exit {
    /// 128 + the signal when a signal killed it.
    pub code: u8,
    /// Standard output and standard error, interleaved.
    pub output: Vec<u8>,
}

/// A command that the host killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    TimedOut(Duration),
    /// It used more than a limit; says which.
    OverLimit(String),
}

pub(super) fn run(exe: &Path, words: &[OsString], sandboxed: &SandboxedCommand) -> Result<Result<Exit, Stopped>> {
    let (reader, writer) = io::pipe().context("cannot make a pipe")?;
    let mut command = Command::new(exe);
    command.arg(SUPERVISE).arg(serde_json::to_string(&PerProcess::from(sandboxed.limits))?).args(words);
    command.env_clear().envs(&sandboxed.view.env).current_dir(sandboxed.dir).process_group(0);
    command.stdin(Stdio::piped()).stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn().with_context(|| {
        Fault::new(Kind::GuardRun, format!("cannot start {} to supervise a sandbox", exe.display()))
    })?;
    // It holds the pipe's writing end.
    drop(command);
    let mut supervisor = Supervisor(child);
    let most = sandboxed.limits.output;
    let (sender, output) = mpsc::channel();
    let reading = thread::Builder::new().spawn(move || {
        // The receiver is gone when the command was stopped.
        let _ = sender.send(read_output(reader, most));
    })?;
    let watched = watch(&output, &supervisor, sandboxed.limits);
    let status = supervisor.end()?;
    let output = match watched {
        Err(stopped) => return Ok(Err(stopped)),
        Ok(output) => output.context("cannot read the command's output")?,
    };
    // It has sent everything.
    let _ = reading.join();
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX);
    Ok(Ok(Exit { code, output }))
}

/// None when there was more than `most` bytes.
fn read_output(reader: PipeReader, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut output = Vec::new();
    reader.take(most + 1).read_to_end(&mut output)?;
    Ok(Some(output).filter(|output| output.len() as u64 <= most))
}

type Output = io::Result<Option<Vec<u8>>>;

/// Waits until the pipe is closed, which the supervisor does last, or a limit is reached.
fn watch(
    output: &mpsc::Receiver<Output>,
    supervisor: &Supervisor,
    limits: &Limits,
) -> Result<io::Result<Vec<u8>>, Stopped> {
    let begun = Instant::now();
    loop {
        match output.recv_timeout(POLL) {
            Ok(Ok(Some(output))) => return Ok(Ok(output)),
            Ok(Ok(None)) => return Err(Stopped::OverLimit(format!("it said more than {} MiB", limits.output >> 20))),
            Ok(Err(error)) => return Ok(Err(error)),
            Err(RecvTimeoutError::Disconnected) => return Ok(Err(io::ErrorKind::BrokenPipe.into())),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if begun.elapsed() >= limits.wall {
            return Err(Stopped::TimedOut(limits.wall));
        }
        let processes = descendants(supervisor.pid());
        if processes.len() > limits.processes {
            return Err(Stopped::OverLimit(format!("it started more than {} processes", limits.processes)));
        }
        if processes.iter().map(|process| process.resident).sum::<u64>() > limits.memory {
            return Err(Stopped::OverLimit(format!("it used more than {} MiB of memory", limits.memory >> 20)));
        }
    }
}

/// When its standard input is closed, the supervisor kills every process below it and then exits.
struct Supervisor(Child);

impl Supervisor {
    fn pid(&self) -> i32 {
        i32::try_from(self.0.id()).unwrap_or(i32::MAX)
    }

    fn end(&mut self) -> io::Result<ExitStatus> {
        drop(self.0.stdin.take());
        let begun = Instant::now();
        while begun.elapsed() < GRACE {
            if let Some(status) = self.0.try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.0.kill()?;
        self.0.wait()
    }
}
