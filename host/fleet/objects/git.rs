//! The git program, in one repository and without a word of its own: no questions, no hooks, no other repository.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use crate::failure::FailureOwner;

/// Characters of what git says that are shown.
const SAID: usize = 500;
/// Bytes of its answer: packs of changes, not of histories.
const MOST: u64 = 256 << 20;

/// Bytes of memory of a git that reads what others sent. Fetching a repository of 130 MB took 0.3 GB.
const MEMORY: u64 = 2 << 30;

/// Git did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[error("git {command}: {said}")]
pub struct GitFailed {
    command: String,
    said: String,
}

/// What git says when the machine cannot, or was not let in.
const OF_WORKER: [&str; 14] = [
    "no space left",
    "disk quota",
    "read-only file system",
    "input/output error",
    "too many open files",
    "out of memory",
    "cannot allocate",
    "unable to create",
    "unable to write",
    "cannot fork",
    "no such file or directory (os error 2)",
    "could not read username",
    "authentication failed",
    "permission denied",
];
/// What it says of a commit that the remote does not have or give out, and of a pack that is none.
const OF_JOB: [&str; 7] = [
    "not our ref",
    "couldn't find remote ref",
    "unadvertised object",
    "unresolved deltas",
    "inflate returned",
    "pack is corrupted",
    "pack checksum mismatch",
];

impl GitFailed {
    /// Who has to do something about it, by what git says in English.
    pub fn owner(&self) -> FailureOwner {
        let said = self.said.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
        match self.command.as_str() {
            _ if says(&OF_WORKER) => FailureOwner::Worker,
            "fetch" if says(&OF_JOB) => FailureOwner::Job,
            "fetch" => FailureOwner::Remote,
            "unpack-objects" | "index-pack" => FailureOwner::Job,
            _ => FailureOwner::Worker,
        }
    }
}

pub struct Git<'a> {
    /// The git directory.
    pub folder: &'a Path,
    pub env: &'a [(OsString, OsString)],
}

impl Git<'_> {
    /// What it wrote, if it succeeded. It ends when the time is over, or nobody waits for it any more.
    pub async fn run(&self, arguments: &[&str], input: &[u8], limit: Duration) -> Result<Vec<u8>, GitFailed> {
        let options = arguments.iter().take_while(|word| **word == "-c" || word.contains('=')).count();
        let failed = |said: String| GitFailed { command: arguments.get(options).unwrap_or(&"").to_string(), said };
        let done = tokio::time::timeout(limit, self.output(arguments, input)).await;
        let done = done.map_err(|_| failed(format!("it took more than {} s", limit.as_secs())))?;
        let (is_success, out, err) = done.map_err(|error| failed(error.to_string()))?;
        if out.len() as u64 > MOST {
            return Err(failed(format!("it wrote more than {MOST} bytes")));
        }
        match is_success {
            true => Ok(out),
            false => {
                let said = String::from_utf8_lossy(&err);
                let said = said.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SAID).collect();
                Err(failed(said))
            }
        }
    }

    async fn output(&self, arguments: &[&str], input: &[u8]) -> std::io::Result<(bool, Vec<u8>, Vec<u8>)> {
        let mut command = Command::new("git");
        command
            .env_clear()
            .envs(self.env.iter().filter(|(name, _)| !name.to_string_lossy().starts_with("GIT_")).cloned());
        command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C").env("GIT_DIR", self.folder);
        // Without those that run commands: `ext::`, and helpers of other names.
        command.env("GIT_ALLOW_PROTOCOL", "https:http:ssh:git:file");
        // What may be fetched was decided for the address that is named, not for one to which a server sends on.
        command.args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "protocol.version=2",
            "-c",
            "http.followRedirects=false",
        ]);
        command.args(arguments);
        command.current_dir(self.folder).kill_on_drop(true);
        guardhost_os::limit_memory_of(command.as_std_mut(), MEMORY);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (mut stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let write = async {
            if let Some(mut stdin) = stdin.take() {
                // It may end before it has read everything; then it says why.
                let _ = stdin.write_all(input).await;
            }
        };
        let read = |stream: Option<_>, most| async move { read_most(stream, most).await };
        let ((), out, err) = tokio::join!(
            write,
            read(stdout.map(PackStream::Out), MOST + 1),
            read(stderr.map(PackStream::Err), 64 << 10)
        );
        Ok((child.wait().await?.success(), out?, err?))
    }
}

enum PackStream {
    Out(tokio::process::ChildStdout),
    Err(tokio::process::ChildStderr),
}

/// At most so many bytes; the rest is read and dropped, or git would wait for ever.
async fn read_most(stream: Option<PackStream>, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut sink = tokio::io::sink();
    match stream {
        Some(PackStream::Out(mut stream)) => {
            (&mut stream).take(most).read_to_end(&mut bytes).await?;
            tokio::io::copy(&mut stream, &mut sink).await?;
        }
        Some(PackStream::Err(mut stream)) => {
            (&mut stream).take(most).read_to_end(&mut bytes).await?;
            tokio::io::copy(&mut stream, &mut sink).await?;
        }
        None => {}
    }
    Ok(bytes)
}
