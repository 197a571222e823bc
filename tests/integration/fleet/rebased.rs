//! Changes that come again on another base: how often a kept verdict is taken, and that it is always what a call would have said.
//!
//! `GUARDHOST_TEST_FLEET_REPO=DIR` measures the newest 280 commits of a real repository.

use std::collections::BTreeMap;
use std::sync::Arc;

use guardhost_core::change::{Candidate, Evidence, FileMode, NullObserver, Objects, RepoPath, TreeEntry};
use guardhost_engine::Context;
use guardhost_git::{Repo, candidate, range};
use guardhost_pipeline::judge::judge;
use guardhost_pipeline::judging::{Judging, Purpose};
use guardhost_policy::PolicySource;
use guardhost_report::json;

use super::machines::{Machines, source};
use super::verdicts::Shared;

/// Verdicts of one guard, and how many of them were taken.
#[derive(Default)]
struct Hits {
    all: u32,
    taken: u32,
}

#[test]
fn no_kept_verdict_is_wrong_on_another_base() {
    let machines = Machines::new("memory:".to_owned(), 12);
    let (repo, commits) = match std::env::var_os("GUARDHOST_TEST_FLEET_REPO") {
        Some(folder) => {
            let repo = Repo::open(folder.as_ref()).unwrap();
            let commits = guardhost_git::commits(&repo, "HEAD~280..HEAD").unwrap();
            let commits = commits.into_iter().map(|(oid, _)| oid.to_string()).collect();
            (repo, commits)
        }
        None => (machines.repo.open(), machines.commits(12)),
    };
    let process = machines.process();
    let shared = Arc::new(Shared::default());
    let mut hits: BTreeMap<String, Hits> = BTreeMap::new();
    for commit in &commits {
        let first = range(&repo, commit).unwrap();
        // Merges, and commits that change nothing.
        if first.files.is_empty() || first.base.is_none() {
            continue;
        }
        let keeping = || PolicySource { fresh: false, shared: Some(shared.clone()), ..source(&process) };
        evidence(&repo, first.clone(), &keeping());
        let again = on_another_base(&repo, &first);
        let taken = evidence(&repo, again.clone(), &keeping());
        let called = evidence(&repo, again, &source(&process));
        for (taken, called) in taken.iter().zip(&called) {
            assert_eq!(exact(taken), exact(called), "{commit}");
            assert!(!called.reused);
            let hits = hits.entry(taken.id.clone()).or_default();
            // What is decided without a call is not kept.
            if taken.fuel > 0 || taken.reused {
                hits.all += 1;
                hits.taken += u32::from(taken.reused);
            }
        }
    }
    let (all, taken) = hits.values().fold((0, 0), |(all, taken), hits| (all + hits.all, taken + hits.taken));
    for (guard, hits) in hits.iter().filter(|(_, hits)| hits.all > 0) {
        println!("{guard}: {} of {}", hits.taken, hits.all);
    }
    println!("{taken} of {all} verdicts of {} changes were taken, and each was found again by a call", commits.len());
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

fn evidence(repo: &Repo, change: Candidate, source: &PolicySource<'_>) -> Vec<Evidence> {
    let policy = source.resolve(repo, change.base, change.base_tree, &[], &[]).unwrap();
    let context = Context { task: None, observer: &NullObserver };
    let judging = Judging { policy: &policy, purpose: Purpose::Report, fixes: false };
    judge(change, &judging, &context).unwrap().judgement().evidence.clone()
}

fn exact(evidence: &Evidence) -> String {
    let mut value = json::evidence(evidence);
    let object = value.as_object_mut().unwrap();
    ["micros", "cached", "reused"].iter().for_each(|name| drop(object.shift_remove(*name)));
    value.to_string()
}
