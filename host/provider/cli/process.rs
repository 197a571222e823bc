//! One child process and all that it starts: fed, heard, bounded, and gone afterwards.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bstr::ByteSlice;
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use rustix::process::Signal;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::heard::Heard;
use crate::{Cancel, FailureClass, Limits, ProviderFailure};

/// Between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(2);

/// How long the pipes may stay open after the program has ended and its group was killed: only a process that left the
/// group can hold them, and what it writes is no part of the answer.
const DRAIN: Duration = Duration::from_millis(500);

/// How much of the end of stderr is kept, in bytes.
const TAIL: usize = 64 << 10;

/// A longer line of stdout is not looked at for progress.
const LONGEST_LINE: usize = 64 << 10;

pub(super) struct Order<'a> {
    pub(super) program: &'a Path,
    pub(super) args: &'a [String],
    /// All that the child sees of the environment.
    pub(super) env: &'a [(&'a OsStr, &'a OsStr)],
    pub(super) dir: &'a Path,
    pub(super) stdin: &'a [u8],
    pub(super) limits: &'a Limits,
}

#[derive(Clone, Copy)]
pub(super) enum Stream {
    Out,
    Err,
}

/// Runs the program to its end, in a process group of its own. When this returns, or is dropped, every process of the group is dead.
/// `live` sees the lines as they come. A child that does not read its stdin is fine.
pub(super) async fn run(
    order: &Order<'_>,
    cancel: &Cancel,
    live: &(dyn Fn(Stream, &[u8]) + Sync),
) -> Result<Heard, ProviderFailure> {
    let mut child = Group::spawn(order)?;
    let (stdin, stdout, stderr) =
        (child.inner.stdin().take(), child.inner.stdout().take(), child.inner.stderr().take());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let last_heard = LastOutput::now();
    let ended = {
        let talk = async {
            let feed = feed(stdin, order.stdin);
            let out = listen(stdout, &mut out, &last_heard, order.limits.output, live);
            let err = overhear(stderr, &mut err, &last_heard, live);
            tokio::try_join!(feed, out, err).map(|_| ())
        };
        let whole = async {
            tokio::pin!(talk);
            tokio::select! {
                talked = &mut talk => {
                    talked?;
                    child.wait().await
                }
                status = child.wait() => {
                    // What the program left running holds the pipes open.
                    child.end();
                    timeout(DRAIN, talk).await.unwrap_or(Ok(()))?;
                    status
                }
            }
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ProviderFailure::new(FailureClass::Interrupted, "interrupted")),
            status = whole => status,
            () = sleep(order.limits.wall) => Err(ProviderFailure::late("gave no answer within", order.limits.wall)),
            silence = silence(&last_heard, order.limits.idle) => Err(ProviderFailure::late("said nothing for", silence)),
        }
    };
    match ended {
        Ok(status) => {
            child.end();
            Ok(Heard { status, stdout: out, stderr: err })
        }
        Err(failure) => {
            child.stop(cancel).await;
            Err(failure)
        }
    }
}

/// Returns when nothing was heard for the whole of `limit`; never without one.
async fn silence(last_heard: &LastOutput, limit: Option<Duration>) -> Duration {
    let Some(limit) = limit else { return std::future::pending().await };
    while last_heard.at().elapsed() < limit {
        sleep_until(last_heard.at() + limit).await;
    }
    limit
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

fn io(what: &str) -> impl Fn(std::io::Error) -> ProviderFailure {
    move |error| ProviderFailure::new(FailureClass::Crashed, format!("{what}: {error}"))
}

async fn feed(stdin: Option<tokio::process::ChildStdin>, prompt: &[u8]) -> Result<(), ProviderFailure> {
    let Some(mut stdin) = stdin else { return Ok(()) };
    match stdin.write_all(prompt).await {
        // Whoever answers without reading to the end may: the answer is judged, not the reading.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        fed => fed.map_err(io("cannot write to its stdin")),
    }
}

async fn listen(
    stdout: Option<impl AsyncRead + Unpin>,
    kept: &mut Vec<u8>,
    last_heard: &LastOutput,
    most: usize,
    live: &(dyn Fn(Stream, &[u8]) + Sync),
) -> Result<(), ProviderFailure> {
    let Some(mut stdout) = stdout else { return Ok(()) };
    let (mut line, mut seen) = (0, 0);
    while stdout.read_buf(kept).await.map_err(io("cannot read its stdout"))? > 0 {
        last_heard.renew();
        if kept.len() > most {
            return Err(ProviderFailure::new(FailureClass::TooMuchOutput, format!("wrote more than {most} bytes")));
        }
        while let Some(end) = kept[seen..].find_byte(b'\n').map(|at| seen + at) {
            if end - line <= LONGEST_LINE {
                live(Stream::Out, &kept[line..end]);
            }
            (line, seen) = (end + 1, end + 1);
        }
        seen = kept.len();
    }
    Ok(())
}

/// Keeps the end only, so that a flood costs nothing.
async fn overhear(
    stderr: Option<impl AsyncRead + Unpin>,
    kept: &mut Vec<u8>,
    last_heard: &LastOutput,
    live: &(dyn Fn(Stream, &[u8]) + Sync),
) -> Result<(), ProviderFailure> {
    let Some(mut stderr) = stderr else { return Ok(()) };
    let mut chunk = vec![0; 8 << 10];
    loop {
        let read = stderr.read(&mut chunk).await.map_err(io("cannot read its stderr"))?;
        if read == 0 {
            return Ok(());
        }
        last_heard.renew();
        kept.extend_from_slice(&chunk[..read]);
        if kept.len() > 2 * TAIL {
            kept.drain(..kept.len() - TAIL);
        }
        // Whole lines only: a secret cut in two would not be known as one.
        let mut lines = kept.rsplit(|byte| *byte == b'\n').skip(1);
        if let (Some(line), Some(_)) = (lines.next(), lines.next()) {
            live(Stream::Err, line);
        }
    }
}

/// A child that leads a process group. Dropped, it takes the group with it.
struct Group {
    inner: Box<dyn ChildWrapper>,
    /// Once its leader was waited for and the rest was killed, the group's number may belong to others.
    gone: bool,
}

impl Group {
    fn spawn(order: &Order<'_>) -> Result<Self, ProviderFailure> {
        let mut command = CommandWrap::with_new(order.program, |command| {
            command.args(order.args).current_dir(order.dir).env_clear().envs(order.env.iter().copied());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        });
        let inner = command.wrap(ProcessGroup::leader()).spawn().map_err(|error| {
            ProviderFailure::new(FailureClass::Config, format!("cannot start {}: {error}", order.program.display()))
        })?;
        Ok(Group { inner, gone: false })
    }

    async fn wait(&mut self) -> Result<ExitStatus, ProviderFailure> {
        self.inner.wait().await.map_err(io("cannot wait for it"))
    }

    /// Kills whoever is left.
    fn end(&mut self) {
        if !self.gone {
            // The only error is that nobody is.
            let _ = self.inner.start_kill();
            self.gone = true;
        }
    }

    /// Asks politely first.
    async fn stop(&mut self, cancel: &Cancel) {
        // An error means that it has just ended by itself.
        let _ = self.inner.signal(Signal::TERM.as_raw());
        tokio::select! {
            _ = timeout(GRACE, self.inner.wait()) => {}
            () = cancel.insisted() => {}
        }
        self.end();
        let _ = self.inner.wait().await;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}
