//! Judges what is not committed.

use std::path::Path;

use crate::context::CommandContext;
use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_engine::Context;
use guardhost_git::{Repo, worktree};
use guardhost_pipeline::judge::judge;
use guardhost_pipeline::judging::{Judging, Purpose};
use guardhost_policy::check_rules_untouched;

use super::short;

/// Why the guards reject the difference between HEAD and the work tree.
pub(super) struct Objection {
    pub repo: Repo,
    /// The work tree that was judged.
    pub tree: Oid,
    pub reason: String,
}

/// None when they accept it, when there is none, and outside of repositories.
pub(super) fn objection(cwd: &Path, ctx: &CommandContext) -> Result<Option<Objection>> {
    if !cwd.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok()) {
        return Ok(None);
    }
    let repo = Repo::open(cwd)?;
    if repo.is_bare() {
        return Ok(None);
    }
    let candidate = worktree(&repo)?;
    if candidate.files.is_empty() {
        return Ok(None);
    }
    let tree = candidate.tree;
    let policy = ctx.policies().resolve(&repo, candidate.base, candidate.base_tree, &[], &[])?;
    if let Err(refused) = check_rules_untouched(&candidate, &policy.rules) {
        return Ok(Some(Objection { repo, tree, reason: format!("- {refused}") }));
    }
    let judging = Judging { policy: &policy, purpose: Purpose::Report, fixes: false };
    let judged = judge(candidate, &judging, &Context { task: None, observer: ctx })?;
    if judged.is_accepted() {
        return Ok(None);
    }
    Ok(Some(Objection { repo, tree, reason: short::rejection(judged.candidate(), judged.judgement()) }))
}
