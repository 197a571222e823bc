//! The changes of one run, each with the rules, guards and answers that it was judged with.

use std::collections::BTreeMap;

use guardhost_core::change::{NullObserver, Oid, RecordedAnswers, Task};
use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_engine::JudgeContext;
use guardhost_git::{ObjectState, Repo};
use guardhost_policy::{RecordedGuards, RecordedPolicy};
use guardhost_report::journal::{
    ANSWERS, FIXED_ANSWERS, FIXED_JUDGEMENT, History, JUDGEMENT, Object, PatchSet, Run, StoredEvidence,
};
use guardhost_report::{ChangeReplay, GuardReplay, ProblemKind, ReceiptReplay, RecordProblem, RunReplay};
use serde_json::Value;

use super::compare::GUARD;
use super::{Replaying, artifacts, compare, rebuild};
use guardhost_gate::{judge_again, receipt, rules_digest};

/// A run whose records say what was judged.
pub struct RecordedRun<'a> {
    pub history: &'a History,
    pub run: &'a Run,
}

/// One PatchSet, with what guards said of it.
pub struct RecordedChange<'a> {
    id: &'a str,
    patch_set: &'a PatchSet,
    evidence: Vec<&'a StoredEvidence>,
    receipt: Option<&'a str>,
}

impl<'a> RecordedChange<'a> {
    pub fn evidence(&self) -> impl Iterator<Item = &'a StoredEvidence> + use<'a, '_> {
        self.evidence.iter().copied()
    }
}

impl<'a> RecordedRun<'a> {
    /// Judges them again, into the report.
    ///
    /// # Errors
    /// The run cannot be judged here.
    pub fn judge(&self, changes: &[RecordedChange], replay: &mut RunReplay, replaying: &Replaying) -> Result<()> {
        if let Some(problem) = self.damaged_rules(replaying)? {
            replay.problems.push(problem);
            return Ok(());
        }
        let mut policy = self.policy(changes, replaying)?;
        let now = rules_digest(&policy.policy);
        if let Some(then) = self.run.rules.as_ref().filter(|then| **then != now) {
            let message =
                format!("the host's own rules were {then} and are {now}; was the run given others with --config?");
            let what = "guards.toml".to_owned();
            replay.problems.push(RecordProblem { kind: ProblemKind::RulesDiffer, what, message });
        }
        for change in changes {
            replay.changes.push(self.replay(change, &mut policy, replaying)?);
        }
        Ok(())
    }

    /// What must not be read.
    pub fn damaged_rules(&self, replaying: &Replaying) -> Result<Option<RecordProblem>> {
        Ok(self.rules_tree(replaying.repo)?.and_then(|(_, tree)| replaying.damaged(tree)))
    }

    /// The changes that guards judged.
    pub fn changes(&self) -> Vec<RecordedChange<'a>> {
        let history = self.history;
        let of = |(object, patch_set): (&'a Object, &'a PatchSet)| {
            let id = object.object_id.as_str();
            let decision = history.decision(id).map(|(_, decision)| decision);
            RecordedChange {
                id,
                patch_set,
                evidence: history.evidence(id).map(|(_, evidence)| evidence).collect(),
                receipt: decision.and_then(|decision| decision.receipt.as_deref()),
            }
        };
        history.patch_sets().map(of).filter(|change| !change.evidence.is_empty()).collect()
    }

    /// The rules by which the run was judged, with the guards that judged.
    pub fn policy(&self, changes: &[RecordedChange], replaying: &Replaying) -> Result<RecordedPolicy> {
        self.policy_of(changes.iter().flat_map(|change| change.evidence.iter().copied()), replaying)
    }

    /// The rules, with the guards that said this.
    pub fn policy_of<'e>(
        &self,
        evidence: impl Iterator<Item = &'e StoredEvidence>,
        replaying: &Replaying,
    ) -> Result<RecordedPolicy> {
        let repo = replaying.repo;
        let mut digests: BTreeMap<String, String> = BTreeMap::new();
        for evidence in evidence.filter(|evidence| evidence.kind == GUARD) {
            let digest = digests.entry(evidence.tool.clone()).or_default();
            if digest.is_empty() {
                digest.clone_from(&evidence.digest);
            }
        }
        let guards = RecordedGuards { digests, components: replaying.components.clone(), all: false };
        let (origin, tree) = match self.rules_tree(repo)? {
            Some((origin, tree)) => (Some(origin), tree),
            None => (None, repo.empty_tree()?),
        };
        replaying.policies.resolve_recorded(repo, origin, tree, &guards)
    }

    /// The tree of the rules, after the object that messages name. None: that of a repository without commits.
    fn rules_tree(&self, repo: &Repo) -> Result<Option<(Oid, Oid)>> {
        if let Some(tree) = &self.run.origin.rules_tree {
            let tree = object_id(tree)?;
            return Ok(Some((tree, tree)));
        }
        let Some(base) = self.base(repo)? else { return Ok(None) };
        Ok(Some((base, repo.tree_of(base)?)))
    }

    pub fn base(&self, repo: &Repo) -> Result<Option<Oid>> {
        let Some(commit) = &self.run.commit else { return Ok(None) };
        let gone = |error: Error| {
            let what = format!(
                "the commit {commit}, for which the run {} was made, is not in this repository",
                self.history.run
            );
            error.context(Fault::new(FaultKind::Git, what).hint("fetch it, or replay where the run was made"))
        };
        let oid = object_id(commit)?;
        if let ObjectState::Damaged(why) = repo.store().state(oid) {
            return Err(Fault::new(FaultKind::Git, why).hint("fetch it again, or replay elsewhere").into());
        }
        repo.tree_of(oid).map_err(gone)?;
        Ok(Some(oid))
    }

    fn replay(
        &self,
        change: &RecordedChange,
        recorded: &mut RecordedPolicy,
        replaying: &Replaying,
    ) -> Result<ChangeReplay> {
        let RecordedChange { id, patch_set, .. } = change;
        let fixed = patch_set.mends.is_some();
        let mut replay = ChangeReplay {
            patchset: (*id).to_owned(),
            round: patch_set.round,
            fixed,
            tree: patch_set.tree.clone().unwrap_or_default(),
            ..ChangeReplay::default()
        };
        let base = self.base(replaying.repo)?;
        let rules = &recorded.policy.rules;
        let stop = recorded.policy.guards.stop().clone();
        let rebuilt = rebuild::rebuild(self.history, patch_set, base, replaying, rules, &stop)?;
        replay.problems = rebuilt.problems;
        let Some((candidate, from)) = rebuilt.candidate else { return Ok(replay) };
        replay.rebuilt = Some(from);
        let judgement = self.artifact_json(&change.evidence, if fixed { FIXED_JUDGEMENT } else { JUDGEMENT });
        let answers = answers_of(self.artifact_json(&change.evidence, if fixed { FIXED_ANSWERS } else { ANSWERS }));
        let given = counted(&answers);
        recorded.policy.guards.answer_from(answers);
        let task = self.task();
        let now =
            judge_again(&candidate, &recorded.policy, &JudgeContext { task: Some(&task), observer: &NullObserver });
        stop.check().map_err(|stopped| stopped.into_error("judging the change again"))?;
        let with_answers =
            |guard: GuardReplay| GuardReplay { answers: given.get(&guard.id).copied().unwrap_or(0), ..guard };
        let digest = |id: &str| recorded.policy.guards.digest(id).unwrap_or_default().to_owned();
        let guards = compare::judgements(&change.evidence, judgement.as_ref(), &now, &digest, &recorded.unloadable);
        replay.guards = guards.into_iter().map(with_answers).collect();
        replay.receipt = change.receipt.map(|then| ReceiptReplay {
            recorded: then.to_owned(),
            replayed: receipt(&candidate, &now, Some(&task), &recorded.policy),
        });
        Ok(replay)
    }

    fn task(&self) -> Task {
        let Run { task, hints, mode, .. } = self.run;
        Task { text: task.clone(), hints: hints.clone(), mode: *mode, context: String::new() }
    }

    /// A file of the judgement as JSON, if it is what was recorded.
    pub fn artifact_json(&self, evidence: &[&StoredEvidence], name: &str) -> Option<Value> {
        let artifacts = evidence.iter().flat_map(|evidence| &evidence.report_artifacts);
        let artifact = artifacts.into_iter().find(|artifact| artifact.path.rsplit('/').next() == Some(name))?;
        serde_json::from_slice(&artifacts::unchanged(self.history, artifact).ok()?).ok()
    }
}

/// What guards were told; nothing if it is not there as it was recorded.
pub fn answers_of(kept: Option<Value>) -> RecordedAnswers {
    kept.and_then(|answers| serde_json::from_value(answers).ok()).unwrap_or_default()
}

/// How many answers each guard has.
pub fn counted(answers: &RecordedAnswers) -> BTreeMap<String, u32> {
    let count = |answers: usize| u32::try_from(answers).unwrap_or(u32::MAX);
    answers.guards.iter().map(|(guard, recorded)| (guard.clone(), count(recorded.answers.len()))).collect()
}

fn object_id(hex: &str) -> Result<Oid> {
    Oid::from_str(hex).map_err(|_| {
        let what = format!("the records name `{}`, which is no object of git", hex.escape_debug());
        Fault::new(FaultKind::Git, what).hint("the records were changed").into()
    })
}
