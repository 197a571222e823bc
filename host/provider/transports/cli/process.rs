//! One agent with all processes that it starts: fed, read, bounded, and gone afterwards.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bstr::ByteSlice;
use guardhost_process::{ProcessTree, Starting, is_stopped};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::output::ProcessOutput;
use crate::{AnswerLimits, Cancel, FailureClass, ProviderFailure};

/// Between the request to end and the end.
const TERMINATION_GRACE: Duration = Duration::from_secs(2);

/// The longest wait for the end of processes that were killed: one that waits for a broken disk does not end.
const KILL_GRACE: Duration = Duration::from_secs(20);

/// How often the child is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// How much of the end of stderr is kept, in bytes.
const STDERR_TAIL: usize = 64 << 10;

/// Longer lines of stdout are not parsed for progress, in bytes.
const MAX_PROGRESS_LINE: usize = 64 << 10;

pub(super) struct Invocation<'a> {
    pub(super) program: &'a Path,
    pub(super) args: &'a [String],
    /// The whole environment of the child.
    pub(super) env: &'a [(&'a OsStr, &'a OsStr)],
    /// The folder that it starts in.
    pub(super) dir: &'a Path,
    /// Removed when the host is killed; `dir` is below it.
    pub(super) scratch: &'a Path,
    /// This program, which attends the agent where the system needs it.
    pub(super) exe: &'a Path,
    pub(super) stdin: &'a [u8],
    pub(super) limits: &'a AnswerLimits,
}

#[derive(Clone, Copy)]
pub(super) enum OutputStream {
    Out,
    Err,
}

/// Is given each line while the process runs. A failure ends it.
pub(super) type OnLine<'a> = &'a (dyn Fn(OutputStream, &[u8]) -> Result<(), ProviderFailure> + Sync);

/// Runs the program to its end. When this returns, every process that it started is dead, those in sessions of their own too, also if it
/// killed or stopped its attendant; when it is dropped, or the host is killed, they die at once. The child need not read its stdin.
pub(super) async fn run(
    invocation: &Invocation<'_>,
    cancel: &Cancel,
    on_line: OnLine<'_>,
) -> Result<ProcessOutput, ProviderFailure> {
    let mut child = AttendedChild::spawn(invocation)?;
    let (stdin, stdout, stderr) = (child.inner.stdin.take(), child.inner.stdout.take(), child.inner.stderr.take());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let limits = invocation.limits;
    let last_output = LastOutput::now();
    let id = child.inner.id();
    let ended = {
        let pipes = async {
            let stdin = write_stdin(stdin, invocation.stdin);
            let out = read_stdout(stdout, &mut out, &last_output, limits.output, on_line);
            let err = read_stderr(stderr, &mut err, &last_output, on_line);
            tokio::try_join!(stdin, out, err).map(|_| ())
        };
        let whole = async {
            tokio::pin!(pipes);
            tokio::select! {
                piped = &mut pipes => {
                    piped?;
                    child.wait().await
                }
                status = child.wait() => {
                    // No process is left that could hold them open.
                    timeout(KILL_GRACE, pipes).await.unwrap_or(Ok(()))?;
                    status
                }
            }
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ProviderFailure::interrupted()),
            status = whole => status,
            () = sleep(limits.wall) => Err(ProviderFailure::timed_out("gave no answer within", limits.wall)),
            silence = silence(&last_output, limits.idle) => Err(ProviderFailure::timed_out("said nothing for", silence)),
            () = stopped(id) => {
                Err(ProviderFailure::new(FailureClass::Crashed, "the process that attends it was stopped"))
            }
        }
    };
    match ended {
        Ok(status) => {
            if let Some(error) = child.tree.start_failure() {
                let what = format!("cannot start {}: {error}", invocation.program.display());
                return Err(ProviderFailure::new(FailureClass::Config, what));
            }
            Ok(ProcessOutput { status, stdout: out, stderr: err })
        }
        Err(failure) => {
            child.terminate(cancel).await;
            Err(failure)
        }
    }
}

/// Returns when this child is stopped, which no part of the host does.
async fn stopped(child: Option<u32>) {
    let Some(child) = child else { return std::future::pending().await };
    while !is_stopped(child) {
        sleep(LOOK).await;
    }
}

/// When the child last wrote anything. A lock, because a future that may move between threads shares it.
struct LastOutput(Mutex<Instant>);

impl LastOutput {
    fn now() -> Self {
        LastOutput(Mutex::new(Instant::now()))
    }

    fn at(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn renew(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

/// Returns when the child wrote nothing for the whole of `limit`; never without a limit.
async fn silence(last_output: &LastOutput, limit: Option<Duration>) -> Duration {
    let Some(limit) = limit else { return std::future::pending().await };
    while last_output.at().elapsed() < limit {
        sleep_until(last_output.at() + limit).await;
    }
    limit
}

fn io(what: &str) -> impl Fn(std::io::Error) -> ProviderFailure {
    move |error| ProviderFailure::new(FailureClass::Crashed, format!("{what}: {error}"))
}

async fn write_stdin(stdin: Option<tokio::process::ChildStdin>, prompt: &[u8]) -> Result<(), ProviderFailure> {
    let Some(mut stdin) = stdin else { return Ok(()) };
    match stdin.write_all(prompt).await {
        // A program may answer without reading to the end: the answer is judged, not the reading.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(io("cannot write to its stdin")),
    }
}

async fn read_stdout(
    stdout: Option<impl AsyncRead + Unpin>,
    kept: &mut Vec<u8>,
    last_output: &LastOutput,
    limit: usize,
    on_line: OnLine<'_>,
) -> Result<(), ProviderFailure> {
    let Some(mut stdout) = stdout else { return Ok(()) };
    let (mut line, mut searched) = (0, 0);
    while stdout.read_buf(kept).await.map_err(io("cannot read its stdout"))? > 0 {
        last_output.renew();
        if kept.len() > limit {
            return Err(ProviderFailure::new(FailureClass::TooMuchOutput, format!("wrote more than {limit} bytes")));
        }
        while let Some(end) = kept[searched..].find_byte(b'\n').map(|at| searched + at) {
            if end - line <= MAX_PROGRESS_LINE {
                on_line(OutputStream::Out, &kept[line..end])?;
            }
            (line, searched) = (end + 1, end + 1);
        }
        searched = kept.len();
    }
    Ok(())
}

/// Keeps only the end, so that a flood costs no memory.
async fn read_stderr(
    stderr: Option<impl AsyncRead + Unpin>,
    kept: &mut Vec<u8>,
    last_output: &LastOutput,
    on_line: OnLine<'_>,
) -> Result<(), ProviderFailure> {
    let Some(mut stderr) = stderr else { return Ok(()) };
    let mut chunk = vec![0; 8 << 10];
    loop {
        let read = stderr.read(&mut chunk).await.map_err(io("cannot read its stderr"))?;
        if read == 0 {
            return Ok(());
        }
        last_output.renew();
        kept.extend_from_slice(&chunk[..read]);
        if kept.len() > 2 * STDERR_TAIL {
            kept.drain(..kept.len() - STDERR_TAIL);
        }
        // Whole lines only: half a secret would not be recognized and redacted.
        let mut lines = kept.rsplit(|byte| *byte == b'\n').skip(1);
        if let (Some(line), Some(_)) = (lines.next(), lines.next()) {
            on_line(OutputStream::Err, line)?;
        }
    }
}

/// An agent with all processes that it starts: see `guardhost_process`. Dropping it kills them.
struct AttendedChild {
    inner: Child,
    tree: ProcessTree,
}

impl AttendedChild {
    fn spawn(invocation: &Invocation<'_>) -> Result<Self, ProviderFailure> {
        let Invocation { program, args, exe, scratch, .. } = *invocation;
        let cannot = |program: &OsStr| {
            let what = format!("cannot start {}", program.display());
            move |error: std::io::Error| ProviderFailure::new(FailureClass::Config, format!("{what}: {error}"))
        };
        let prepared = Starting::prepare(exe, scratch, program.as_os_str(), args);
        let (mut command, starting) = prepared.map_err(cannot(program.as_os_str()))?;
        let cannot = cannot(command.get_program());
        command.current_dir(invocation.dir).env_clear().envs(invocation.env.iter().copied());
        // A Ctrl-C of the terminal is for the host, which then ends the agent.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let inner = Command::from(command).spawn().map_err(&cannot)?;
        let tree = inner.id().ok_or_else(|| std::io::Error::other("it has ended")).and_then(|id| starting.started(id));
        Ok(AttendedChild { inner, tree: tree.map_err(&cannot)? })
    }

    /// Waits for the end of the child and of every process.
    async fn wait(&mut self) -> Result<ExitStatus, ProviderFailure> {
        let status = self.inner.wait().await.map_err(io("cannot wait for it"))?;
        match self.tree.clear() {
            true => Ok(status),
            false => Err(ProviderFailure::new(FailureClass::Crashed, "processes that it started do not end")),
        }
    }

    /// Asks it to end, waits a little unless a second cancellation comes, and has everything killed that is left.
    async fn terminate(&mut self, cancel: &Cancel) {
        self.tree.ask_to_end();
        let child = self.inner.id();
        tokio::select! {
            _ = timeout(TERMINATION_GRACE, self.wait()) => {}
            () = cancel.cancelled_twice() => {}
            () = stopped(child) => {}
        }
        self.tree.kill();
        tokio::select! {
            _ = timeout(KILL_GRACE, self.wait()) => {}
            () = stopped(child) => {}
        }
        // One that is stopped again and again does nothing any more. Its processes become the host's.
        let _ = self.inner.start_kill();
        let _ = timeout(KILL_GRACE, self.wait()).await;
    }
}
