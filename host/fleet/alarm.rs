//! What a person must look at: two machines of one fleet do not agree, or one of them is not who it says.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::job::JobId;

/// Why there is an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlarmKind {
    /// Two workers judged the same job and said different things. One of them lies, is broken, or runs what is not deterministic.
    Nondeterminism,
    /// A kept verdict of a guard is not what the guard says when it is asked again.
    WrongVerdict,
    /// A result or a kept verdict is not signed by a key that is known.
    UnknownKey,
    /// A job that no worker could read was dropped.
    UnreadableJob,
}

impl AlarmKind {
    pub const ALL: [AlarmKind; 4] =
        [AlarmKind::Nondeterminism, AlarmKind::WrongVerdict, AlarmKind::UnknownKey, AlarmKind::UnreadableJob];

    /// Stable, kebab-case.
    pub fn as_str(self) -> &'static str {
        match self {
            AlarmKind::Nondeterminism => "nondeterminism",
            AlarmKind::WrongVerdict => "wrong-verdict",
            AlarmKind::UnknownKey => "unknown-key",
            AlarmKind::UnreadableJob => "unreadable-job",
        }
    }
}

/// An alarm. It is kept by the queue, and shown by `host fleet status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    pub kind: AlarmKind,
    pub job: JobId,
    /// Names and keys of both workers; the one whose word was kept comes first.
    pub workers: Vec<String>,
    /// What differs, for people.
    pub detail: String,
    /// When it was raised, by the clock of the machine that raised it: RFC 3339.
    pub at: String,
}

/// Bytes of a detail.
const DETAIL: usize = 2_000;

impl Alarm {
    pub fn new(kind: AlarmKind, job: &JobId, workers: &[String], detail: &str) -> Self {
        let detail = detail.chars().filter(|c| !c.is_control()).take(DETAIL).collect();
        Alarm { kind, job: job.clone(), workers: workers.to_vec(), detail, at: jiff::Timestamp::now().to_string() }
    }
}

impl fmt::Display for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: job {}, workers {}: {}", self.kind.as_str(), self.job, self.workers.join(" and "), self.detail)
    }
}
