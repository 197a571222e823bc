//! The rules of commits, which many jobs share.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_fleet::worker::How;
use guardhost_gate::{Door, Gate, RulesAt, Terms};
use guardhost_git::Repo;
use guardhost_policy::PolicySource;

/// Commits whose rules are kept.
const KEPT: usize = 16;
/// Jobs by one handle of a repository: it keeps the objects that it read in memory.
const JOBS: u32 = 64;

/// What a commit judges changes by.
pub struct CommitRules {
    pub gate: Gate,
    /// That of the commit.
    pub tree: Oid,
}

#[derive(Default)]
pub struct Policies(Mutex<Vec<CachedPolicy>>);

struct CachedPolicy {
    repository: String,
    commit: Oid,
    how: How,
    rules: Arc<CommitRules>,
    jobs: u32,
}

impl Policies {
    /// # Errors
    /// As of [`Gate::open`].
    pub fn at_commit(
        &self,
        folder: &Path,
        commit: Oid,
        how: How,
        source: &PolicySource<'_>,
    ) -> Result<Arc<CommitRules>> {
        let repository = folder.display().to_string();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |each: &&mut CachedPolicy| each.repository == repository && each.commit == commit && each.how == how;
        if let Some(known) = kept.iter_mut().find(is_same)
            && known.jobs < JOBS
        {
            known.jobs += 1;
            return Ok(Arc::clone(&known.rules));
        }
        drop(kept);
        let repo = Repo::open(folder)?;
        let at = RulesAt::commit(&repo, commit)?;
        // As `host check`: what is staged or committed is a person's. Whether the rules may change is for the repository's owners to say,
        // and not for whoever submits.
        let gate = Gate::open(source, &repo, at, &Terms::at(Door::Job))?;
        let rules = Arc::new(CommitRules { gate, tree: at.tree });
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|each| !(each.repository == repository && each.commit == commit && each.how == how));
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(CachedPolicy { repository, commit, how, rules: Arc::clone(&rules), jobs: 1 });
        Ok(rules)
    }
}
