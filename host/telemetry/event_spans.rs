//! Makes spans of the events of a command: the command, its runs, their rounds, what each round does, and every guard.

use std::sync::{Mutex, PoisonError};

use guardhost_core::change::{Event, Evidence, GuardVerdict, Mode, Observer, RunEnd};

use crate::exporter::Traces;
use crate::parent::SpanParent;
use crate::span::{Span, SpanKind};

/// How deep a span lies. One that begins ends those that are as deep, and those below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SpanDepth {
    Command,
    Run,
    Round,
    Step,
}

/// Sees the events of one command, and sends its spans.
pub struct EventSpans {
    traces: Traces,
    around: SpanParent,
    /// From the outermost to the innermost.
    open: Mutex<Vec<(SpanDepth, Span)>>,
}

impl EventSpans {
    /// `name` is that of the whole: `host check`. `around`: what the whole is a part of.
    pub fn begin(traces: &Traces, name: &str, around: SpanParent) -> Self {
        let spans = EventSpans { traces: traces.clone(), around, open: Mutex::default() };
        spans.open(SpanDepth::Command, |around, now| Span::begin(name, SpanKind::Internal, around, now));
        spans
    }

    /// Ends all that is open. `failed` is the kind of error with which the whole ended.
    pub fn finish(&self, failed: Option<&str>) {
        self.inner(|span| span.failed = failed.map(str::to_owned), SpanDepth::Command);
        self.close(SpanDepth::Command);
    }

    fn open(&self, depth: SpanDepth, span: impl FnOnce(SpanParent, u64) -> Span) {
        self.close(depth);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let around = open.last().map_or(self.around, |(_, span)| span.as_parent());
        open.push((depth, span(around, self.traces.now())));
    }

    fn step(&self, name: &'static str) {
        self.open(SpanDepth::Step, |around, now| Span::begin(name, SpanKind::Internal, around, now));
    }

    fn close(&self, depth: SpanDepth) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        while open.last().is_some_and(|(own, _)| *own >= depth) {
            if let Some((_, span)) = open.pop() {
                self.traces.end(span);
            }
        }
    }

    /// Changes the open span of this depth, if there is one.
    fn inner(&self, change: impl FnOnce(&mut Span), depth: SpanDepth) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, span)) = open.iter_mut().rfind(|(own, _)| *own == depth) {
            change(span);
        }
    }

    fn end_step(&self, change: impl FnOnce(&mut Span)) {
        self.inner(change, SpanDepth::Step);
        self.close(SpanDepth::Step);
    }

    /// A guard says how long it took when it is done.
    fn judged(&self, evidence: &Evidence) {
        let now = self.traces.now();
        let around = {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.last().map_or(self.around, |(_, span)| span.as_parent())
        };
        let span = Span::begin("guard", SpanKind::Internal, around, now)
            .with("guardhost.guard.id", evidence.id.as_str())
            .with("guardhost.guard.version", evidence.version.as_str())
            .with("guardhost.guard.verdict", evidence.verdict.kind().as_str())
            .with("guardhost.guard.enforced", evidence.mode == Mode::Enforce)
            .with("guardhost.guard.reused", evidence.reused)
            .with("guardhost.guard.fuel", evidence.fuel)
            .with("guardhost.guard.findings", evidence.verdict.findings().len() as u64);
        let failed = match &evidence.verdict {
            GuardVerdict::Error { .. } => Some(evidence.verdict.code().unwrap_or("error").to_owned()),
            GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => None,
        };
        let start = now.saturating_sub(evidence.micros.saturating_mul(1000));
        self.traces.put(Span { start, failed, ..span });
    }
}

impl Observer for EventSpans {
    fn see(&self, event: &Event) {
        match event {
            Event::RunStarted { run, base, provider, rounds, .. } => self.open(SpanDepth::Run, |around, now| {
                Span::begin("run", SpanKind::Internal, around, now)
                    .with("guardhost.run", run.as_str())
                    .with("guardhost.base", base.as_str())
                    .with("guardhost.provider", provider.as_str())
                    .with("guardhost.rounds", u64::from(*rounds))
            }),
            Event::RoundStarted { round, .. } => self.open(SpanDepth::Round, |around, now| {
                Span::begin("attempt", SpanKind::Internal, around, now).with("guardhost.round", u64::from(*round))
            }),
            Event::Asking { provider, recorded, prompt_bytes, .. } => self.open(SpanDepth::Step, |around, now| {
                Span::begin("provide", SpanKind::Client, around, now)
                    .with("guardhost.provider", provider.as_str())
                    .with("guardhost.recorded", *recorded)
                    .with("guardhost.prompt.bytes", *prompt_bytes)
            }),
            Event::ProviderFailed { class, .. } => self.end_step(|span| span.failed = Some((*class).to_owned())),
            Event::Replied { model, bytes, usage, .. } => {
                self.end_step(|span| {
                    let model = model.as_deref().map(|model| ("guardhost.model", model.into()));
                    let tokens = [
                        ("guardhost.tokens.input", usage.input_tokens),
                        ("guardhost.tokens.output", usage.output_tokens),
                    ];
                    let tokens = tokens.into_iter().filter_map(|(name, count)| Some((name, count?.into())));
                    span.attributes.extend(model.into_iter().chain(tokens));
                    span.attributes.push(("guardhost.reply.bytes", (*bytes).into()));
                });
                self.step("apply");
            }
            Event::NoPatch { .. } => self.end_step(|span| span.attributes.push(apply_outcome("no-patch"))),
            Event::Refused { .. } => self.end_step(|span| span.attributes.push(apply_outcome("refused"))),
            Event::Misfit { .. } => self.end_step(|span| span.attributes.push(apply_outcome("misfit"))),
            Event::Placed { touched, .. } => self.end_step(|span| {
                span.attributes.extend([apply_outcome("placed"), ("guardhost.files", (touched.len() as u64).into())]);
            }),
            Event::Judging { .. } => self.step("judge"),
            Event::Judged { evidence } => self.judged(evidence),
            Event::Settling { .. } => self.step("settle"),
            Event::Committed { commit, .. } => {
                self.end_step(|span| span.attributes.push(("guardhost.commit", commit.as_str().into())));
            }
            // What comes after a judgement is no part of it.
            Event::Staged { .. }
            | Event::Fixing { .. }
            | Event::Fixed { .. }
            | Event::NotFixed { .. }
            | Event::Feedback { .. }
            | Event::RejectedKept { .. } => self.close(SpanDepth::Step),
            Event::RunEnded { outcome, rounds, .. } => {
                self.inner(
                    |span| {
                        span.attributes.push(("guardhost.outcome", outcome.as_str().into()));
                        span.attributes.push(("guardhost.rounds.taken", u64::from(*rounds).into()));
                        span.failed = match outcome {
                            RunEnd::Failed(_) => Some(outcome.as_str().to_owned()),
                            RunEnd::Result(_) => None,
                        };
                    },
                    SpanDepth::Run,
                );
                self.close(SpanDepth::Run);
            }
            Event::Progress { .. }
            | Event::Spent { .. }
            | Event::Repaired { .. }
            | Event::Extracted { .. }
            | Event::Sanitized { .. }
            | Event::Cycle { .. }
            | Event::PlanLayered { .. }
            | Event::MetricsScoped { .. }
            | Event::StepFailed { .. }
            | Event::RefinementKept { .. }
            | Event::RefinementReverted { .. }
            | Event::Failed { .. }
            | Event::Notice { .. } => {}
        }
    }
}

/// What became of a reply.
fn apply_outcome(what: &str) -> (&'static str, crate::span::Attribute) {
    ("guardhost.applied", what.into())
}
