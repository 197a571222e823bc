//! One run of a bundle.

use std::collections::BTreeMap;

use guardhost_core::change::{RecordedEnd, Usage};
use guardhost_report::journal::{History, Object, Run, RunCommand, State};
use serde::{Deserialize, Serialize};

use super::audit::{self, AuditPair};
use super::issues::{self, IssueView};
use super::round::{Phase, RoundView, Source, micros};
use super::stage::StageState;
use super::summary::RunSummary;
use crate::{Bundle, RunData};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunView<'a> {
    pub id: String,
    /// When it began: RFC 3339 in UTC.
    pub began: String,
    /// What it was asked for. None when the records do not say.
    pub run: Option<Run>,
    pub end: RunEndView,
    /// Why it ended so.
    pub rationale: Option<String>,
    pub commit: Option<String>,
    /// Microseconds.
    pub micros: Option<u64>,
    pub branch: Option<String>,
    pub rounds: Vec<RoundView<'a>>,
    #[serde(skip)]
    pub audit: Option<AuditPair>,
    /// Of a run of `host fix`.
    pub issues: Vec<IssueView>,
    pub unread: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEndView {
    /// What it is at; None before the first answer.
    Running(Option<Phase>),
    Interrupted,
    Ended(RecordedEnd),
}

impl RunEndView {
    pub fn as_str(&self) -> &str {
        match self {
            RunEndView::Running(_) => "running",
            RunEndView::Interrupted => "interrupted",
            RunEndView::Ended(end) => end.as_str(),
        }
    }

    /// The name for display. A name that a newer version recorded is shown unchanged.
    pub fn words(&self) -> &str {
        match self {
            RunEndView::Ended(RecordedEnd::Known(end)) => end.words(),
            RunEndView::Running(_) | RunEndView::Interrupted | RunEndView::Ended(RecordedEnd::Unknown(_)) => {
                self.as_str()
            }
        }
    }
}

impl RunView<'_> {
    /// What a person would call the run: the first line of its task, or its id.
    pub fn title(&self) -> &str {
        let task = self.run.as_ref().and_then(|run| run.task.lines().find(|line| !line.trim().is_empty()));
        task.unwrap_or(&self.id)
    }

    /// The end of the id, which differs between runs of the same hour.
    pub fn short_id(&self) -> &str {
        let start = self.id.char_indices().rev().nth(7).map_or(0, |(at, _)| at);
        &self.id[start..]
    }

    /// Who gave the last answer, or who was to be asked; empty where no provider was.
    pub fn provider(&self) -> &str {
        let last = self.rounds.iter().rev().find_map(|round| round.provider.as_deref());
        last.or(self.run.as_ref().map(|run| run.provider.as_str())).unwrap_or_default()
    }

    /// The run as a list shows it.
    pub fn summary(&self) -> RunSummary {
        let run = self.run.as_ref();
        let origin = run.map(|run| &run.origin);
        let part = origin.and_then(|origin| origin.plan.clone().or_else(|| origin.part_of.clone()));
        let last = self.rounds.iter().rev().find(|round| round.provider.is_some());
        let guards = self.rounds.iter().flat_map(|round| round.guards.iter().filter(|guard| guard.is_blocking()));
        RunSummary {
            id: self.id.clone(),
            began: self.began.clone(),
            outcome: self.end.as_str().to_owned(),
            command: run.map(|run| run.command.as_str().to_owned()).unwrap_or_default(),
            title: self.title().to_owned(),
            provider: self.provider().to_owned(),
            model: last.and_then(|round| round.model.clone()).unwrap_or_default(),
            plan: part.unwrap_or_default(),
            step: origin.and_then(|origin| origin.step.clone()).unwrap_or_default(),
            micros: self.micros,
            usage: self.usage(),
            rounds: self.rounds.iter().map(|round| (round.number, round.end)).collect(),
            guards: guards.map(|guard| guard.id.clone()).collect(),
            ..RunSummary::default()
        }
    }

    /// The sum over all rounds; only what the providers report.
    pub fn usage(&self) -> Usage {
        let add = |a: Option<u64>, b: Option<u64>| a.map_or(b, |a| Some(a.saturating_add(b.unwrap_or_default())));
        self.rounds.iter().fold(Usage::default(), |sum, round| Usage {
            input_tokens: add(sum.input_tokens, round.usage.input_tokens),
            output_tokens: add(sum.output_tokens, round.usage.output_tokens),
            cost_usd: sum
                .cost_usd
                .map_or(round.usage.cost_usd, |cost| Some(cost + round.usage.cost_usd.unwrap_or_default())),
        })
    }
}

/// The runs of a bundle, newest first.
pub fn runs(bundle: &Bundle) -> Vec<RunView<'_>> {
    let mut objects: BTreeMap<&str, Vec<&Object>> = BTreeMap::new();
    for object in bundle.objects.values() {
        objects.entry(object.run()).or_default().push(object);
    }
    let mut ids: Vec<&str> = bundle.runs.keys().map(String::as_str).chain(objects.keys().copied()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut views: Vec<RunView<'_>> =
        ids.into_iter().map(|id| view(bundle, id, objects.get(id).cloned().unwrap_or_default())).collect();
    newest_first(&mut views);
    views
}

pub fn newest_first(views: &mut [RunView<'_>]) {
    views.sort_by(|a, b| (&b.began, &b.id).cmp(&(&a.began, &a.id)));
}

fn view<'a>(bundle: &'a Bundle, id: &str, mut objects: Vec<&Object>) -> RunView<'a> {
    static NONE: RunData =
        RunData { seen: String::new(), alive: false, unread: 0, files: BTreeMap::new(), moments: BTreeMap::new() };
    let data = bundle.runs.get(id).unwrap_or(&NONE);
    objects.sort_by(|a, b| (&a.created_at, &a.object_id).cmp(&(&b.created_at, &b.object_id)));
    let history = History::from_objects(id.to_owned(), objects.into_iter().cloned().collect(), data.alive);
    let first = data.moments.values().next();
    let began = history.run().map(|(object, _)| object.created_at.clone());
    let began = began.or_else(|| first.map(|moment| moment.ts.clone())).unwrap_or_default();
    // Whatever came first: the object may be written a moment after the first event.
    let earliest = first.and_then(|moment| micros(&moment.ts)).into_iter().chain(micros(&began)).min();
    let source = Source { bundle, data, history: &history, began: earliest.unwrap_or_default() };
    let rounds: Vec<RoundView<'a>> = source.numbers().into_iter().map(|number| source.round(number)).collect();
    let ended = data.moments.values().rev().find(|moment| moment.event == "run-ended");
    let of_event = |key: &str| ended.and_then(|moment| moment.data.get(key));
    let outcome = history.end().and_then(|end| end.outcome.clone());
    let outcome = outcome.or_else(|| serde_json::from_value(of_event("outcome")?.clone()).ok());
    let end = match (outcome, history.state()) {
        (Some(outcome), _) => RunEndView::Ended(outcome),
        (None, State::Running) => RunEndView::Running(rounds.last().and_then(busy)),
        (None, State::Interrupted | State::Ended) => RunEndView::Interrupted,
    };
    RunView {
        id: id.to_owned(),
        began,
        run: history.run().map(|(_, run)| run.clone()).or_else(|| started(data)),
        end,
        rationale: history.end().and_then(|end| end.rationale.clone()),
        commit: history.commit().map(str::to_owned).or_else(|| of_event("commit")?.as_str().map(str::to_owned)),
        micros: history.end().map(|end| end.micros).or_else(|| of_event("micros")?.as_u64()),
        branch: history.branch(),
        rounds,
        audit: audit::pair(bundle, data),
        issues: issues::issues(&history),
        unread: data.unread,
    }
}

fn busy(round: &RoundView<'_>) -> Option<Phase> {
    round.stages.iter().find(|view| view.state == StageState::Busy).map(|view| view.stage.phase())
}

/// From the first event, for a run whose objects have not arrived.
fn started(data: &RunData) -> Option<Run> {
    let started = data.moments.values().find(|moment| moment.event == "run-started")?;
    let text = |key: &str| started.data.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let rounds = started.data.get("rounds").and_then(|rounds| rounds.as_u64()).unwrap_or_default();
    Some(Run {
        command: RunCommand::Run,
        task: text("task"),
        commit: Some(text("base")).filter(|base| !base.is_empty()),
        provider: text("provider"),
        rounds: u32::try_from(rounds).unwrap_or(u32::MAX),
        ..Run::default()
    })
}
