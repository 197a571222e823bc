//! What a list says of a run. A server makes it of events as they come, so that a list of many runs reads no event; a report makes it of
//! the run's view.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use guardhost_core::change::{RecordedEnd, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::round::{Phase, RoundEnd};
use super::run::RunEndView;
use crate::bundle::RECORD;

/// Characters of a name or title that are kept: what a row shows.
const LONGEST: usize = 200;
/// Rounds, and guards, that are kept of one run.
const MOST: usize = 200;

/// A run in a list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSummary {
    pub id: String,
    /// What people call the repository, or its id at the observer. This and the next three are empty where nothing said it.
    pub repository: String,
    pub person: String,
    pub machine: String,
    /// The agent whose shell started it.
    pub agent: String,
    /// When it began, and when it was last heard of; RFC 3339 in UTC.
    pub began: String,
    pub heard: String,
    /// How it ended, in the words of the records; empty before.
    pub outcome: String,
    /// What it is at, before it ends; None before the first event.
    pub phase: Option<Phase>,
    /// The command, in the words of the records.
    pub command: String,
    /// The first line of its task.
    pub title: String,
    pub provider: String,
    pub model: String,
    /// The run that this one is a step or a part of; empty for one that stands alone.
    pub plan: String,
    pub step: String,
    /// Microseconds.
    pub micros: Option<u64>,
    pub usage: Usage,
    pub rounds: BTreeMap<u32, RoundEnd>,
    /// Those that rejected.
    pub guards: BTreeSet<String>,
}

impl RunSummary {
    /// Takes in one event of the run. What it says is set, never counted: an event that comes twice changes nothing.
    pub fn add_event(&mut self, name: &str, line: &Value) {
        let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
        let round = line.get("round").and_then(Value::as_u64).and_then(|round| u32::try_from(round).ok()).unwrap_or(0);
        if let Some(phase) = Phase::from_event(name) {
            self.phase = Some(phase);
        }
        if round > 0 && self.rounds.len() < MOST {
            self.rounds.entry(round).or_insert(RoundEnd::Open);
        }
        let mut ends = |end: RoundEnd| self.rounds.get_mut(&round).into_iter().for_each(|known| *known = end);
        match name {
            "run-started" => {
                self.title = first_line(text("task"));
                self.provider = cut_name(text("provider"));
            }
            "asking" => self.provider = cut_name(text("provider")),
            "replied" => {
                self.provider = cut_name(text("provider"));
                self.model = cut_name(text("model"));
            }
            // A guard that only watches rejects nothing.
            "judged" if text("verdict") == "reject" && text("mode") != "monitor" => {
                ends(RoundEnd::Rejected);
                if self.guards.len() < MOST {
                    self.guards.insert(cut_name(text("id")));
                }
            }
            "no-patch" | "refused" | "misfit" => ends(RoundEnd::Unusable),
            "committed" | "staged" => ends(RoundEnd::Accepted),
            "run-ended" => self.end(text("outcome"), line.get("micros").and_then(Value::as_u64)),
            RECORD => self.add_object(line.get("object").unwrap_or(&Value::Null)),
            _ => {}
        }
    }

    /// Of a run without a trace, its objects say what its events would.
    fn add_object(&mut self, object: &Value) {
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("object_type") {
            "run" => {
                self.command = cut_name(text("command"));
                self.title = first_line(text("task"));
                self.step = cut_name(text("step"));
                self.plan =
                    cut_name([text("plan"), text("part_of")].into_iter().find(|id| !id.is_empty()).unwrap_or_default());
                if self.provider.is_empty() {
                    self.provider = cut_name(text("provider"));
                }
            }
            "decision" => {
                let spent = object.get("spent").and_then(|spent| serde_json::from_value(spent.clone()).ok());
                self.usage = spent.unwrap_or(self.usage);
                if !text("outcome").is_empty() {
                    self.end(text("outcome"), object.get("micros").and_then(Value::as_u64));
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, outcome: &str, micros: Option<u64>) {
        self.outcome = cut_name(outcome);
        self.micros = micros.or(self.micros);
        // The last round is the one that the end interrupts, if it came to nothing before.
        if let Some(open) = self.rounds.values_mut().next_back().filter(|end| **end == RoundEnd::Open) {
            *open = if outcome == "no-change" { RoundEnd::NoChange } else { RoundEnd::Failed };
        }
    }

    /// How it stands: a run that has not ended, and of which nothing was heard in the last `quiet`, was interrupted.
    pub fn end_view(&self, now: jiff::Timestamp, quiet: Duration) -> RunEndView {
        if !self.outcome.is_empty() {
            let unknown = || RecordedEnd::Unknown(self.outcome.clone());
            let known = serde_json::from_value(Value::String(self.outcome.clone()));
            return RunEndView::Ended(known.unwrap_or_else(|_| unknown()));
        }
        let heard: Option<jiff::Timestamp> = self.heard.parse().ok();
        match heard.is_some_and(|heard| now.duration_since(heard).unsigned_abs() <= quiet) {
            true => RunEndView::Running(self.phase),
            false => RunEndView::Interrupted,
        }
    }

    /// What a search looks through, in lower case.
    pub fn words(&self) -> String {
        let names = [&self.title, &self.id, &self.repository, &self.person, &self.machine, &self.agent, &self.provider];
        let more = [&self.model, &self.step, &self.command, &self.outcome];
        let all = names.into_iter().chain(more).chain(&self.guards).filter(|word| !word.is_empty());
        all.map(|word| word.to_lowercase()).collect::<Vec<_>>().join("\n")
    }

    /// What a person would call it.
    pub fn name(&self) -> &str {
        if self.title.is_empty() { &self.id } else { &self.title }
    }
}

/// Cuts a name to [`LONGEST`] characters.
fn cut_name(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

fn first_line(task: &str) -> String {
    cut_name(task.lines().find(|line| !line.trim().is_empty()).unwrap_or_default())
}
