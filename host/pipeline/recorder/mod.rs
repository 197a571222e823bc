//! Records what the steps of a run made: as events, as artifacts in the records, and as the report of the run. It decides nothing.

mod around;
mod record_writer;
mod report;
mod step;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use guardhost_core::change::{
    AccountPart, Autofix, Budget, Candidate, Event, Feedback, FixedCandidate, Judgement, Observer, Patch, Quotes,
    RecordedAnswers, RepairedReply, Reply, RoundFailure, RunEnd, RunOutcome, Settled, Usage, observe,
};
use guardhost_core::error::{Error, Result, fault, kind};
use guardhost_git::{Repo, diff_text};
use guardhost_patch::propose::StageResult;
use guardhost_patch::sanitize::CleanPatch;
use guardhost_report::journal::{Artifact, ArtifactRef, Records, unified};
use guardhost_report::{CheckReport, ReadLines, RefusalReport, RunReport, escape};

use serde_json::json;

use crate::request::{RoundsEnd, RunContext, RunRequest};
use crate::settle::AcceptedPart;
use guardhost_gate::Judged;
use guardhost_gate::autofix::preview;
pub(crate) use record_writer::{JudgementFiles, recorded};

pub(crate) use around::around;
use record_writer::RecordWriter;
use report::add_to_report;
pub(crate) use step::RunStep;

/// Fixes of a round that are kept as diffs.
const FIX_DIFFS: usize = 200;

pub struct RunRecorder<'a> {
    repo: &'a Repo,
    records: Option<&'a Records>,
    observers: &'a [&'a dyn Observer],
    started: Instant,
    /// Locked because guards and providers emit events from threads of their own.
    state: Mutex<RecorderState<'a>>,
}

/// Grows as the run goes.
struct RecorderState<'a> {
    report: RunReport,
    writer: RecordWriter<'a>,
}

/// Every event passes here on its way to the observers.
impl Observer for RunRecorder<'_> {
    fn see(&self, event: &Event) {
        add_to_report(&mut self.state().report, event);
        observe(self.observers, event);
    }
}

impl<'a> RunRecorder<'a> {
    pub fn begin(request: &RunRequest, context: &RunContext<'a>) -> Result<Self> {
        let report = RunReport {
            run: request.id.clone(),
            task: request.task.text.clone(),
            base: request.base.commit,
            rounds_max: context.rounds,
            budget: context.chain.budget(),
            trace: context.records.map(|records| records.dir().join("trace.jsonl")),
            ..RunReport::default()
        };
        let writer = RecordWriter::begin(request, context)?;
        let recorder = RunRecorder {
            repo: context.repo,
            records: context.records,
            observers: context.observers,
            started: Instant::now(),
            state: Mutex::new(RecorderState { report, writer }),
        };
        recorder.see(&Event::RunStarted {
            run: request.id.clone(),
            repo: context.repo.git_dir().display().to_string(),
            base: request.base.commit.map_or_else(String::new, |oid| oid.to_string()),
            task: request.task.text.clone(),
            provider: context.chain.to_string(),
            guards: context.gate.guards().ids(),
            rounds: context.rounds,
            budget: context.chain.budget(),
        });
        Ok(recorder)
    }

    fn state(&self) -> MutexGuard<'_, RecorderState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn current_round(&self) -> u32 {
        self.state().report.rounds.last().map_or(0, |round| round.round)
    }

    fn keep(&self, artifact: Artifact, bytes: &[u8]) -> Result<Option<ArtifactRef>> {
        self.records.map(|records| records.keep(self.current_round(), artifact, bytes)).transpose()
    }

    /// Records one step.
    ///
    /// # Errors
    /// Of the records and the repository.
    pub fn record(&self, step: RunStep<'_>) -> Result<()> {
        match step {
            RunStep::RoundBegins { round, rounds } => self.round(round, rounds),
            RunStep::Spent(spent) => {
                self.spent(spent);
                Ok(())
            }
            RunStep::Replied(reply) => self.reply(reply),
            RunStep::Proposed(StageResult::Repaired { reply, repaired }) => self.repaired(reply, repaired),
            RunStep::Proposed(StageResult::Extracted(patch)) => self.extracted(patch),
            RunStep::Proposed(StageResult::Sanitized(patch)) => self.sanitized(patch),
            RunStep::Proposed(StageResult::Applied(candidate)) => self.applied(candidate),
            RunStep::Judged(judged) => self.judged(judged),
            RunStep::Settling(candidate) => {
                self.see(&Event::Settling { tree: candidate.tree.to_string() });
                Ok(())
            }
            RunStep::Settled(settled) => {
                self.settled(settled);
                Ok(())
            }
            RunStep::Part(part) => self.part(part),
            RunStep::Failed(failure) => self.failure(failure),
            RunStep::Feedback(feedback) => self.feedback(feedback),
        }
    }

    fn round(&self, round: u32, rounds: u32) -> Result<()> {
        self.state().writer.round(round)?;
        self.see(&Event::RoundStarted { round, rounds });
        Ok(())
    }

    /// What all answers of the run took so far.
    fn spent(&self, spent: Usage) {
        let budget = {
            let mut state = self.state();
            state.report.spent = spent;
            state.writer.spent(spent);
            state.report.budget
        };
        if budget != Budget::default() {
            self.see(&Event::Spent { spent, seconds: self.started.elapsed().as_secs(), budget });
        }
    }

    fn reply(&self, reply: &Reply) -> Result<()> {
        self.keep(Artifact::Prompt, &reply.asked)?;
        self.keep(Artifact::Reply, &reply.bytes)?;
        Ok(())
    }

    fn repaired(&self, reply: &Reply, repaired: &RepairedReply) -> Result<()> {
        self.see(&Event::Repaired { notes: repaired.notes.clone() });
        if repaired.bytes != reply.bytes {
            self.keep(Artifact::Repaired, &repaired.bytes)?;
        }
        self.state().writer.replied(reply, &repaired.bytes);
        Ok(())
    }

    fn extracted(&self, patch: &Patch) -> Result<()> {
        self.account(patch.account.parts())?;
        let kept = self.keep(Artifact::Extracted, &unified(patch, true))?;
        self.state().writer.extracted(patch, kept);
        let files = patch.files.iter().map(|file| file.path.clone()).collect();
        self.see(&Event::Extracted { format: patch.format, files, notes: patch.notes.clone() });
        Ok(())
    }

    /// What each line of the reply was read as.
    fn account(&self, parts: &[AccountPart]) -> Result<()> {
        if self.records.is_some() && !parts.is_empty() {
            self.keep(Artifact::Account, &serde_json::to_vec(&ReadLines::from_parts(parts))?)?;
        }
        Ok(())
    }

    fn sanitized(&self, patch: &CleanPatch) -> Result<()> {
        self.keep(Artifact::Sanitized, &unified(patch.patch(), false))?;
        self.see(&Event::Sanitized { files: patch.patch().files.len() as u64 });
        Ok(())
    }

    fn applied(&self, candidate: &Candidate) -> Result<()> {
        self.see(&Event::Placed {
            tree: candidate.tree.to_string(),
            strategy: candidate.strategy,
            touched: candidate.touched()?,
            notes: candidate.notes.clone(),
        });
        let diff = diff_text(self.repo, candidate.base_tree, candidate.tree)?;
        let kept = self.keep(Artifact::FinalDiff, &diff)?;
        let mut state = self.state();
        state.writer.placed(candidate, kept)?;
        state.report.diff = Some(String::from_utf8_lossy(&diff).into_owned());
        Ok(())
    }

    /// What the guards said, and what their fixes came to. The fixed candidate is kept beside the provider's own, not in its place.
    fn judged(&self, judged: &Judged) -> Result<()> {
        let (candidate, judgement) = judged.proposed();
        let check = CheckReport {
            base: candidate.base,
            candidate: Some(candidate.tree),
            judgement: judgement.clone(),
            quotes: Quotes::take(candidate, judgement),
            ..CheckReport::default()
        };
        let around = self.records.map(|_| around(candidate, judgement)).transpose()?.unwrap_or_default();
        if !around.is_empty() {
            self.keep(Artifact::Around, &around)?;
        }
        let kept = self.records.map(|records| records.keep_judgement(self.current_round(), &check)).transpose()?;
        if self.records.is_some()
            && let Some(diffs) = fix_diffs(self.repo, candidate, judgement)?
        {
            self.keep(Artifact::FixDiffs, &diffs)?;
        }
        let answers = RecordedAnswers::from_evidence(&judgement.evidence);
        let kept_answers = self.records.filter(|_| !answers.is_empty());
        let kept_answers =
            kept_answers.map(|records| records.keep_answers(self.current_round(), &answers)).transpose()?;
        self.state().writer.judged(
            judgement,
            JudgementFiles { judgement: kept, answers: kept_answers },
            judged.receipt(),
        )?;
        let check = match judged.autofix() {
            Some(autofix) => {
                if let Some(fixed) = autofix.change() {
                    self.fixed(fixed, matches!(autofix, Autofix::Accepted(_)))?;
                }
                check.with_fixing(autofix)
            }
            None => check,
        };
        if let Some(round) = self.state().report.rounds.last_mut() {
            round.check = Some(check);
        }
        Ok(())
    }

    fn fixed(&self, fixed: &FixedCandidate, accepted: bool) -> Result<()> {
        let diff = diff_text(self.repo, fixed.candidate.base_tree, fixed.candidate.tree)?;
        let kept = self.keep(Artifact::FixedDiff, &diff)?;
        let judgement = fixed.judgement.clone();
        let check = CheckReport { candidate: Some(fixed.candidate.tree), judgement, ..CheckReport::default() };
        let judged =
            self.records.map(|records| records.keep_fixed_judgement(self.current_round(), &check)).transpose()?;
        let answers = RecordedAnswers::from_evidence(&fixed.judgement.evidence);
        let kept_answers = self.records.filter(|_| !answers.is_empty());
        let kept_answers =
            kept_answers.map(|records| records.keep_fixed_answers(self.current_round(), &answers)).transpose()?;
        let mut state = self.state();
        state.writer.fixed(fixed, accepted, kept, JudgementFiles { judgement: judged, answers: kept_answers })?;
        if accepted {
            state.report.diff = Some(String::from_utf8_lossy(&diff).into_owned());
        }
        Ok(())
    }

    fn settled(&self, settled: &Settled) {
        match settled {
            Settled::Committed { branch, commit } => {
                self.see(&Event::Committed { branch: branch.clone(), commit: commit.to_string() });
            }
            Settled::Staged { tree } => self.see(&Event::Staged { tree: tree.to_string() }),
            Settled::Rejected { kept: Some(reference) } => {
                self.see(&Event::RejectedKept { reference: reference.clone() });
            }
            Settled::Rejected { kept: None } => {}
        }
    }

    fn part(&self, part: &AcceptedPart) -> Result<()> {
        self.keep(Artifact::Part, &part.diff)?;
        if let Some(round) = self.state().report.rounds.last_mut() {
            round.part = Some(part.reference.clone());
        }
        Ok(())
    }

    /// A round that was not accepted. What guards said has events of its own; the other failures have theirs here.
    fn failure(&self, failure: &RoundFailure) -> Result<()> {
        match failure {
            RoundFailure::NoPatch(none) => {
                self.account(&none.parts)?;
                self.see(&Event::NoPatch { kind: none.kind, message: none.message.clone() });
            }
            RoundFailure::Refused(refused) => self.see(&Event::Refused {
                kind: refused.kind,
                path: refused.path.clone(),
                message: refused.message.clone(),
            }),
            RoundFailure::Misfit(misfit) => self.see(&Event::Misfit { at: misfit.at.clone() }),
            RoundFailure::Rejected(_) => {}
        }
        let mut state = self.state();
        if let Some(round) = state.report.rounds.last_mut() {
            round.failure = Some(RefusalReport::from(failure));
        }
        state.writer.failure(failure)
    }

    /// Records the feedback for the next round, from which an interrupted run resumes.
    fn feedback(&self, feedback: &Feedback) -> Result<()> {
        self.keep(Artifact::Feedback, feedback.text.as_bytes())?;
        self.see(&Event::Feedback { text: feedback.text.clone() });
        Ok(())
    }

    /// The run came to a result.
    pub fn end(self, ended: RoundsEnd) -> Result<RunReport> {
        if !ended.cycle.is_empty() {
            self.see(&Event::Cycle { guards: ended.cycle.clone() });
        }
        self.close(ended, None)
    }

    /// The run exceeded its budget. What it reached stands.
    pub fn over_budget(self, error: &Error) -> Result<RunReport> {
        let hint = fault(error).and_then(|fault| fault.hint.clone()).unwrap_or_default();
        let why = format!("{error:#}; {hint}");
        self.see(&Event::Notice { text: why.clone() });
        self.close(RunOutcome::OverBudget.into(), Some(why))
    }

    /// An error ended the run.
    pub fn failed(self, error: Error) -> Error {
        let why = format!("{error:#}");
        self.see(&Event::Failed { error: why.clone() });
        match self.finish(RunEnd::Failed(kind(&error)), Some(why)) {
            Ok(()) => error,
            Err(records) => error.context(format!("its end could not be recorded either: {records:#}")),
        }
    }

    fn close(self, ended: RoundsEnd, why: Option<String>) -> Result<RunReport> {
        let RoundsEnd { outcome, cycle } = ended;
        self.finish(RunEnd::Result(outcome), why.clone())?;
        let report = self.state.into_inner().unwrap_or_else(PoisonError::into_inner).report;
        // Only a change that was taken is shown; one that was not lies in the records.
        let diff = report.diff.filter(|_| outcome.is_taken());
        Ok(RunReport { outcome, cycle, why, diff, ..report })
    }

    fn finish(&self, end: RunEnd, why: Option<String>) -> Result<()> {
        let micros = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let (commit, rounds) = {
            let mut state = self.state();
            state.report.micros = micros;
            let commit = state.report.commit.map(|oid| oid.to_string());
            state.writer.end(end, commit.clone(), why, micros)?;
            (commit, state.report.rounds.len() as u32)
        };
        self.see(&Event::RunEnded { outcome: end, commit, rounds, micros });
        Ok(())
    }
}

/// The fixes of the findings as diffs of the candidate, for people who look at the records; None when no finding has one that fits.
fn fix_diffs(repo: &Repo, candidate: &Candidate, judgement: &Judgement) -> Result<Option<Vec<u8>>> {
    let mut diffs = Vec::new();
    for evidence in &judgement.evidence {
        for (at, finding) in evidence.verdict.findings().iter().enumerate() {
            let fix = finding.fix.as_ref().filter(|_| !finding.is_secret && diffs.len() < FIX_DIFFS);
            if let Some(diff) = fix.map(|fix| preview(repo, candidate, &fix.edits)).transpose()?.flatten() {
                let diff = String::from_utf8_lossy(&diff);
                diffs.push(json!({ "guard": evidence.id, "finding": at, "diff": diff }));
            }
        }
    }
    Ok((!diffs.is_empty()).then(|| escape::json(&json!(diffs))))
}
