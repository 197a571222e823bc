//! The agent behind the proxy: a process that ends with the host, and whatever it started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_process::{ProcessTree, Starting};
use guardhost_provider::Environment;
use tempfile::TempDir;

use crate::context::CommandContext;

/// How long an agent may take to end by itself, then after it was asked to, then to be killed.
const GRACE: Duration = Duration::from_secs(5);

/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(20);

pub struct Agent {
    child: Child,
    tree: ProcessTree,
    name: String,
    /// An attendant removes a folder when the host is killed; the agent gets none.
    _scratch: TempDir,
}

impl Agent {
    /// Starts the agent in the current folder, with this process's environment and standard error.
    ///
    /// # Errors
    /// [`FaultKind::Provider`]: it cannot be started on this system.
    pub fn start(words: &[OsString], ctx: &CommandContext) -> Result<(Self, ChildStdin, ChildStdout)> {
        let [program, args @ ..] = words else { return Err(Fault::new(FaultKind::Usage, "name the agent").into()) };
        let name = program.to_string_lossy().into_owned();
        let cannot = || Fault::new(FaultKind::Provider, format!("cannot start {name}"));
        let scratch = tempfile::tempdir_in(&ctx.process.temp).with_context(cannot)?;
        // A batch file, as npm makes them on Windows, is only started by its whole name.
        let found = Environment::new(ctx.process.env.iter().cloned()).find(&name);
        let found = found.map_or_else(|| program.clone(), PathBuf::into_os_string);
        let prepared = Starting::prepare(&ctx.process.exe, scratch.path(), &found, args);
        let (mut command, starting) = prepared.with_context(cannot)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).current_dir(&ctx.process.cwd);
        let mut child = command.spawn().with_context(cannot)?;
        let tree = starting.started(child.id()).with_context(cannot)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (stdin, stdout) = stdin.zip(stdout).with_context(cannot)?;
        Ok((Agent { child, tree, name, _scratch: scratch }, stdin, stdout))
    }

    /// Waits for its end, and brings it about where it does not come: none of its processes is left.
    ///
    /// # Errors
    /// [`FaultKind::Provider`]: it could not be started, or it failed.
    pub fn end(mut self) -> Result<()> {
        let mut ended = self.wait()?;
        let ended_by_itself = ended.is_some();
        if !ended_by_itself {
            self.tree.ask_to_end();
            ended = self.wait()?;
        }
        let failure = ended.and_then(|_| self.tree.start_failure());
        if ended.is_none() {
            self.tree.kill();
            ended = self.wait()?;
        }
        let gone = self.tree.clear();
        let fault = |what: String| Err(Fault::new(FaultKind::Provider, what).into());
        match (failure, ended) {
            (Some(why), _) => fault(format!("cannot start {}: {why}", self.name)),
            (None, None) => fault(format!("{} does not end", self.name)),
            (None, Some(_)) if !gone => fault(format!("processes that {} started do not end", self.name)),
            // How it ends when the host ends it, by a signal or by a code of the system, says nothing.
            (None, Some(status)) => match status.code() {
                Some(code) if code != 0 && ended_by_itself => {
                    fault(format!("{} ended with exit code {code}", self.name))
                }
                Some(_) | None => Ok(()),
            },
        }
    }

    /// None: it goes on.
    fn wait(&mut self) -> Result<Option<ExitStatus>> {
        let begun = Instant::now();
        loop {
            let ended = self.child.try_wait().context("cannot wait for the agent")?;
            if ended.is_some() || begun.elapsed() >= GRACE {
                return Ok(ended);
            }
            sleep(LOOK);
        }
    }
}
