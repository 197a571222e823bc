//! A run: rounds of asking, applying, judging and settling, until one is accepted or another would bring nothing.

use std::time::Duration;

use guardhost_core::change::{
    Event, Feedback, NoPatch, NoPatchKind, Observer, RoundFailure, RunOutcome, Settled, Tree,
};
use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_core::stop::Stopped;
use guardhost_gate::salvage::is_worth_a_search;
use guardhost_gate::{Case, Purpose, Ruling};
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::{ProposalStop, StageLog, StageResult, propose};
use guardhost_provider::{Ask, NextAttempt, is_over_budget, provide};
use guardhost_report::RunReport;

use crate::recorder::{RunRecorder, RunStep};
use crate::request::{RoundsEnd, RunContext, RunRequest};
use crate::settle::{AnsweredBy, AttemptMemory, Settlement, keep_part, settle};
use guardhost_report::for_model::{FEEDBACK_LIMIT, feedback};

/// Failure class in traces, beside those of the provider crate: a provider's replies could not be read or placed, again and again.
const UNREADABLE: &str = "unreadable";

/// Asks until a round is accepted, the rounds are used up, or they repeat themselves.
///
/// # Errors
/// Of the provider, the repository or the records. Whatever happens, the user's HEAD, index and work tree stay as they are, unless the
/// target is the index and the change was accepted.
pub fn run(request: &RunRequest, mut context: RunContext) -> Result<RunReport> {
    let recorder = RunRecorder::begin(request, &context)?;
    let stop = context.runtime.cancel.stop();
    // Within the time of the command, which began before its guards were loaded.
    let seconds = context.chain.budget().seconds.map(Duration::from_secs);
    let ended = stop.limited(seconds, || rounds(request, &mut context, &recorder));
    match ended {
        Ok(ended) => recorder.end(ended),
        Err(error) if is_over_budget(&error) || ran_out_of_time(&error) => recorder.over_budget(&error),
        Err(error) => Err(recorder.failed(error)),
    }
}

/// Whether the run's time was over while a stage worked.
fn ran_out_of_time(error: &Error) -> bool {
    match error.downcast_ref::<Stopped>() {
        Some(Stopped::OverBudget(_)) => true,
        Some(Stopped::Interrupted | Stopped::OutOfTime(_)) | None => false,
    }
}

fn rounds(request: &RunRequest, context: &mut RunContext, recorder: &RunRecorder) -> Result<RoundsEnd> {
    let mut memory = AttemptMemory::default();
    let mut feedback_so_far = request.feedback.clone();
    // Each provider of the chain has this many rounds from its first on.
    let mut last = context.rounds;
    let mut number = 0;
    while number < last {
        number += 1;
        recorder.record(RunStep::RoundBegins { round: number, rounds: last })?;
        let mut attempt = RoundAttempt { recorder, id: Vec::new() };
        let stop = match round(request, context, number, &feedback_so_far, &mut attempt) {
            Ok(outcome) => return Ok(outcome.into()),
            Err(stop) => stop,
        };
        let failure = match stop.into_failure()? {
            RoundFailure::NoPatch(NoPatch { kind: NoPatchKind::NoChange, .. }) => {
                return Ok(RunOutcome::NoChange.into());
            }
            failure => failure,
        };
        recorder.record(RunStep::Failed(&failure))?;
        match context.chain.learn(&failure, number < last) {
            NextAttempt::Content => {
                if let Some(cycle) = memory.remember(&attempt.id, &failure) {
                    return Ok(RoundsEnd { outcome: RunOutcome::Rejected, cycle: cycle.guards });
                }
            }
            // Unparsable replies have their own, bounded escalation.
            NextAttempt::Form => {}
            NextAttempt::Other { given_up, next } => {
                recorder.see(&Event::ProviderFailed {
                    provider: given_up,
                    class: UNREADABLE,
                    message: "none of its replies could be parsed and placed".to_owned(),
                    next: Some(next),
                });
                last = number + context.rounds;
                // The next provider is not told what another one wrote.
                (feedback_so_far, memory) = Default::default();
                continue;
            }
        }
        feedback_so_far = feedback(&failure, FEEDBACK_LIMIT);
        recorder.record(RunStep::Feedback(&feedback_so_far))?;
    }
    Ok(RunOutcome::Rejected.into())
}

/// One round: provide, then repair, extract, sanitize and apply (together: propose), then guard and settle.
fn round(
    request: &RunRequest,
    context: &mut RunContext,
    number: u32,
    feedback: &Feedback,
    attempt: &mut RoundAttempt,
) -> Result<RunOutcome, ProposalStop> {
    let recorder = attempt.recorder;
    let tree = Tree { objects: context.repo.store(), oid: request.base.tree };
    let ask = Ask { task: &request.task, feedback, tree: Some(&tree), round: number };

    let reply = provide(&ask, &mut context.chain, context.runtime, recorder);
    recorder.record(RunStep::Spent(context.chain.spent()))?;
    let reply = reply?;
    recorder.record(RunStep::Replied(&reply))?;
    let answered_by = AnsweredBy { provider: reply.provider.clone(), model: reply.model.clone() };

    let base = ApplyBase { base: request.base.commit, tree: tree.clone(), seen_by_provider: None };
    let stop = context.runtime.cancel.stop();
    let candidate = propose(&reply, &request.task.hints, &base, &context.gate.policy().rules, attempt, stop)?;
    let task = Some(&request.task);
    let case = Case {
        purpose: Purpose::Commit,
        fixes: context.autofix,
        agent: Some(&answered_by.provider),
        ..Case::report(candidate, task)
    };
    let judged = match context.gate.rule(case, recorder)? {
        Ruling::Empty(_) => return Ok(RunOutcome::NoChange),
        Ruling::Refused(refused) => {
            return Err(ProposalStop::Failure(Box::new(RoundFailure::Refused(refused.refused))));
        }
        Ruling::Judged(judged) => judged,
    };
    recorder.record(RunStep::Judged(&judged))?;

    // A user who interrupts a run does not want its commit.
    if context.runtime.cancel.is_cancelled() {
        let fault = Fault::new(FaultKind::Interrupted, "interrupted before the change was settled");
        return Err(ProposalStop::Error(Error::from(fault)));
    }
    recorder.record(RunStep::Settling(judged.candidate()))?;
    let settlement = request.settlement(context.repo, number, answered_by);
    let disclosure = context.gate.policy().disclosure.trailers.written();
    let settlement = Settlement { disclosure, claim: context.claim, signer: context.signer, ..settlement };
    let settled = settle(&judged, &settlement)?;
    recorder.record(RunStep::Settled(&settled))?;
    match settled {
        Settled::Committed { .. } => Ok(RunOutcome::Committed),
        Settled::Staged { .. } => Ok(RunOutcome::Staged),
        Settled::Rejected { .. } => {
            let part = match is_worth_a_search(&context.gate, &judged) {
                true => keep_part(&context.gate, judged.proposed().0, &request.task, &settlement)?,
                false => None,
            };
            let mut rejection = judged.into_rejection();
            if let Some(part) = part {
                recorder.record(RunStep::Part(&part))?;
                rejection.core = part.core;
            }
            Err(ProposalStop::Failure(Box::new(RoundFailure::Rejected(rejection))))
        }
    }
}

/// Hands each stage's result to the recorder, and remembers what tells this round's attempt from those of others.
struct RoundAttempt<'r, 'a> {
    recorder: &'r RunRecorder<'a>,
    /// The id of the candidate's tree, or the repaired reply when nothing was applied.
    id: Vec<u8>,
}

impl StageLog for RoundAttempt<'_, '_> {
    fn see(&mut self, made: StageResult<'_>) -> Result<()> {
        match &made {
            StageResult::Repaired { repaired, .. } => self.id = repaired.bytes.clone(),
            StageResult::Applied(candidate) => self.id = candidate.tree.as_bytes().to_vec(),
            StageResult::Extracted(_) | StageResult::Sanitized(_) => {}
        }
        self.recorder.record(RunStep::Proposed(made))
    }
}
