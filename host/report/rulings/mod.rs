//! Rulings that a repository remembers: one line of JSON each, below the state directory, beside the journal of runs.
//!
//! `rulings/<milliseconds since 1970>.jsonl` is a segment; its name says when it was begun. The newest is appended to, and when it is large or
//! old another one is begun, and what is too much or too old is removed, a segment at a time. Nothing is locked: a line is one write to a file
//! that is open for appending, so that lines of several processes do not mix, and two processes that begin a segment at once begin two. A
//! killed process, or a loss of power, leaves at most lines that are cut or missing at the end: nothing waits for the disk. Each line begins
//! with a line feed, too, so that the one behind a cut line can be read.

mod alarms;
mod fate;
mod read;
mod stats;
mod store;

use std::path::PathBuf;

use guardhost_core::change::{RememberedRuling, RulingMemory};
use guardhost_core::error::Result;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use read::{Rulings, read};
pub use stats::stats;

/// A judgement, with when it was made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "pastRuling")]
pub struct PastRuling {
    /// RFC 3339 in UTC, with milliseconds.
    pub time: String,
    #[serde(flatten)]
    pub ruling: RememberedRuling,
}

/// Writes the rulings of one repository.
#[derive(Debug)]
pub struct RulingLog {
    pub state_dir: PathBuf,
    /// The agent that asks, for rulings that name none.
    pub agent: Option<String>,
}

impl RulingMemory for RulingLog {
    fn remember(&self, ruling: &RememberedRuling) -> Result<()> {
        let agent = ruling.agent.clone().or_else(|| self.agent.clone());
        let now = Timestamp::now();
        let past = PastRuling { time: format!("{now:.3}"), ruling: RememberedRuling { agent, ..ruling.clone() } };
        store::append(&self.state_dir, &past, now)
    }
}
