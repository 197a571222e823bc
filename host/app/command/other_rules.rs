//! Which rules judge a range, where that is not what a reader of its commits expects.

use guardhost_core::change::{Candidate, Oid, RepoPath};
use guardhost_core::error::Result;
use guardhost_policy::config::{FILE, LOCK};

/// A notice when the rules of this commit and its tree are not those of the base of the change.
pub fn other_rules(candidate: &Candidate, (commit, tree): (Option<Oid>, Oid)) -> Result<Option<String>> {
    let differs = |file: &str| -> Result<bool> {
        let entry = |tree| candidate.objects.entry(tree, &RepoPath::from(file));
        Ok(tree != candidate.base_tree && entry(tree)? != entry(candidate.base_tree)?)
    };
    if !differs(FILE)? && !differs(LOCK)? {
        return Ok(None);
    }
    let of = commit.map_or_else(String::new, |oid| format!(" {}", &oid.to_string()[..12]));
    Ok(Some(format!("judged by the rules of the commit{of}, not by those of the merge base, which are others")))
}
