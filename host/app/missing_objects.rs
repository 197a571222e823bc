//! Brings the objects that a partial clone left out, by git, which knows how to sign in at the remote.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use guardhost_core::change::Oid;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;

/// For all that is missing of the trees of a change: as long as a fetch of a fleet's worker may take.
const LIMIT: Duration = Duration::from_secs(10 * 60);
/// Between looks whether it has ended.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes of what git says.
const SAID: u64 = 4 << 10;

/// Starts git in one repository.
pub struct MissingFetcher {
    git_dir: PathBuf,
    process: ProcessEnv,
}

impl MissingFetcher {
    pub fn new(git_dir: &Path, process: &ProcessEnv) -> Self {
        MissingFetcher { git_dir: git_dir.to_owned(), process: process.clone() }
    }

    /// All of these in one request, as git itself brings what it lacks.
    ///
    /// # Errors
    /// Git says why; the command was ended.
    pub fn bring(&self, remote: &str, objects: &BTreeSet<Oid>) -> Result<()> {
        let mut command = Command::new("git");
        // A hook of git's is told by them which repository it is in; how git signs in stays.
        let is_kept =
            |name: &str| !name.starts_with("GIT_") || name.starts_with("GIT_SSH") || name.starts_with("GIT_SSL");
        let env = self.process.env.iter().filter(|(name, _)| is_kept(&name.to_string_lossy()));
        command.env_clear().envs(env.cloned()).env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
        command.arg("--git-dir").arg(&self.git_dir);
        command.args(["-c", "core.hooksPath=/dev/null", "-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet"]);
        command.args(["--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--no-auto-maintenance"]);
        command.args(["--filter=blob:none", "--stdin", "--", remote]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let cannot =
            || Fault::new(FaultKind::Git, "git cannot be started").hint("`host doctor` shows whether git is there");
        let mut child = command.spawn().with_context(cannot)?;
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let names: String = objects.iter().map(|oid| format!("{oid}\n")).collect();
        let (ended, said) = std::thread::scope(|scope| {
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(names.as_bytes())));
            let said = scope.spawn(move || {
                let mut said = Vec::new();
                if let Some(mut stderr) = stderr {
                    let _ = stderr.by_ref().take(SAID).read_to_end(&mut said);
                    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
                }
                let said = String::from_utf8_lossy(&said).into_owned();
                said.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
            });
            (self.wait(&mut child), said.join().unwrap_or_default())
        });
        match ended? {
            true => Ok(()),
            false => Err(Fault::new(FaultKind::Git, format!("git fetch: {said}")).into()),
        }
    }

    /// Whether it succeeded. It is killed when the command is ended.
    fn wait(&self, child: &mut Child) -> Result<bool> {
        let watch = self.process.stop.watch(LIMIT);
        loop {
            if let Some(status) = child.try_wait().context("cannot wait for git")? {
                return Ok(status.success());
            }
            if let Err(stopped) = watch.check() {
                let _ = child.kill();
                let _ = child.wait();
                return Err(stopped.into_error("fetching what this partial clone lacks"));
            }
            std::thread::sleep(LOOK);
        }
    }
}
