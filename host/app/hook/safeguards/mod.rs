//! What judges an agent's changes, compared before and after each of its shell commands.
//!
//! A command line can hide what it does in more ways than a reader of it knows: names that arrive as data, programs that write programs. So
//! what it did is compared with what was there before. Hooks, and settings that say which hooks run, are put back as they were, and what came
//! into a branch past the hooks of git is judged. The note of what was there lies in the user's cache folder, under a seal.

mod arrivals;
mod note;
mod state;

use std::path::{Path, PathBuf};

use super::only_reads;
use crate::context::CommandContext;
use guardhost_core::error::Result;
use guardhost_gate::branch::Ledger;
use guardhost_git::Repo;
use guardhost_report::escape;
use note::SafeguardNote;
use state::Safeguards;

/// Before a command: what is there is noted. An agent asks no hook after a command that failed, so what the one before did is looked at
/// here too.
///
/// # Errors
/// What is there cannot be read or put back.
pub(super) fn before(command: &str, cwd: &Path, ctx: &CommandContext) -> Result<Option<String>> {
    // What only reads says nothing of another command that runs beside it.
    if only_reads(command) {
        return Ok(None);
    }
    let Some(repo) = repository(cwd)? else { return Ok(None) };
    let undone = undone(&repo, ctx)?;
    if undone.is_none()
        && let Some(note) = SafeguardNote::new(&repo, ctx)
    {
        let ledger = Ledger::open(&repo, ctx.process.cache.as_deref());
        note.write(&Safeguards::read(&repo, &ledger, home(ctx).as_deref())?)?;
    }
    Ok(undone)
}

/// After a command, and at the end of a turn: what it did to the hooks is undone, and what it brought into branches past them is judged. None
/// where there is nothing to say.
///
/// # Errors
/// What is there cannot be read or put back.
pub(super) fn after(cwd: &Path, ctx: &CommandContext) -> Result<Option<String>> {
    let Some(repo) = repository(cwd)? else { return Ok(None) };
    undone(&repo, ctx)
}

fn undone(repo: &Repo, ctx: &CommandContext) -> Result<Option<String>> {
    let Some(before) = SafeguardNote::new(repo, ctx).and_then(|note| note.take()) else { return Ok(None) };
    let ledger = Ledger::open(repo, ctx.process.cache.as_deref());
    let now = Safeguards::read(repo, &ledger, home(ctx).as_deref())?;
    let restored = before.restore(&now)?;
    let mut parts = Vec::new();
    if !restored.is_empty() {
        let names: Vec<String> = restored.iter().map(|path| escape::inline(&path.to_string_lossy(), 200)).collect();
        parts.push(format!(
            "Guardhost put back what a command changed: {}. It says what judges changes here, and only a person turns that off. If a hook \
             rejects a change, fix what it names.",
            names.join(", ")
        ));
    }
    parts.extend(arrivals::rejected(repo, &before, &now, ctx)?);
    Ok((!parts.is_empty()).then(|| parts.join("\n")))
}

/// None outside of repositories.
pub(super) fn repository(cwd: &Path) -> Result<Option<Repo>> {
    match cwd.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok()) {
        true => Repo::open(cwd).map(Some),
        false => Ok(None),
    }
}

fn home(ctx: &CommandContext) -> Option<PathBuf> {
    guardhost_os::home(&|name| ctx.process.var(name).map(Into::into))
}
