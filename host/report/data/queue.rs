//! `host pr queue`: which open pull requests go together.

use guardhost_core::change::{Judgement, Oid};

#[derive(Debug, Clone, Default)]
pub struct QueueReport {
    /// The run in whose folder the command is recorded.
    pub run: String,
    /// The branch that they are to be merged into.
    pub base: String,
    pub commit: Option<Oid>,
    /// Oldest first, as they would be merged.
    pub pulls: Vec<QueuedPull>,
    /// Those that fit by themselves, and not together.
    pub breaks: Vec<PullBreak>,
    /// How often the guards were asked.
    pub judged: usize,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

impl QueueReport {
    /// Each of them can be merged, one after the other.
    pub fn all_fit(&self) -> bool {
        self.pulls.iter().all(|pull| match pull.place {
            QueuePlace::Fits { .. } | QueuePlace::Nothing => true,
            QueuePlace::Conflicts(_) | QueuePlace::Rejected(_) | QueuePlace::Breaks => false,
        })
    }
}

#[derive(Debug, Clone)]
pub struct QueuedPull {
    pub number: u64,
    pub title: String,
    pub url: String,
    pub draft: bool,
    pub commit: Option<Oid>,
    pub place: QueuePlace,
}

/// What became of a pull request.
#[derive(Debug, Clone)]
pub enum QueuePlace {
    /// It goes with those before it that fit. The tree of all of them; it is in memory only.
    Fits { prefix: Oid },
    /// The base has its commit already.
    Nothing,
    /// It does not merge with the base: the paths.
    Conflicts(Vec<String>),
    /// The guards reject it by itself.
    Rejected(Judgement),
    /// It goes by itself, and not with others.
    Breaks,
}

impl QueuePlace {
    /// The word in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            QueuePlace::Fits { .. } => "fits",
            QueuePlace::Nothing => "nothing",
            QueuePlace::Conflicts(_) => "conflicts",
            QueuePlace::Rejected(_) => "rejected",
            QueuePlace::Breaks => "breaks",
        }
    }
}

/// Pull requests that do not go together.
#[derive(Debug, Clone)]
pub struct PullBreak {
    /// Two numbers; more where no two of them do it.
    pub pulls: Vec<u64>,
    /// They change the same lines of these files. Empty: they merge, and the guards reject what comes of it.
    pub conflicts: Vec<String>,
    pub judgement: Option<Judgement>,
}
