//! `host log` and `host show` with an observer: runs of this repository that other machines made, beside those of this one.

use guardhost_core::change::AttemptOutcome;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::journal::{ListedRun, State};
use crate::rulings::PastRuling;

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "log")]
pub struct LogReport {
    /// Newest first.
    pub runs: Vec<ListedRun>,
    /// With an [observer](observer.md); its keys are absent otherwise.
    #[serde(flatten)]
    pub shared: Option<SharedLog>,
    /// With `--rulings`: [judgements](remember.md), newest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rulings: Option<Vec<PastRuling>>,
    #[serde(skip_serializing_if = "is_zero")]
    pub unread_rulings: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What an observer tells.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "sharedLog")]
pub struct SharedLog {
    pub machine: Option<String>,
    /// Of other machines, newest first. `-n` counts both lists together.
    #[serde(rename = "elsewhere")]
    pub runs: Vec<SharedRun>,
    /// Why the observer did not answer.
    pub notices: Vec<String>,
}

/// A run that an observer knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "sharedSummary")]
pub struct SharedRun {
    pub run: String,
    pub state: State,
    pub machine: Option<String>,
    /// The program.
    pub agent: String,
    /// RFC 3339, UTC.
    pub ended_at: String,
    /// Its first line.
    #[serde(rename = "task")]
    pub title: Option<String>,
    #[serde(rename = "outcome")]
    pub ending: AttemptOutcome,
    pub model: Option<String>,
    pub branch: Option<String>,
    pub commit: Option<String>,
    /// Of a step: the plan's run.
    pub plan: Option<String>,
    pub step: Option<String>,
    pub touched: Vec<String>,
    /// Guards that rejected, or errors.
    pub failure_modes: Vec<String>,
}

/// A line of `host log`.
#[derive(Debug, Clone, Copy)]
pub enum LogRow<'a> {
    Here(&'a ListedRun),
    Elsewhere(&'a SharedRun),
}

impl LogReport {
    /// Of both, newest first. A run of this machine counts from its beginning, one from elsewhere from its end: the observer's clock knows
    /// no other time of it.
    pub fn rows(&self) -> Vec<LogRow<'_>> {
        let here = self.runs.iter().map(|run| (began(run), LogRow::Here(run)));
        let shared = self.shared.iter().flat_map(|shared| &shared.runs);
        let elsewhere = shared.map(|run| (time(&run.ended_at), LogRow::Elsewhere(run)));
        let mut rows: Vec<_> = here.chain(elsewhere).collect();
        // Stable: runs of this machine keep the order of their ids.
        rows.sort_by(|(a, _), (b, _)| b.cmp(a));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// The newest `most` of both.
    pub fn newest(mut self, most: usize) -> Self {
        let kept = self.rows().into_iter().take(most);
        let (mut here, mut elsewhere) = (0, 0);
        for row in kept {
            match row {
                LogRow::Here(_) => here += 1,
                LogRow::Elsewhere(_) => elsewhere += 1,
            }
        }
        self.runs.truncate(here);
        if let Some(shared) = &mut self.shared {
            shared.runs.truncate(elsewhere);
        }
        self
    }
}

/// Milliseconds since 1970; 0 when nothing tells.
fn began(run: &ListedRun) -> i64 {
    match &run.created_at {
        Some(created) => time(created),
        // It was killed before its first record: its id begins with the time.
        None => Uuid::parse_str(&run.run).ok().and_then(|id| id.get_timestamp()).map_or(0, |time| {
            let (seconds, nanos) = time.to_unix();
            i64::try_from(seconds * 1_000 + u64::from(nanos / 1_000_000)).unwrap_or_default()
        }),
    }
}

fn time(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().map_or(0, |time| time.as_millisecond())
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "sharedRunDetails")]
pub struct SharedRunReport {
    #[serde(flatten)]
    pub run: SharedRun,
    /// At the observer.
    pub page: Option<String>,
    /// Of the commit.
    pub diff: Option<String>,
}
