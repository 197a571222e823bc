//! What a run leaves behind, for people and for `host log`: a folder `runs/<run>/` with the trace and, for each round, the
//! prompt, the reply, the patches and the judgement. Files are 0600 in folders of 0700: replies may quote private code.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Fault, Kind, Result};

use super::report::CheckReport;
use super::secrets::Secrets;
use super::{harmless, json};

pub(super) const TRACE: &str = "trace.jsonl";

/// The folder of one run.
pub struct Records {
    dir: PathBuf,
    secrets: Secrets,
}

/// What is kept of a round, as bytes; its judgement is kept by [`Records::keep_judgement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Artifact {
    Prompt,
    /// As it came.
    Reply,
    /// The patch as it was found in the reply.
    Extracted,
    /// What would be committed, as a git diff.
    FinalDiff,
}

impl Artifact {
    fn file(self) -> &'static str {
        match self {
            Artifact::Prompt => "prompt.txt",
            Artifact::Reply => "reply.txt",
            Artifact::Extracted => "extracted.patch",
            Artifact::FinalDiff => "final.diff",
        }
    }
}

impl Records {
    /// Makes the folder. A run that is there already is an error: records are not overwritten.
    pub fn create(state_dir: &Path, run: &str, secrets: Secrets) -> Result<Self> {
        let dir = runs_dir(state_dir);
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if run.is_empty() || !run.bytes().all(plain) {
            return Err(Fault::new(Kind::Usage, format!("`{run}` cannot name a run")).into());
        }
        let make = || {
            private_dir().recursive(true).create(&dir)?;
            private_dir().create(dir.join(run))
        };
        make().map_err(|error| cannot_write(&dir.join(run), error))?;
        Ok(Records { dir: dir.join(run), secrets })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where the trace lies, and an open file for it.
    pub fn trace(&self) -> Result<(PathBuf, File)> {
        let path = self.dir.join(TRACE);
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path);
        let file = file.map_err(|error| cannot_write(&path, error))?;
        Ok((path, file))
    }

    /// Keeps `bytes`, keys masked, under the round's number. Whole or not at all.
    pub fn keep(&self, round: u32, artifact: Artifact, bytes: &[u8]) -> Result<PathBuf> {
        self.write(round, artifact.file(), &self.secrets.bytes(bytes))
    }

    pub fn keep_judgement(&self, round: u32, check: &CheckReport) -> Result<PathBuf> {
        self.write(round, "judgement.json", &harmless::json(&self.secrets.json(json::check(check))))
    }

    fn write(&self, round: u32, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let dir = self.dir.join(round.to_string());
        let path = dir.join(name);
        let write = || {
            private_dir().recursive(true).create(&dir)?;
            // A temporary file is 0600, and in the same folder the rename is atomic.
            let mut file = tempfile::NamedTempFile::new_in(&dir)?;
            file.write_all(bytes)?;
            file.persist(&path).map_err(|error| error.error)
        };
        write().map_err(|error| cannot_write(&path, error))?;
        Ok(path)
    }
}

pub(super) fn runs_dir(state_dir: &Path) -> PathBuf {
    state_dir.join("runs")
}

fn private_dir() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

fn cannot_write(path: &Path, error: std::io::Error) -> crate::error::Error {
    Fault::new(Kind::Git, format!("cannot write the record {}: {error}", path.display()))
        .hint("records lie in the repository's git directory; look at its permissions and the free space")
        .into()
}
