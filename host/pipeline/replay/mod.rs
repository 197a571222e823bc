//! Judges recorded changes again: the same trees, rules, guards and answers must give the same bytes.
//!
//! - `artifacts`: whether the record is as it was written.
//! - `recorded`: the changes of a run, with the rules, guards and answers of then.
//! - `rebuild`: the change, from git or from the recorded diff.
//! - `compare`: one judgement beside the other.
//! - `reviewed`: what critics said of a change in a review.
//! - `commit`: a commit by itself, whose run is not recorded here.
//!
//! Nothing is asked but the record, no verdict of an earlier run is reused, and nothing is written.

mod artifacts;
mod commit;
mod compare;
mod rebuild;
mod recorded;
mod reviewed;

pub use artifacts::{LARGEST, files};
pub use commit::{Trailers, replay_commit, signature, statement_of};

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};

use guardhost_core::change::Oid;
use guardhost_core::component::Component;
use guardhost_core::error::Result;
use guardhost_core::stop::Stopped;
use guardhost_git::Repo;
use guardhost_policy::PolicySource;
use guardhost_report::journal::{Actor, History, StoredEvidence};
use guardhost_report::{ProblemKind, RecordProblem, RunReplay};

use self::recorded::RecordedRun;
use crate::receipt::AllowedSigners;

/// What recorded runs are judged again with.
pub struct Replaying<'a> {
    pub repo: &'a Repo,
    /// Must call every guard ([`PolicySource::fresh`]).
    pub policies: PolicySource<'a>,
    /// Components that came with the record, by their digests.
    pub components: BTreeMap<String, Component>,
    /// Objects that are not damaged.
    pub checked: Mutex<HashSet<Oid>>,
    /// Whose signatures of receipts count. None: nobody's is demanded.
    pub signers: Option<AllowedSigners>,
}

impl Replaying<'_> {
    /// What of a tree is damaged. What is, must not be read: libgit2 may never come back.
    fn damaged(&self, tree: Oid) -> Option<RecordProblem> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let (what, message) = match self.repo.store().damaged(tree, &mut checked) {
            Ok(None) => return None,
            Ok(Some((object, why))) => (object.to_string(), why),
            Err(error) => (tree.to_string(), format!("{error:#}")),
        };
        Some(RecordProblem { kind: ProblemKind::ObjectDamaged, what, message })
    }
}

/// Judges every change of the run again. What differs is in the report, and so is why a run cannot be judged here.
///
/// # Errors
/// The records cannot be read; the work was stopped.
pub fn replay_run(history: &History, replaying: &Replaying) -> Result<RunReplay> {
    let mut replay = RunReplay { run: history.run.clone(), host_now: Actor::host().id, ..RunReplay::default() };
    replay.problems = artifacts::problems(history)?;
    let Some((object, run)) = history.run() else {
        if replay.problems.is_empty() {
            let message = "the records do not say what the run was".to_owned();
            replay.problems.push(RecordProblem {
                kind: ProblemKind::RecordsUnreadable,
                what: "records.jsonl".to_owned(),
                message,
            });
        }
        return Ok(replay);
    };
    replay.command.clone_from(&run.command);
    replay.host_then = host_of(history).unwrap_or_else(|| object.created_by.id.clone());
    let recorded = RecordedRun { history, run };
    let changes = recorded.changes();
    let review = reviewed::from_history(history, &mut replay);
    if changes.is_empty() && review.is_none() {
        return Ok(replay);
    }
    let mut judge = || -> Result<()> {
        if !changes.is_empty() {
            recorded.judge(&changes, &mut replay, replaying)?;
        }
        match review.as_ref().map(|review| recorded.judge_review(review, replaying)).transpose()? {
            Some(Ok(change)) => replay.changes.push(change),
            Some(Err(problem)) => replay.problems.push(problem),
            None => {}
        }
        Ok(())
    };
    match judge() {
        Err(error) if error.downcast_ref::<Stopped>().is_some() => return Err(error),
        Err(error) => {
            let (what, message) = (history.run.clone(), format!("{error:#}"));
            replay.problems.push(RecordProblem { kind: ProblemKind::NotJudged, what, message });
        }
        Ok(()) => {}
    }
    Ok(replay)
}

/// The components that judged and that the host does not embed, as far as they are what is recorded.
///
/// # Errors
/// The rules of then cannot be read.
pub fn components(history: &History, replaying: &Replaying) -> Result<Vec<Component>> {
    let Some((_, run)) = history.run() else { return Ok(Vec::new()) };
    let recorded = RecordedRun { history, run };
    let changes = recorded.changes();
    let review = reviewed::from_history(history, &mut RunReplay::default());
    let asked = review.iter().flat_map(|review| &review.evidence);
    let evidence: Vec<&StoredEvidence> = changes.iter().flat_map(|change| change.evidence()).chain(asked).collect();
    if evidence.is_empty() {
        return Ok(Vec::new());
    }
    let policy = recorded.policy_of(evidence.into_iter(), replaying)?.policy;
    let mut found = Vec::new();
    for id in policy.guards.ids() {
        if let Some(component) = policy.guards.component(&id).transpose()? {
            found.push(component);
        }
    }
    Ok(found)
}

/// The host that wrote the first verdict.
fn host_of(history: &History) -> Option<String> {
    let evidence = history.patch_sets().flat_map(|(object, _)| history.evidence(&object.object_id)).next()?;
    Some(evidence.0.created_by.id.clone())
}
