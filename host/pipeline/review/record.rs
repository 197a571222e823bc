//! A review as it is recorded: what critics were asked about and what they said, to be judged again from the answers of the models.

use guardhost_core::change::{Candidate, Judgement, Mode, PatchFormat, RecordedAnswers, Task};
use guardhost_core::error::Result;
use guardhost_engine::{EmbeddedGuards, EngineContext, GuardSet, GuardSpec};
use guardhost_git::{Repo, diff_text};
use guardhost_report::CheckReport;
use guardhost_report::journal::{Artifact, DiffFormat, EmbeddedCritic, PatchSet, Records, ReviewRecord};

use crate::recorder::{JudgementFiles, around, recorded};

/// A review has one round.
const ROUND: u32 = 1;

/// What critics were asked, beside the change.
pub struct Critics<'a> {
    pub run: &'a str,
    pub task: Option<&'a Task>,
    /// Those that the rules do not pin.
    pub embedded: Vec<EmbeddedCritic>,
}

/// The critics of the host's own: monitored, whatever they say, with what such a guard is granted.
///
/// # Errors
/// The host has no such guard, or it does not take these settings.
pub fn embedded_critics(
    critics: &[EmbeddedCritic],
    embedded: &EmbeddedGuards,
    machine: &EngineContext,
) -> Result<GuardSet> {
    let specs = critics.iter().map(|critic| {
        let own = embedded.get(&critic.id).into_iter().flat_map(|guard| guard.grants.iter().map(ToString::to_string));
        let settings = critic.settings.clone();
        GuardSpec { grants: own.collect(), settings, mode: Mode::Monitor, ..GuardSpec::builtin(&critic.id) }
    });
    GuardSet::new(specs.collect(), machine)
}

/// Writes the change, the judgement, what the models answered, and the record that names them.
///
/// # Errors
/// The repository cannot be read, or the records cannot be written.
pub fn record_review(
    records: &Records,
    repo: &Repo,
    candidate: &Candidate,
    critics: Critics,
    judgement: &Judgement,
) -> Result<()> {
    let diff = records.keep(ROUND, Artifact::FinalDiff, &diff_text(repo, candidate.base_tree, candidate.tree)?)?;
    let around = around(candidate, judgement)?;
    if !around.is_empty() {
        records.keep(ROUND, Artifact::Around, &around)?;
    }
    let check = CheckReport {
        base: candidate.base,
        candidate: Some(candidate.tree),
        judgement: judgement.clone(),
        ..CheckReport::default()
    };
    let kept = records.keep_judgement(ROUND, &check)?;
    let answers = RecordedAnswers::from_evidence(&judgement.evidence);
    let answers = (!answers.is_empty()).then(|| records.keep_answers(ROUND, &answers)).transpose()?;
    let kept = JudgementFiles { judgement: Some(kept), answers };
    let Critics { run, task, embedded } = critics;
    let change = PatchSet {
        run: run.to_owned(),
        sequence: 0,
        round: ROUND,
        prompt: None,
        commit: candidate.base.map(|base| base.to_string()),
        base_tree: Some(candidate.base_tree.to_string()),
        message: candidate.message.clone(),
        format: DiffFormat::GitDiff,
        written_as: PatchFormat::GitDiff,
        artifact: Some(diff),
        tree: Some(candidate.tree.to_string()),
        touched: candidate.touched()?,
        rationale: None,
        mends: None,
        fixes: Vec::new(),
    };
    let review = ReviewRecord {
        change,
        commits: candidate.commits.clone(),
        task: task.map(|task| task.text.clone()),
        embedded,
        evidence: judgement.evidence.iter().map(|evidence| recorded(evidence, run, None, &kept)).collect(),
    };
    records.keep_review(ROUND, &review).map(drop)
}
