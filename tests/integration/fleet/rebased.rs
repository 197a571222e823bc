//! Changes that come again on another base: how often a kept verdict is taken, and that it is always what a call would have said.
//!
//! `GUARDHOST_TEST_FLEET_REPO=DIR` measures the newest 300 commits of a real repository, each rebased to where its branch was ten commits
//! before. The trees of that are written to the repository: name a copy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guardhost_core::change::{Candidate, Evidence, FileMode, NullObserver, Objects, RepoPath, TreeEntry};
use guardhost_gate::{Case, Door, Gate, Proposal, Terms};
use guardhost_git::{Repo, candidate, range};
use guardhost_policy::PolicySource;

use super::machines::{Machines, source};
use super::verdicts::Shared;

/// Verdicts of one guard, and how many of them were taken.
#[derive(Default)]
struct Hits {
    all: u32,
    /// Those on the same touched files, with the same contents on both sides: no other verdict can be taken.
    possible: u32,
    taken: u32,
}

#[test]
fn no_kept_verdict_is_wrong_on_another_base() {
    let machines = Machines::new("memory:".to_owned(), 12);
    let folder = std::env::var_os("GUARDHOST_TEST_FLEET_REPO").map(PathBuf::from);
    let (repo, commits) = match &folder {
        Some(folder) => {
            let repo = Repo::open(folder).unwrap();
            let commits = guardhost_git::commits(&repo, "HEAD~300..HEAD").unwrap();
            let commits = commits.into_iter().map(|(oid, _)| oid.to_string()).collect();
            (repo, commits)
        }
        None => (machines.repo.open(), machines.commits(12)),
    };
    let process = machines.process();
    let shared = Arc::new(Shared::default());
    let mut hits: BTreeMap<String, Hits> = BTreeMap::new();
    let (mut conflicts, mut judged) = (0, 0);
    for commit in &commits {
        let first = range(&repo, commit).unwrap();
        // Merges, and commits that change nothing.
        if first.files.is_empty() || first.base.is_none() {
            continue;
        }
        let keeping = || PolicySource { fresh: false, shared: Some(shared.clone()), ..source(&process) };
        evidence(&repo, first.clone(), &keeping());
        let again = match folder.as_deref() {
            Some(folder) => rebased(folder, &repo, &first),
            None => Some(on_another_base(&repo, &first)),
        };
        let Some(again) = again else {
            conflicts += 1;
            continue;
        };
        judged += 1;
        let touched = |change: &Candidate| -> Vec<_> {
            change.files.iter().map(|file| format!("{:?} {:?} {:?}", file.path, file.before, file.after)).collect()
        };
        let is_same = touched(&first) == touched(&again);
        let taken = evidence(&repo, again.clone(), &keeping());
        let called = evidence(&repo, again, &source(&process));
        for (taken, called) in taken.iter().zip(&called) {
            assert_eq!(exact(taken), exact(called), "{commit}");
            assert!(!called.reused);
            let hits = hits.entry(taken.id.clone()).or_default();
            // What is decided without a call is not kept.
            if taken.fuel > 0 || taken.reused {
                hits.all += 1;
                hits.possible += u32::from(is_same);
                assert!(is_same || !taken.reused, "{commit}: other files were touched");
                hits.taken += u32::from(taken.reused);
            }
        }
    }
    let sum = |of: &dyn Fn(&Hits) -> u32| hits.values().map(of).sum::<u32>();
    let (all, possible, taken) = (sum(&|hits| hits.all), sum(&|hits| hits.possible), sum(&|hits| hits.taken));
    for (guard, hits) in hits.iter().filter(|(_, hits)| hits.all > 0) {
        println!("{guard}: {} of {}, {} of them on the same files", hits.taken, hits.all, hits.possible);
    }
    println!(
        "{taken} of {all} verdicts of {judged} changes were taken, and each was found again by a call; {possible} were on the same files"
    );
    println!("of {} commits, {conflicts} could not be rebased", commits.len());
    assert!(taken > 0 && all > taken / 2, "{taken} of {all}");
}

/// Another file was added to both sides, as when the branch is rebased.
fn on_another_base(repo: &Repo, change: &Candidate) -> Candidate {
    let store = repo.store();
    let oid = store.put_blob(b"something that the change does not touch\n").unwrap();
    let edit = [(RepoPath::from("unrelated/added-by-another.txt"), Some(TreeEntry { oid, mode: FileMode::File }))];
    let (old, new) = (store.edit_tree(change.base_tree, &edit).unwrap(), store.edit_tree(change.tree, &edit).unwrap());
    let again = candidate(repo, change.base, old, new).unwrap();
    Candidate { commits: change.commits.clone(), message: change.message.clone(), ..again }
}

/// The change as it is after `git rebase` to ten commits before its base. None where that makes conflicts, or changes nothing.
fn rebased(folder: &Path, repo: &Repo, change: &Candidate) -> Option<Candidate> {
    let git = git2::Repository::open(folder).unwrap();
    let base = change.base?;
    let other = git.revparse_single(&format!("{base}~10")).ok()?.peel_to_commit().ok()?;
    let tree = |oid| git.find_tree(oid).unwrap();
    let merged = git.merge_trees(&tree(change.base_tree), &other.tree().unwrap(), &tree(change.tree), None);
    let mut index = merged.ok().filter(|index| !index.has_conflicts())?;
    let tree = index.write_tree_to(&git).unwrap();
    let again = candidate(repo, Some(other.id()), other.tree_id(), tree).unwrap();
    let again = Candidate { commits: change.commits.clone(), message: change.message.clone(), ..again };
    (!again.files.is_empty()).then_some(again)
}

fn evidence(repo: &Repo, change: Candidate, source: &PolicySource<'_>) -> Vec<Evidence> {
    let proposal = Proposal::on_base(change);
    let gate = Gate::for_change(source, repo, &proposal, &Terms::at(Door::Library)).unwrap();
    let ruling = gate.rule(Case::report(proposal.candidate, None), &NullObserver).unwrap();
    ruling.judged().unwrap().judgement().evidence.clone()
}

fn exact(evidence: &Evidence) -> String {
    let mut value = serde_json::to_value(evidence).unwrap();
    let object = value.as_object_mut().unwrap();
    ["micros", "cached", "reused"].iter().for_each(|name| drop(object.shift_remove(*name)));
    value.to_string()
}
