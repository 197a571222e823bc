//! The rules of base commits, which many jobs share.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_engine::exceptions::comment::CommentTrust;
use guardhost_fleet::worker::How;
use guardhost_git::Repo;
use guardhost_policy::{Policy, PolicySource};

/// Bases whose rules are kept.
const KEPT: usize = 16;
/// Jobs by one handle of a repository: it keeps the objects that it read in memory.
const JOBS: u32 = 64;

/// What judges the changes of one base.
pub struct Rules {
    pub policy: Policy,
    pub base_tree: Oid,
}

#[derive(Default)]
pub struct Policies(Mutex<Vec<Kept>>);

struct Kept {
    repository: String,
    base: Oid,
    how: How,
    rules: Arc<Rules>,
    jobs: u32,
}

impl Policies {
    /// # Errors
    /// As of [`PolicySource::resolve`].
    pub fn of(&self, folder: &Path, base: Oid, how: How, source: &PolicySource<'_>) -> Result<Arc<Rules>> {
        let repository = folder.display().to_string();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |each: &&mut Kept| each.repository == repository && each.base == base && each.how == how;
        if let Some(known) = kept.iter_mut().find(is_same)
            && known.jobs < JOBS
        {
            known.jobs += 1;
            return Ok(Arc::clone(&known.rules));
        }
        drop(kept);
        let repo = Repo::open(folder)?;
        let base_tree = repo.tree_of(base)?;
        let mut policy = source.resolve(&repo, Some(base), base_tree, &[], &[])?;
        // As `host check`: what is staged or committed is a person's.
        if policy.config.rules.policy.allow_comments.is_none() {
            policy.guards.exceptions.comments = CommentTrust::Any;
        }
        let rules = Arc::new(Rules { policy, base_tree });
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|each| !(each.repository == repository && each.base == base && each.how == how));
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(Kept { repository, base, how, rules: Arc::clone(&rules), jobs: 1 });
        Ok(rules)
    }
}
