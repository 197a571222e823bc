//! Whether a branch has the same rules before and after a move.

use guardhost_core::canonical::sha256;
use guardhost_core::change::{Objects, Oid, Refused, RefusedKind, RepoPath};
use guardhost_core::error::{Context as _, Error, Fault, FaultKind, Result};
use guardhost_git::{Repo, new_commits};
use guardhost_patch::sanitize::BASELINE_FILE;
use guardhost_policy::config::{Config, FILE, LOCK, VENDOR};
use guardhost_policy::files_of_rules;

use super::known::KnownCommits;
use crate::rule_changes::has_rules;

/// Stands for the rules of one commit: half of the SHA-256 of the objects of the files that hold them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesDigest(u128);

impl RulesDigest {
    /// Of no rules that a branch can have.
    pub const NONE: RulesDigest = RulesDigest(0);

    /// # Errors
    /// The tree cannot be read.
    pub fn of(repo: &Repo, commit: Option<Oid>) -> Result<Self> {
        let tree = commit.map_or_else(|| repo.empty_tree(), |commit| repo.tree_of(commit))?;
        let mut text = String::new();
        for file in rule_files(&*repo.store(), tree)? {
            if let Some((object, mode)) = repo.object_in(tree, &file)? {
                text.push_str(&format!("{mode} {object} {file}\0"));
            }
        }
        let digest = sha256(text.as_bytes());
        RulesDigest::parse(digest.trim_start_matches("sha256:").get(..32).unwrap_or_default())
    }

    /// # Errors
    /// It is no digest.
    pub fn parse(text: &str) -> Result<Self> {
        let digest = u128::from_str_radix(text, 16);
        Ok(RulesDigest(digest.context(Fault::new(FaultKind::Git, "no digest of rules"))?))
    }
}

impl std::fmt::Display for RulesDigest {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:032x}", self.0)
    }
}

pub struct TipRules<'a> {
    pub repo: &'a Repo,
    pub known: &'a KnownCommits,
}

/// Rules that would be others.
pub struct TipChange {
    pub refused: Refused,
    /// The old tip has none, so nothing is relaxed.
    pub brings_the_first: bool,
    /// The new tip takes over what its upstream has, or what was allowed on another branch.
    pub is_from_upstream: bool,
}

impl TipRules<'_> {
    /// # Errors
    /// The trees cannot be read.
    pub fn change(&self, branch: &str, old: Oid, new: Oid) -> Result<Option<TipChange>> {
        let (old_tree, new_tree) = (self.repo.tree_of(old)?, self.repo.tree_of(new)?);
        if old_tree == new_tree {
            return Ok(None);
        }
        let store = self.repo.store();
        let files = rule_files(&*store, old_tree)?;
        let Some(path) = first_difference(self.repo, &files, old_tree, new_tree)? else { return Ok(None) };
        let mut is_from_upstream = false;
        let new_files = rule_files(&*store, new_tree)?;
        let same_as = |tip: Oid| -> Result<bool> {
            Ok(self.repo.contains(new, tip)?
                && first_difference(self.repo, &new_files, self.repo.tree_of(tip)?, new_tree)?.is_none())
        };
        for tip in self.known.upstreams(branch, self.repo.upstream_of(branch).as_deref()) {
            // Which ref is the upstream, whoever works here can set: what this branch changed since they parted, none takes back.
            is_from_upstream |= (tip == new || !self.repo.contains(old, tip)?)
                && same_as(tip)?
                && self.is_unchanged_since_parting(old, tip)?
                && self.came_since(old, tip)?;
        }
        for tip in self.known.with_allowed_rules() {
            // What git has removed since cannot be in the new tip.
            let is_there = self.repo.tree_of(tip).is_ok();
            is_from_upstream |= is_there && !self.repo.contains(old, tip)? && same_as(tip)?;
        }
        let message = "it holds the rules of this branch, and the branch would have others afterwards".to_owned();
        Ok(Some(TipChange {
            brings_the_first: !has_rules(&*store, old_tree)?,
            refused: Refused { kind: RefusedKind::Protected, path: Some(path), message },
            is_from_upstream,
        }))
    }
}

impl TipRules<'_> {
    /// Whether a branch would lack at `new` what the rules of the one of its name were at `stood`: all of them, or what they became since the
    /// two parted. Rules of its upstream, and rules that were allowed on another branch, it may have.
    ///
    /// # Errors
    /// The trees cannot be read.
    pub fn dropped(&self, branch: &str, stood: Oid, new: Oid) -> Result<Option<Refused>> {
        // What git has removed since says nothing any more.
        let Ok(old_tree) = self.repo.tree_of(stood) else { return Ok(None) };
        let store = self.repo.store();
        if !has_rules(&*store, old_tree)? {
            return Ok(None);
        }
        let refused = |path: RepoPath, what: &str| {
            let message = format!(
                "it held the rules of a branch of this name, which was deleted or renamed, and the new one {what}"
            );
            Ok(Some(Refused { kind: RefusedKind::Protected, path: Some(path), message }))
        };
        if !has_rules(&*store, self.repo.tree_of(new)?)? {
            return refused(RepoPath::from(FILE), "has none");
        }
        let Some(change) = self.change(branch, stood, new)?.filter(|change| !change.is_from_upstream) else {
            return Ok(None);
        };
        if self.is_unchanged_since_parting(stood, new)? {
            return Ok(None);
        }
        refused(change.refused.path.unwrap_or_else(|| RepoPath::from(FILE)), "has older ones")
    }

    /// Whether what `tip` has beyond `old` brought the rules of `tip`: a branch that has kept older ones, and once merged `old`, did not.
    fn came_since(&self, old: Oid, tip: Oid) -> Result<bool> {
        let rules = RulesDigest::of(self.repo, Some(tip))?;
        let has_them = |commit: Oid| Ok::<_, Error>(RulesDigest::of(self.repo, Some(commit))? == rules);
        for commit in new_commits(self.repo, tip, &[old])? {
            let mut brings = has_them(commit)?;
            for parent in self.repo.parents_and_message(commit)?.0 {
                // Of a shallow clone, what is not here says nothing.
                brings &= self.repo.tree_of(parent).is_err() || !has_them(parent)?;
            }
            if brings {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the rules at `tip` are still those of where it parted from `other`.
    fn is_unchanged_since_parting(&self, tip: Oid, other: Oid) -> Result<bool> {
        let Some(parted) = self.repo.merge_base(tip, other)? else { return Ok(false) };
        let tree = self.repo.tree_of(tip)?;
        let files = rule_files(&*self.repo.store(), tree)?;
        Ok(first_difference(self.repo, &files, self.repo.tree_of(parted)?, tree)?.is_none())
    }
}

/// The files at the root that hold rules, and the components that they name.
fn rule_files(objects: &dyn Objects, tree: Oid) -> Result<Vec<RepoPath>> {
    let mut files: Vec<RepoPath> = [FILE, LOCK, VENDOR, BASELINE_FILE].into_iter().map(RepoPath::from).collect();
    // Rules that cannot be read name nothing; that they are changed is seen all the same.
    if let Ok(config) = Config::from_tree(objects, tree, "the tip", Vec::new()) {
        files.extend(files_of_rules(&config.rules));
    }
    Ok(files)
}

/// The first of these, files or folders, that is not the same in both trees.
fn first_difference(repo: &Repo, files: &[RepoPath], one: Oid, other: Oid) -> Result<Option<RepoPath>> {
    for file in files {
        if repo.object_in(one, file)? != repo.object_in(other, file)? {
            return Ok(Some(file.clone()));
        }
    }
    Ok(None)
}
