//! The host's side: starts the supervisor, reads the output and the report, enforces the limits that span processes.

use std::ffi::OsString;
use std::io::{self, PipeReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::channel::Channel;
use super::disk::DiskWatch;
use super::exit::{Exit, KilledCommand};
use super::limits::SandboxLimits;
use super::per_process::PerProcess;
use super::started::StartWatch;
use super::supervise::Supervision;
use super::{SUPERVISE, SandboxedCommand};
use crate::report::output_tail;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_process::descendants;

/// How often memory, processes and the disk are looked at.
const POLL: Duration = Duration::from_millis(100);

/// Time for the supervisor to kill what it started.
const GRACE: Duration = Duration::from_secs(20);

/// `words` gets the key of the report, and returns the command.
///
/// # Errors
/// When the supervisor cannot be started, or does not prove that all processes are gone: it is left to its work. When the sandbox could
/// not be set up, or the command not be started in it.
pub(super) fn run(
    exe: &Path,
    words: impl FnOnce(&str) -> Vec<OsString>,
    sandboxed: &SandboxedCommand,
) -> Result<Result<Exit, KilledCommand>> {
    let (reader, writer) = io::pipe().context("cannot make a pipe")?;
    let (channel, theirs) = Channel::open(sandboxed.report).context("cannot make a socket")?;
    let (start, its_stdin) = StartWatch::open().context("cannot make a socket")?;
    let supervision = Supervision {
        limits: PerProcess::from(sandboxed.limits),
        busy: sandboxed.busy.clone(),
        report: sandboxed.report,
    };
    let mut command = Command::new(exe);
    command.arg(SUPERVISE).arg(serde_json::to_string(&supervision)?).args(words(channel.key()));
    command.env_clear().envs(&sandboxed.view.env).current_dir(sandboxed.dir);
    command.stdin(its_stdin).stdout(theirs).stderr(writer);
    let disk = DiskWatch::new(&sandboxed.view.write, sandboxed.limits);
    let child = command.spawn().with_context(|| {
        Fault::new(FaultKind::GuardRun, format!("cannot start {} to supervise a sandbox", exe.display()))
    })?;
    // It holds the writing ends.
    drop(command);
    let mut supervisor = Supervisor { child, start };
    let most = sandboxed.limits.output;
    let (sender, output) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        // The receiver is gone when the command was stopped.
        let _ = sender.send(read_output(reader, most));
    })?;
    let records = thread::Builder::new().spawn(move || channel.read())?;
    let watched = watch(&output, &supervisor, sandboxed.limits, disk);
    let status = supervisor.end()?;
    let output = match watched {
        Err(stopped) => return Ok(Err(stopped)),
        Ok(output) => output.context("cannot read the command's output")?,
    };
    if let Err(why) = supervisor.start.result().context("cannot read whether the command was started")? {
        let why = if why.is_empty() { output_tail(&output) } else { why };
        return Err(Fault::new(FaultKind::GuardRun, format!("the sandbox did not start the command: {why}"))
            .hint("`host doctor` says which sandbox this machine has")
            .into());
    }
    // No process is left that could write.
    let records = records.join().map_err(|_| io::Error::other("the reader of the report panicked")).flatten();
    let records = records.context("cannot read the report")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX);
    Ok(Ok(Exit { code, output, records }))
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
    limits: &SandboxLimits,
    mut disk: DiskWatch,
) -> Result<io::Result<Vec<u8>>, KilledCommand> {
    let begun = Instant::now();
    loop {
        match output.recv_timeout(POLL) {
            Ok(Ok(Some(output))) => return Ok(Ok(output)),
            Ok(Ok(None)) => {
                return Err(KilledCommand::OverLimit(format!("it said more than {} MiB", limits.output >> 20)));
            }
            Ok(Err(error)) => return Ok(Err(error)),
            Err(RecvTimeoutError::Disconnected) => return Ok(Err(io::ErrorKind::BrokenPipe.into())),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if begun.elapsed() >= limits.wall {
            return Err(KilledCommand::TimedOut(limits.wall));
        }
        if let Err(stopped) = limits.stop.check() {
            return Err(KilledCommand::Stopped(stopped));
        }
        let processes = descendants(supervisor.pid());
        if processes.len() > limits.processes {
            return Err(KilledCommand::OverLimit(format!("it started more than {} processes", limits.processes)));
        }
        if processes.iter().map(|process| process.resident).sum::<u64>() > limits.memory {
            return Err(KilledCommand::OverLimit(format!("it used more than {} MiB of memory", limits.memory >> 20)));
        }
        if let Some(what) = disk.exceeded() {
            return Err(KilledCommand::OverLimit(what));
        }
    }
}

/// When its standard input is closed, the supervisor kills every process below it and then exits. It is never killed itself: its
/// processes would become orphans that nobody ends.
struct Supervisor {
    child: Child,
    start: StartWatch,
}

impl Supervisor {
    fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap_or(i32::MAX)
    }

    fn end(&mut self) -> Result<ExitStatus> {
        self.start.close();
        let begun = Instant::now();
        while begun.elapsed() < GRACE {
            if let Some(status) = self.child.try_wait().context("cannot wait for the supervisor of a sandbox")? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(2));
        }
        let what = "processes of a build or a test run do not end, so its result proves nothing";
        Err(Fault::new(FaultKind::GuardRun, what)
            .hint(format!("they are still being killed; the supervisor is process {}", self.child.id()))
            .into())
    }
}
