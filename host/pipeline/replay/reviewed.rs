//! What critics said in a review, judged again from the recorded answers of the models.

use guardhost_core::change::{Judgement, NullObserver, Task};
use guardhost_core::error::Result;
use guardhost_engine::{GuardSet, JudgeContext, guard};
use guardhost_policy::RecordedPolicy;
use guardhost_report::journal::{ANSWERS, History, JUDGEMENT, REVIEW, ReviewRecord, StoredEvidence};
use guardhost_report::{ChangeReplay, GuardReplay, ProblemKind, RecordProblem, RunReplay};

use super::recorded::{RecordedRun, answers_of, counted};
use super::{Replaying, artifacts, compare, rebuild};
use crate::review::embedded_critics;

/// What a review judged, if its run kept it. What cannot be read is a problem of the record.
pub fn from_history(history: &History, replay: &mut RunReplay) -> Option<ReviewRecord> {
    let kept = history.decisions().flat_map(|(_, decision)| &decision.artifacts);
    let artifact = kept.into_iter().find(|artifact| artifact.path.rsplit('/').next() == Some(REVIEW))?;
    // A file that was changed is a problem already.
    let bytes = artifacts::unchanged(history, artifact).ok()?;
    match serde_json::from_slice(&bytes) {
        Ok(review) => Some(review),
        Err(error) => {
            let (what, message) = (artifact.path.clone(), format!("it is no review: {error}"));
            replay.problems.push(RecordProblem { kind: ProblemKind::RecordsUnreadable, what, message });
            None
        }
    }
}

impl RecordedRun<'_> {
    /// # Errors
    /// The run cannot be judged here.
    pub fn judge_review(
        &self,
        review: &ReviewRecord,
        replaying: &Replaying,
    ) -> Result<std::result::Result<ChangeReplay, RecordProblem>> {
        if let Some(problem) = self.damaged_rules(replaying)? {
            return Ok(Err(problem));
        }
        let evidence: Vec<&StoredEvidence> = review.evidence.iter().collect();
        let is_embedded = |id: &str| review.embedded.iter().any(|critic| critic.id == id);
        let pinned = evidence.iter().copied().filter(|evidence| !is_embedded(&evidence.tool));
        let RecordedPolicy { mut policy, mut unloadable } = self.policy_of(pinned, replaying)?;
        let (mut embedded, without) = self::embedded(review, replaying);
        unloadable.extend(without);

        let mut replay = ChangeReplay {
            patchset: self.history.run.clone(),
            round: review.change.round,
            tree: review.change.tree.clone().unwrap_or_default(),
            ..ChangeReplay::default()
        };
        let (base, stop) = (self.base(replaying.repo)?, policy.guards.stop().clone());
        let rebuilt = rebuild::rebuild(self.history, &review.change, base, replaying, &policy.rules, &stop)?;
        replay.problems = rebuilt.problems;
        let Some((mut candidate, from)) = rebuilt.candidate else { return Ok(Ok(replay)) };
        candidate.commits.clone_from(&review.commits);
        replay.rebuilt = Some(from);
        let answers = answers_of(self.artifact_json(&evidence, ANSWERS));
        let given = counted(&answers);
        let task = review.task.clone().map(|text| Task { text, ..Task::default() });
        let context = JudgeContext { task: task.as_ref(), observer: &NullObserver };
        let mut now = Judgement::default();
        for set in embedded.iter_mut().chain([&mut policy.guards]) {
            set.answer_from(answers.clone());
            now.evidence.extend(guard(&candidate, set, &context).evidence);
            stop.check().map_err(|stopped| stopped.into_error("judging the change again"))?;
        }
        let digest = |id: &str| {
            let sets = embedded.iter().chain([&policy.guards]);
            sets.filter_map(|set| set.digest(id)).next().unwrap_or_default().to_owned()
        };
        let guards = compare::judgements(
            &evidence,
            self.artifact_json(&evidence, JUDGEMENT).as_ref(),
            &now,
            &digest,
            &unloadable,
        );
        let with_answers =
            |guard: GuardReplay| GuardReplay { answers: given.get(&guard.id).copied().unwrap_or(0), ..guard };
        replay.guards = guards.into_iter().map(with_answers).collect();
        Ok(Ok(replay))
    }
}

/// The critics that the rules do not pin: another host may not embed one, or may not accept its settings.
fn embedded(review: &ReviewRecord, replaying: &Replaying) -> (Vec<GuardSet>, Vec<(String, String)>) {
    let (mut sets, mut without) = (Vec::new(), Vec::new());
    let machine = replaying.policies.machine();
    for critic in &review.embedded {
        match embedded_critics(std::slice::from_ref(critic), replaying.policies.embedded, &machine) {
            Ok(set) => sets.push(set),
            Err(error) => without.push((critic.id.clone(), format!("{error:#}"))),
        }
    }
    (sets, without)
}
