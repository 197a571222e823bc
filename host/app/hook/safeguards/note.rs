//! The note of what was there before a command.

use super::state::Safeguards;
use crate::context::CommandContext;
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_engine::SealedText;
use guardhost_git::Repo;

const WHAT: &str = "before-command";

/// The note of one repository.
pub(super) struct SafeguardNote(SealedText);

impl SafeguardNote {
    /// None where the user has no folder of their own: then nothing can be compared.
    pub fn new(repo: &Repo, ctx: &CommandContext) -> Option<Self> {
        SealedText::open(ctx.process.cache.as_deref()?, WHAT, repo.common_dir()).ok().map(SafeguardNote)
    }

    /// # Errors
    /// It cannot be written.
    pub fn write(&self, before: &Safeguards) -> Result<()> {
        let cannot = || Fault::new(FaultKind::Git, "cannot note what is there before a command");
        let text = serde_json::to_string(before).with_context(cannot)?;
        self.0.write(&text).with_context(cannot)
    }

    /// What was there before the last command, once. None where there is no note, or not the host's.
    pub fn take(&self) -> Option<Safeguards> {
        let text = self.0.read()?;
        let _ = self.0.remove();
        serde_json::from_str(&text).ok()
    }
}
