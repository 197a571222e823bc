//! Judges what is not committed.

use std::path::Path;

use crate::context::CommandContext;
use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_gate::{Case, Door, ExistingChange, Gate, Ruling, Terms};
use guardhost_git::Repo;

use super::short;

/// Why the guards reject the difference between HEAD and the work tree.
pub(super) struct UnacceptedTree {
    pub repo: Repo,
    /// The work tree that was judged.
    pub tree: Oid,
    pub reason: String,
}

/// None when they accept it, when there is none, and outside of repositories.
pub(super) fn unaccepted(cwd: &Path, ctx: &CommandContext) -> Result<Option<UnacceptedTree>> {
    if !cwd.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok()) {
        return Ok(None);
    }
    let repo = Repo::open(cwd)?;
    if repo.is_bare() {
        return Ok(None);
    }
    let proposal = ExistingChange::WorkTree.propose(&repo)?;
    let tree = proposal.candidate.tree;
    if proposal.candidate.files.is_empty() {
        return Ok(None);
    }
    let gate = Gate::for_change(&ctx.hook_policies(), &repo, &proposal, &Terms::at(Door::AgentStop))?;
    let reason = match gate.rule(Case::report(proposal.candidate, None), ctx)? {
        Ruling::Refused(refused) => format!("- {}", refused.refused),
        Ruling::Judged(judged) if !judged.is_accepted() => short::rejection(judged.candidate(), judged.judgement()),
        Ruling::Judged(_) | Ruling::Empty(_) => return Ok(None),
    };
    Ok(Some(UnacceptedTree { repo, tree, reason }))
}
