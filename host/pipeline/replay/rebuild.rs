//! A recorded change as a candidate again: between the same trees, with the same pairs of files.

use std::collections::BTreeSet;
use std::sync::Arc;

use guardhost_core::change::{
    Blob, Candidate, ChangeType, FileChange, FileMode, Objects, Oid, Reply, RepoPath, Touched, Tree, TreeEntry,
};
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;
use guardhost_git::{ObjectState, Repo, Store, candidate};
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::{ProposalStop, propose};
use guardhost_patch::sanitize::Rules;
use guardhost_report::journal::{History, PatchSet};
use guardhost_report::{ProblemKind, Rebuilt, RecordProblem};

use super::Replaying;
use super::artifacts::unchanged;

/// A change, or why it cannot be had.
pub struct RebuiltChange {
    pub candidate: Option<(Candidate, Rebuilt)>,
    pub problems: Vec<RecordProblem>,
}

struct Rebuilding<'a> {
    repo: &'a Repo,
    replaying: &'a Replaying<'a>,
    store: Arc<Store>,
    patch_set: &'a PatchSet,
    base: Option<Oid>,
    problems: Vec<RecordProblem>,
}

/// The candidate of a PatchSet that was placed: from the tree if git has it, otherwise from the recorded diff. It touches the files that the
/// record names.
///
/// # Errors
/// The work was stopped.
pub fn rebuild(
    history: &History,
    patch_set: &PatchSet,
    base: Option<Oid>,
    replaying: &Replaying,
    rules: &Rules,
    stop: &StopToken,
) -> Result<RebuiltChange> {
    let repo = replaying.repo;
    let mut rebuilding = Rebuilding { repo, replaying, store: repo.store(), patch_set, base, problems: Vec::new() };
    let candidate = rebuilding.candidate(history, rules, stop)?;
    Ok(RebuiltChange { candidate, problems: rebuilding.problems })
}

impl Rebuilding<'_> {
    fn problem(&mut self, kind: ProblemKind, what: impl ToString, message: impl ToString) {
        self.problems.push(RecordProblem { kind, what: what.to_string(), message: message.to_string() });
    }

    fn candidate(
        &mut self,
        history: &History,
        rules: &Rules,
        stop: &StopToken,
    ) -> Result<Option<(Candidate, Rebuilt)>> {
        let Some((base_tree, tree)) = self.trees() else { return Ok(None) };
        let known = [base_tree, tree].into_iter().filter(|tree| self.store.state(*tree) == ObjectState::Kept);
        if let Some(problem) = known.filter_map(|tree| self.replaying.damaged(tree)).next() {
            self.problems.push(problem);
            return Ok(None);
        }
        let from = match self.has(tree) {
            true => Rebuilt::FromGit,
            false => match self.place(history, base_tree, rules, stop)? {
                Ok(made) if made == tree => Rebuilt::FromDiff,
                Ok(made) => {
                    let message = format!("the recorded diff makes the tree {made}, and not {tree}");
                    self.problem(ProblemKind::TreeDiffers, tree, message);
                    return Ok(None);
                }
                Err(why) => {
                    self.problem(ProblemKind::TreeMissing, tree, format!("git does not have it, and {why}"));
                    return Ok(None);
                }
            },
        };
        match self.between(base_tree, tree) {
            Ok(candidate) => Ok(candidate.map(|candidate| (candidate, from))),
            Err(error) => {
                self.problem(ProblemKind::ObjectDamaged, tree, format!("{error:#}"));
                Ok(None)
            }
        }
    }

    /// The recorded trees, the first of which git must have.
    fn trees(&mut self) -> Option<(Oid, Oid)> {
        let PatchSet { base_tree, tree, .. } = self.patch_set;
        let tree = tree.as_deref().and_then(|tree| Oid::from_str(tree).ok());
        let base_tree = match base_tree {
            Some(base_tree) => Oid::from_str(base_tree).ok(),
            None => self.base.map_or_else(|| self.repo.empty_tree(), |base| self.repo.tree_of(base)).ok(),
        };
        let (Some(base_tree), Some(tree)) = (base_tree, tree) else {
            self.problem(ProblemKind::TreeMissing, "records.jsonl", "the record names no trees");
            return None;
        };
        let is_empty = self.repo.empty_tree().is_ok_and(|empty| empty == base_tree);
        if !is_empty && !self.has(base_tree) {
            let message =
                "the tree that the change was made for is not in this repository; git stores no earlier index";
            self.problem(ProblemKind::TreeMissing, base_tree, message);
            return None;
        }
        Some((base_tree, tree))
    }

    fn has(&mut self, tree: Oid) -> bool {
        match self.store.state(tree) {
            ObjectState::Kept => true,
            ObjectState::Missing => false,
            ObjectState::Damaged(why) => {
                self.problem(ProblemKind::ObjectDamaged, tree, why);
                false
            }
        }
    }

    /// The tree that the recorded diff makes of the base; Err says why it makes none.
    fn place(&self, history: &History, base_tree: Oid, rules: &Rules, stop: &StopToken) -> Result<Result<Oid, String>> {
        let Some(artifact) = &self.patch_set.artifact else { return Ok(Err("no diff is recorded".to_owned())) };
        let bytes = match unchanged(history, artifact) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(format!("{error:#}"))),
        };
        let base = ApplyBase::new(self.base, Tree { objects: self.store.clone(), oid: base_tree });
        // The patch was held to these rules when it was proposed; which file it was about is no rule of the repository.
        let rules = Rules { only: Vec::new(), ..rules.clone() };
        let placed = propose(&Reply { bytes, ..Reply::default() }, &[], &base, &rules, &mut (), stop);
        match placed {
            Ok(candidate) => Ok(Ok(candidate.tree)),
            Err(ProposalStop::Failure(failure)) => Ok(Err(format!(
                "the recorded diff cannot be placed: {}",
                guardhost_report::RefusalReport::from(&*failure).message
            ))),
            Err(ProposalStop::Error(error)) => Ok(Err(format!("the recorded diff cannot be placed: {error:#}"))),
            Err(ProposalStop::Ended(stopped)) => Err(stopped.into_error("placing the recorded diff")),
        }
    }

    fn between(&mut self, base_tree: Oid, tree: Oid) -> Result<Option<Candidate>> {
        let plain = candidate(self.repo, self.base, base_tree, tree)?;
        let recorded = &self.patch_set.touched;
        let files = recorded.iter().map(|touched| self.file(touched, base_tree, tree)).collect::<Result<Vec<_>>>()?;
        let found = Candidate { files, message: self.patch_set.message.clone(), ..plain.clone() };
        let (then, now) = (
            paths(recorded.iter().map(|touched| (&touched.path, &touched.old_path, touched.change_type))),
            paths(plain.files.iter().map(|file| (&file.path, &file.old_path, file.change_type))),
        );
        if then != now {
            let names =
                |paths: BTreeSet<&RepoPath>| paths.into_iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("recorded are {}; the trees differ in {}", names(then), names(now));
            self.problem(ProblemKind::TouchedDiffer, tree, message);
            return Ok(None);
        }
        self.check_blobs(&found);
        let now = found.touched()?;
        if now != *recorded {
            let message = "the lines, or kinds, of the changes are not those that are recorded";
            self.problem(ProblemKind::TouchedDiffer, tree, message);
        }
        Ok(Some(found))
    }

    fn file(&self, touched: &Touched, base_tree: Oid, tree: Oid) -> Result<FileChange> {
        let Touched { path, old_path, change_type, .. } = touched;
        let before = match change_type {
            ChangeType::Add => None,
            ChangeType::Modify | ChangeType::Delete | ChangeType::Rename | ChangeType::Copy => {
                self.store.entry(base_tree, old_path.as_ref().unwrap_or(path))?
            }
        };
        let after = self.store.entry(tree, path)?;
        Ok(FileChange {
            path: path.clone(),
            old_path: old_path.clone(),
            change_type: *change_type,
            before: self.blob(before)?,
            after: self.blob(after)?,
        })
    }

    fn blob(&self, entry: Option<TreeEntry>) -> Result<Option<Blob>> {
        let Some(TreeEntry { oid, mode }) = entry else { return Ok(None) };
        let size = if mode == FileMode::Submodule { 0 } else { self.store.blob_size(oid)? };
        Ok(Some(Blob { oid, mode, size }))
    }

    /// Reads what the change touches. What a guard reads beyond it fails there, by name.
    fn check_blobs(&mut self, candidate: &Candidate) {
        let sides = candidate.files.iter().flat_map(|file| [file.before, file.after]).flatten();
        let blobs: BTreeSet<Oid> = sides.filter(|blob| blob.mode != FileMode::Submodule).map(|blob| blob.oid).collect();
        for blob in blobs {
            match self.store.state(blob) {
                ObjectState::Kept => {}
                ObjectState::Missing => self.problem(ProblemKind::ObjectDamaged, blob, "git does not have it"),
                ObjectState::Damaged(why) => self.problem(ProblemKind::ObjectDamaged, blob, why),
            }
        }
    }
}

/// Every path that differs between the trees.
fn paths<'p>(files: impl Iterator<Item = (&'p RepoPath, &'p Option<RepoPath>, ChangeType)>) -> BTreeSet<&'p RepoPath> {
    files
        .flat_map(|(path, old_path, change_type)| {
            [Some(path), old_path.as_ref().filter(|_| change_type == ChangeType::Rename)]
        })
        .flatten()
        .collect()
}
