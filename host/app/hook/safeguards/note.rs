//! The note of what was there before a command.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use super::state::Safeguards;
use crate::context::CommandContext;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_engine::CacheSeal;
use guardhost_git::Repo;

/// In the host's folder of the git directory.
const FILE: &str = "before-command";

/// The note of one repository.
pub(super) struct Note {
    path: PathBuf,
    seal: CacheSeal,
}

impl Note {
    /// None where the user has no key: then nothing can be compared.
    pub fn new(repo: &Repo, ctx: &CommandContext) -> Option<Self> {
        let cache = ctx.process.cache.as_deref()?;
        let about = format!("{FILE} {}", repo.common_dir().display());
        let seal = CacheSeal::open(&cache.join("verdicts"), about).ok()?;
        Some(Note { path: repo.state_path().join(FILE), seal })
    }

    /// # Errors
    /// It cannot be written.
    pub fn write(&self, repo: &Repo, before: &Safeguards) -> Result<()> {
        let cannot = || Fault::new(FaultKind::Git, format!("cannot write {}", self.path.display()));
        let text = serde_json::to_string(before).with_context(cannot)?;
        let mut file = tempfile::NamedTempFile::new_in(repo.state_dir()?).with_context(cannot)?;
        file.write_all(format!("{}\n{text}", self.seal.tag(text.as_bytes())).as_bytes()).with_context(cannot)?;
        file.persist(&self.path).map_err(|error| error.error).with_context(cannot)?;
        Ok(())
    }

    /// What was there before the last command, once. None where there is no note, or not the host's.
    pub fn take(&self) -> Option<Safeguards> {
        let text = fs::read_to_string(&self.path).ok()?;
        let _ = fs::remove_file(&self.path);
        let (tag, text) = text.split_once('\n')?;
        self.seal.is_tag(tag, text.as_bytes()).then(|| serde_json::from_str(text).ok())?
    }
}
