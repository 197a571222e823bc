//! From the host's side: start the supervisor, listen, keep the limits that span processes.

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
use super::{Order, SUPERVISE};
use guardhost_core::error::{Context, Fault, Kind, Result};

/// How often memory and processes are counted.
const LOOK: Duration = Duration::from_millis(100);

/// For the supervisor to end all that it started.
const GRACE: Duration = Duration::from_secs(10);

/// It ended by itself.
#[derive(Debug)]
pub struct Ended {
    /// 128 + its signal when one ended it.
    pub code: u8,
    /// Standard output and standard error, as they came.
    pub output: Vec<u8>,
}

/// It was ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halted {
    TimedOut(Duration),
    /// More of something than it may use.
    Exceeded(String),
}

pub(super) fn run(exe: &Path, words: &[OsString], order: &Order) -> Result<Result<Ended, Halted>> {
    let (reader, writer) = io::pipe().context("cannot make a pipe")?;
    let mut command = Command::new(exe);
    command.arg(SUPERVISE).arg(serde_json::to_string(&PerProcess::from(order.limits))?).args(words);
    command.env_clear().envs(&order.view.env).current_dir(order.dir).process_group(0);
    command.stdin(Stdio::piped()).stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn().with_context(|| {
        Fault::new(Kind::GuardRun, format!("cannot start {} to supervise a sandbox", exe.display()))
    })?;
    // It holds the pipe's other end.
    drop(command);
    let mut supervisor = Supervisor(child);
    let most = order.limits.output;
    let (done, heard) = mpsc::channel();
    let listener = thread::Builder::new().spawn(move || {
        // The receiver is gone when the command was halted.
        let _ = done.send(listen(reader, most));
    })?;
    let halted = watch(&heard, &supervisor, order.limits);
    let status = supervisor.end()?;
    let output = match halted {
        Err(halted) => return Ok(Err(halted)),
        Ok(output) => output.context("cannot read what the command says")?,
    };
    // It has sent its last word.
    let _ = listener.join();
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX);
    Ok(Ok(Ended { code, output }))
}

/// None: there was more than `most`.
fn listen(reader: PipeReader, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut output = Vec::new();
    reader.take(most + 1).read_to_end(&mut output)?;
    Ok(Some(output).filter(|output| output.len() as u64 <= most))
}

type Heard = io::Result<Option<Vec<u8>>>;

/// Until the pipe is closed, which the supervisor does last, or a limit is reached.
fn watch(
    heard: &mpsc::Receiver<Heard>,
    supervisor: &Supervisor,
    limits: &Limits,
) -> Result<io::Result<Vec<u8>>, Halted> {
    let begun = Instant::now();
    loop {
        match heard.recv_timeout(LOOK) {
            Ok(Ok(Some(output))) => return Ok(Ok(output)),
            Ok(Ok(None)) => return Err(Halted::Exceeded(format!("it said more than {} MiB", limits.output >> 20))),
            Ok(Err(error)) => return Ok(Err(error)),
            Err(RecvTimeoutError::Disconnected) => return Ok(Err(io::ErrorKind::BrokenPipe.into())),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if begun.elapsed() >= limits.wall {
            return Err(Halted::TimedOut(limits.wall));
        }
        let processes = descendants(supervisor.pid());
        if processes.len() > limits.processes {
            return Err(Halted::Exceeded(format!("it started more than {} processes", limits.processes)));
        }
        if processes.iter().map(|process| process.resident).sum::<u64>() > limits.memory {
            return Err(Halted::Exceeded(format!("it used more than {} MiB of memory", limits.memory >> 20)));
        }
    }
}

/// Its standard input is the lifeline: closed, the supervisor ends all below it and then itself.
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
