//! The job of a pull request: what its base branch would become.

use std::path::Path;

use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_core::process_env::ProcessEnv;
use guardhost_engine::EmbeddedGuards;
use guardhost_fleet::job::Change;
use guardhost_git::{MergedInMemory, Repo, range};
use guardhost_policy::PolicySource;

use crate::judging::{Submission, job_of};

/// What judges, of this process: see [`PolicySource`].
#[derive(Clone)]
pub struct PullRules {
    pub process: ProcessEnv,
    pub embedded: &'static EmbeddedGuards,
    pub offline: bool,
}

/// What of a pull request is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullSubject {
    /// The base branch with the pull request merged into it, by the rules of the base branch.
    Merge,
    /// The commits of the pull request alone, by the rules of the commit that they were made from: they cannot be merged. What the guards
    /// say then is no word for the branch, whose rules may be others by now.
    BranchAlone { conflicts: Vec<String> },
}

/// A change, and the repository's id.
pub struct WebhookChange {
    pub change: Change,
    pub judged: PullSubject,
    /// At most as many as an observation names.
    pub touched: Vec<String>,
}

/// Paths that an observation names.
const TOUCHED: usize = 200;

/// None for a pull request that changes nothing. `base` is the commit of the base branch.
///
/// # Errors
/// A commit is missing or cannot be read; the rules are wrong; the two have no common ancestor.
pub fn change_of(folder: &Path, base: &str, head: &str, rules: &PullRules) -> Result<Option<WebhookChange>> {
    let repo = Repo::open(folder)?;
    let (base, head) = (Oid::from_str(base)?, Oid::from_str(head)?);
    let (spec, tip, judged, is_made_merge) = match repo.merge_to_disk(base, head)? {
        // A head that is ahead of its base is the merge: the same job as `host submit --range base..head`.
        MergedInMemory::Clean { .. } if repo.contains(head, base)? => {
            (format!("{base}..{head}"), head, PullSubject::Merge, false)
        }
        MergedInMemory::Clean { commit, .. } => (format!("{base}..{commit}"), commit, PullSubject::Merge, true),
        MergedInMemory::Conflicts(conflicts) => {
            (format!("{base}...{head}"), head, PullSubject::BranchAlone { conflicts }, false)
        }
    };
    let candidate = range(&repo, &spec)?;
    if candidate.files.is_empty() {
        return Ok(None);
    }
    let policies = PolicySource {
        process: &rules.process,
        embedded: rules.embedded,
        config: None,
        offline: rules.offline,
        demands_lock: false,
        fresh: true,
        shared: None,
        remember: None,
    };
    // Also where the branch is judged alone, and begins somewhere in the past.
    let by = Some(base);
    let Submission { change, .. } = job_of(&repo, &candidate, Some(tip), by, None, &policies, rules.embedded)?;
    let change = Change { is_made_merge, ..change };
    let touched = candidate.files.iter().take(TOUCHED).map(|file| file.path.to_string()).collect();
    Ok(Some(WebhookChange { change, judged, touched }))
}
