//! Whether a change alters the rules that judge it, and whether it may.

use guardhost_core::change::{Candidate, FileChange, Finding, Objects, Oid, Refused, RepoPath};
use guardhost_core::error::Result;
use guardhost_patch::sanitize::{Rules, check_rule_files};
use guardhost_policy::check_candidate_lock;
use guardhost_policy::config::{FILE, LOCK, VENDOR};

use crate::case::{ChangeAuthor, RuleChanges, Terms};

/// What a change does to the rules.
pub enum RuleChange {
    /// It leaves them alone.
    None,
    /// It may change them. What does not fit together afterwards is evidence against it.
    Allowed { misfits: Vec<Finding> },
    /// It may not.
    Refused { refused: Refused, misfits: Vec<Finding> },
}

/// A base without `guards.toml` has no rules that a change could relax, so a person may bring the first ones without saying more.
///
/// # Errors
/// The objects of the repository cannot be read.
pub fn rule_change(candidate: &Candidate, rules: &Rules, base: Oid, terms: &Terms<'_>) -> Result<RuleChange> {
    let touched = candidate.files.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten();
    let Err(refused) = check_rule_files(&touched.cloned().collect::<Vec<_>>(), rules) else {
        return Ok(RuleChange::None);
    };
    let misfits = check_candidate_lock(candidate)?;
    let adds_only = || {
        let touches_rules = |path: &RepoPath| check_rule_files(std::slice::from_ref(path), rules).is_err();
        let is_new = |file: &FileChange| file.before.is_none() && !file.old_path.as_ref().is_some_and(touches_rules);
        candidate.files.iter().filter(|file| touches_rules(&file.path)).all(is_new)
    };
    let brings_the_first = || -> Result<bool> {
        Ok(terms.author == ChangeAuthor::Person && adds_only() && !has_rules(&*candidate.objects, base)?)
    };
    Ok(match terms.rule_changes {
        RuleChanges::Allowed => RuleChange::Allowed { misfits },
        RuleChanges::Kept if brings_the_first()? => RuleChange::Allowed { misfits },
        RuleChanges::Kept => RuleChange::Refused { refused, misfits },
    })
}

/// Whether a tree has rules of its own.
///
/// # Errors
/// The tree cannot be read.
pub fn has_rules(objects: &dyn Objects, tree: Oid) -> Result<bool> {
    Ok(objects.entry(tree, &RepoPath::from(FILE))?.is_some()
        || objects.entry(tree, &RepoPath::from(LOCK))?.is_some()
        || objects.is_dir(tree, &RepoPath::from(VENDOR))?)
}
