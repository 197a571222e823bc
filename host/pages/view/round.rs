//! One round: one answer of a provider, and what became of it.

use std::collections::BTreeSet;

use guardhost_core::change::{AppliedFix, RecordedEnd, RunEnd, RunOutcome, Touched, Usage};
use guardhost_report::ExplainedLines;
use guardhost_report::journal::{DecisionType, History};
use serde::{Deserialize, Serialize};

use super::judgement::{self, FixDiff, GuardView};
use super::stage::{Stage, StageState, StageView};
use super::{LineCounts, line_counts};
use crate::{Bundle, Moment, RunData};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RoundView<'a> {
    pub number: u32,
    pub provider: Option<String>,
    pub model: Option<String>,
    /// Of this round's answer.
    pub usage: Usage,
    /// Microseconds that the provider took.
    pub answer_micros: Option<u64>,
    #[serde(skip)]
    pub spans: Vec<Span>,
    #[serde(skip)]
    pub stages: Vec<StageView<'a>>,
    /// What each line of the reply was read as, as far as its text is here.
    #[serde(skip)]
    pub account: Vec<ExplainedLines>,
    pub touched: Vec<Touched>,
    /// A diff of what stands around the change, where the records have it.
    #[serde(skip)]
    pub around: Option<&'a str>,
    /// On the change as it was proposed.
    pub guards: Vec<GuardView>,
    /// On the change with the guards' fixes; empty when none were tried.
    #[serde(skip)]
    pub fixed: Vec<GuardView>,
    #[serde(skip)]
    pub applied_fixes: Vec<AppliedFix>,
    #[serde(skip)]
    pub fix_diffs: Vec<FixDiff>,
    pub end: RoundEnd,
    #[serde(skip)]
    pub rationale: Option<String>,
}

/// A phase of the round, in microseconds since the run began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub phase: Phase,
    pub start: u64,
    pub end: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Answer,
    Patch,
    Guards,
    Settle,
}

impl Phase {
    pub const ALL: [Phase; 4] = [Phase::Answer, Phase::Patch, Phase::Guards, Phase::Settle];

    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Answer => "answer",
            Phase::Patch => "patch",
            Phase::Guards => "guards",
            Phase::Settle => "settle",
        }
    }

    /// The phase that an event belongs to; None of one that belongs to the whole run.
    pub fn from_event(event: &str) -> Option<Self> {
        match event {
            "asking" | "replied" | "provider-failed" => Some(Phase::Answer),
            "mended" | "extracted" | "sanitized" | "placed" | "no-patch" | "refused" | "misfit" => Some(Phase::Patch),
            "judging" | "judged" | "fixing" | "fixed" | "not-fixed" => Some(Phase::Guards),
            "settling" | "committed" | "staged" | "feedback" | "rejected-kept" => Some(Phase::Settle),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundEnd {
    Accepted,
    /// The answer was that nothing needs to change.
    NoChange,
    /// Guards, or a rule of the host, turned the change down.
    Rejected,
    /// No patch, or none that may or can be placed.
    Unusable,
    /// An error or an interruption ended the run in it.
    Failed,
    /// Not ended yet.
    Open,
}

impl RoundEnd {
    pub fn as_str(self) -> &'static str {
        match self {
            RoundEnd::Accepted => "accepted",
            RoundEnd::NoChange => "no change needed",
            RoundEnd::Rejected => "rejected",
            RoundEnd::Unusable => "no usable patch",
            RoundEnd::Failed => "ended early",
            RoundEnd::Open => "at work",
        }
    }
}

/// What a round is read from.
pub struct Source<'a, 'h> {
    pub bundle: &'a Bundle,
    pub data: &'a RunData,
    pub history: &'h History,
    /// When the run began, in microseconds since 1970.
    pub began: i64,
}

impl<'a> Source<'a, '_> {
    /// The rounds that anything mentions.
    pub fn numbers(&self) -> BTreeSet<u32> {
        let of_files = self.data.files.keys().filter_map(|path| path.split_once('/')?.0.parse().ok());
        let of_moments = self.data.moments.values().map(|moment| moment.round);
        let of_patches = self.history.patch_sets().map(|(_, patch_set)| patch_set.round);
        let of_decisions = self.history.decisions().map(|(_, decision)| decision.round);
        let all = of_files.chain(of_moments).chain(of_patches).chain(of_decisions);
        all.filter(|round| *round > 0).collect()
    }

    pub fn round(&self, number: u32) -> RoundView<'a> {
        let moments: Vec<&Moment> = self.data.moments.values().filter(|moment| moment.round == number).collect();
        let last = |event: &str| moments.iter().rev().find(|moment| moment.event == event).copied();
        let text = |key: &str, event: &str| Some(last(event)?.data.get(key)?.as_str()?.to_owned());
        let own = self.history.patch_sets().find(|(_, set)| set.round == number && set.mends.is_none());
        let mended = self.history.patch_sets().find(|(_, set)| set.round == number && set.mends.is_some());
        let guards =
            self.judgement(number, "judgement.json", own.map(|(object, _)| object.object_id.as_str()), &moments);
        let fixed =
            self.judgement(number, "fixed-judgement.json", mended.map(|(object, _)| object.object_id.as_str()), &[]);
        let end = self.end(number, &guards, &moments);
        RoundView {
            number,
            provider: text("provider", "replied")
                .or_else(|| text("provider", "asking"))
                .or_else(|| own.map(|(object, _)| object.created_by.id.clone())),
            model: text("model", "replied")
                .or_else(|| own.and_then(|(object, _)| object.created_by.display_name.clone())),
            usage: last("replied")
                .and_then(|moment| serde_json::from_value(moment.data.get("usage")?.clone()).ok())
                .unwrap_or_default(),
            answer_micros: last("replied").and_then(|moment| moment.data.get("micros")?.as_u64()),
            spans: self.spans(&moments),
            stages: self.stages(number, &guards, &moments, end),
            account: self.account(number),
            around: self.text(number, "around.diff"),
            touched: mended
                .or(own)
                .map(|(_, set)| set.touched.clone())
                .or_else(|| serde_json::from_value(last("placed")?.data.get("touched")?.clone()).ok())
                .unwrap_or_default(),
            applied_fixes: mended.map(|(_, set)| set.fixes.clone()).unwrap_or_default(),
            fix_diffs: self.text(number, "fixes.json").map(judgement::fixes).unwrap_or_default(),
            rationale: own.and_then(|(_, set)| set.rationale.clone()),
            guards,
            fixed,
            end,
        }
    }

    fn text(&self, round: u32, file: &str) -> Option<&'a str> {
        let file = self.data.files.get(&format!("{round}/{file}"))?;
        self.bundle.texts.get(&file.key).map(|text| text.text.as_str())
    }

    fn account(&self, round: u32) -> Vec<ExplainedLines> {
        let read = self.text(round, "account.json").and_then(|read| serde_json::from_str(read).ok());
        let reply = self.text(round, "mended.txt").or_else(|| self.text(round, "reply.txt"));
        read.zip(reply).map(|(read, reply)| ExplainedLines::from_reply(reply, read)).unwrap_or_default()
    }

    /// From the file; without one from the records; without those from the events.
    fn judgement(&self, round: u32, file: &str, patch_set: Option<&str>, moments: &[&Moment]) -> Vec<GuardView> {
        if let Some(guards) = self.text(round, file).and_then(judgement::from_text) {
            return guards;
        }
        let of_records: Vec<GuardView> = patch_set
            .into_iter()
            .flat_map(|id| self.history.evidence(id))
            .map(|(_, evidence)| GuardView {
                id: evidence.tool.clone(),
                g: evidence.g.clone(),
                verdict: evidence.verdict,
                reason: evidence.summary.clone(),
                micros: evidence.micros,
                fuel: evidence.fuel,
                reused: false,
                findings: Vec::new(),
                metrics: None,
                mode: evidence.mode,
                code: evidence.code.clone(),
                allowed: Vec::new(),
            })
            .collect();
        if !of_records.is_empty() {
            return of_records;
        }
        // Fixes are judged by the same guards again: what comes behind `fixing` is about another change.
        let judged = moments.iter().take_while(|moment| moment.event != "fixing");
        judged
            .filter(|moment| moment.event == "judged")
            .filter_map(|moment| judgement::from_event(&moment.data))
            .collect()
    }

    fn end(&self, round: u32, guards: &[GuardView], moments: &[&Moment]) -> RoundEnd {
        let happened = |events: &[&str]| moments.iter().any(|moment| events.contains(&moment.event.as_str()));
        let blocked = guards.iter().any(GuardView::is_blocking);
        let unusable = happened(&["no-patch", "refused", "misfit"]);
        let decision = self.history.decisions().map(|(_, decision)| decision).filter(|each| each.round == round).last();
        let said = moments.iter().find(|moment| moment.event == "run-ended").and_then(|end| end.data.get("outcome"));
        let no_change = match decision.and_then(|decision| decision.outcome.as_ref()) {
            Some(RecordedEnd::Known(RunEnd::Result(outcome))) => *outcome == RunOutcome::NoChange,
            Some(RecordedEnd::Known(RunEnd::Failed(_)) | RecordedEnd::Unknown(_)) => false,
            None => said.and_then(|said| said.as_str()) == Some(RunOutcome::NoChange.as_str()),
        };
        match decision.map(|decision| decision.decision_type) {
            Some(DecisionType::Commit) => RoundEnd::Accepted,
            None if happened(&["committed", "staged"]) => RoundEnd::Accepted,
            _ if no_change => RoundEnd::NoChange,
            _ if unusable => RoundEnd::Unusable,
            _ if blocked => RoundEnd::Rejected,
            // No event says what failed: of runs whose trace is not kept.
            Some(DecisionType::Retry) => RoundEnd::Unusable,
            Some(DecisionType::Abandon) => RoundEnd::Failed,
            None if self.data.alive => RoundEnd::Open,
            None => RoundEnd::Failed,
        }
    }

    fn spans(&self, moments: &[&Moment]) -> Vec<Span> {
        let mut at = None;
        let mut spans: Vec<Span> = Vec::new();
        for moment in moments {
            let Some(now) = micros(&moment.ts).and_then(|now| u64::try_from(now.saturating_sub(self.began)).ok())
            else {
                continue;
            };
            if let Some(phase) = Phase::from_event(&moment.event) {
                let start = at.unwrap_or(now);
                match spans.last_mut().filter(|span| span.phase == phase) {
                    Some(span) => span.end = now.max(span.start),
                    None => spans.push(Span { phase, start: start.min(now), end: now }),
                }
            }
            at = Some(now);
        }
        spans
    }

    fn stages(&self, round: u32, guards: &[GuardView], moments: &[&Moment], end: RoundEnd) -> Vec<StageView<'a>> {
        let said = |event: &str| {
            let moment = moments.iter().rev().find(|moment| moment.event == event)?;
            let why = moment.data.get("message").or_else(|| moment.data.get("at")).and_then(|why| why.as_str());
            Some(why.unwrap_or(event).to_owned())
        };
        let mut views: Vec<StageView<'a>> = Vec::new();
        for stage in Stage::ALL {
            let file = stage.file().and_then(|name| self.data.files.get(&format!("{round}/{name}")));
            let stopped = match stage {
                Stage::Extracted => said("no-patch"),
                Stage::Sanitized => said("refused"),
                Stage::Candidate => said("misfit"),
                Stage::Verdicts => against(guards),
                Stage::Reply if file.is_none() => said("provider-failed"),
                Stage::Prompt
                | Stage::Reply
                | Stage::Repaired
                | Stage::Account
                | Stage::Fixed
                | Stage::Part
                | Stage::Settle => None,
            };
            // A server hears of a stage before it has the file.
            let heard = |event: &str| file.is_some() || moments.iter().any(|moment| moment.event == event);
            let reached = match stage {
                Stage::Prompt => heard("asking"),
                Stage::Reply => heard("replied"),
                // The records have it only where it differs from the reply.
                Stage::Repaired => heard("mended"),
                Stage::Extracted => heard("extracted"),
                Stage::Sanitized => heard("sanitized"),
                Stage::Candidate => heard("placed"),
                Stage::Account | Stage::Fixed | Stage::Part => file.is_some(),
                Stage::Verdicts => !guards.is_empty() && (end != RoundEnd::Open || heard("settling")),
                Stage::Settle => end != RoundEnd::Open,
            };
            let state = match stopped {
                Some(why) => StageState::Stopped(why),
                None if reached => StageState::Passed,
                None => StageState::NotReached,
            };
            let same_as = file.and_then(|file| {
                let same = views.iter().find(|view| view.file.is_some_and(|other| other.key == file.key));
                same.map(|view| view.stage)
            });
            // The account is shown with the lines of the reply, not as the file that it is.
            let text = file.filter(|_| stage != Stage::Account);
            let text = text.and_then(|file| self.bundle.texts.get(&file.key));
            let before = views.iter().rev().find_map(|view| view.text).filter(|_| stage.is_diff());
            let counts: Option<LineCounts> =
                before.zip(text).map(|(before, text)| line_counts(&before.text, &text.text));
            views.push(StageView { stage, state, file, text, same_as, counts });
        }
        if end == RoundEnd::Open {
            let next = views.iter().rposition(|view| view.state == StageState::Passed).map_or(0, |at| at + 1);
            let next = match views.get(next).map(|view| view.stage) {
                // Nobody waits for fixes or parts, unless there are some.
                Some(Stage::Account | Stage::Fixed | Stage::Part) => next + 1,
                _ => next,
            };
            if let Some(view) = views.get_mut(next) {
                view.state = StageState::Busy;
            }
        }
        views
    }
}

/// The guards that block.
fn against(guards: &[GuardView]) -> Option<String> {
    let against: Vec<&str> = guards.iter().filter(|guard| guard.is_blocking()).map(|guard| guard.id.as_str()).collect();
    (!against.is_empty()).then(|| format!("rejected by {}", against.join(", ")))
}

/// Microseconds since 1970.
pub fn micros(ts: &str) -> Option<i64> {
    ts.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_microsecond)
}
