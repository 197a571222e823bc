//! `host pr queue`: which open pull requests go together.

use guardhost_core::change::{Evidence, Judgement, Oid};
use guardhost_core::written::OptionalHex;
use guardhost_core::{written_as, written_from};
use schemars::JsonSchema;
use serde::Serialize;

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
    pub fn as_str(&self) -> &'static str {
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

/// Which open pull requests go together.
#[derive(Serialize, JsonSchema)]
#[serde(remote = "QueueReport")]
#[schemars(rename = "queue")]
struct QueueKeys {
    /// The run in whose folder the command is recorded.
    run: String,
    /// The branch that they are to be merged into.
    base: String,
    #[serde(with = "OptionalHex")]
    commit: Option<Oid>,
    /// Each of them can be merged, one after the other.
    #[serde(getter = "QueueReport::all_fit")]
    fits: bool,
    /// Oldest first, as they would be merged.
    pulls: Vec<QueuedPull>,
    /// Those that fit by themselves, and not together.
    breaks: Vec<PullBreak>,
    /// How often the guards were asked.
    judged: usize,
    notices: Vec<String>,
    micros: u64,
}

written_as!(QueueReport, QueueKeys);

/// An open pull request, and what became of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "queuedPull")]
struct QueuedPullKeys<'a> {
    number: u64,
    title: &'a str,
    url: &'a str,
    draft: bool,
    #[serde(with = "OptionalHex")]
    commit: Option<Oid>,
    /// `fits`, `nothing` (the base has its commit already), `conflicts`, `rejected` (by the guards, by itself) or `breaks` (it goes by
    /// itself, and not with others).
    outcome: &'static str,
    /// The tree of those before it that fit, and this one.
    #[serde(with = "OptionalHex")]
    prefix: Option<Oid>,
    /// The paths that do not merge with the base.
    conflicts: &'a [String],
    /// The guards that object.
    guards: Vec<&'a Evidence>,
}

impl<'a> From<&'a QueuedPull> for QueuedPullKeys<'a> {
    fn from(pull: &'a QueuedPull) -> Self {
        let (prefix, conflicts, guards) = match &pull.place {
            QueuePlace::Fits { prefix } => (Some(*prefix), &[][..], Vec::new()),
            QueuePlace::Conflicts(paths) => (None, paths.as_slice(), Vec::new()),
            QueuePlace::Rejected(judgement) => (None, &[][..], against(judgement)),
            QueuePlace::Nothing | QueuePlace::Breaks => (None, &[][..], Vec::new()),
        };
        QueuedPullKeys {
            number: pull.number,
            title: &pull.title,
            url: &pull.url,
            draft: pull.draft,
            commit: pull.commit,
            outcome: pull.place.as_str(),
            prefix,
            conflicts,
            guards,
        }
    }
}

written_from!(QueuedPull, QueuedPullKeys<'_>);

/// Pull requests that do not go together.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "pullBreak")]
struct PullBreakKeys<'a> {
    /// Two numbers; more where no two of them do it.
    pulls: &'a [u64],
    /// They change the same lines of these files. Empty: they merge, and the guards reject what comes of it.
    conflicts: &'a [String],
    /// The guards that object.
    guards: Vec<&'a Evidence>,
}

impl<'a> From<&'a PullBreak> for PullBreakKeys<'a> {
    fn from(PullBreak { pulls, conflicts, judgement }: &'a PullBreak) -> Self {
        PullBreakKeys { pulls, conflicts, guards: judgement.as_ref().map(against).unwrap_or_default() }
    }
}

written_from!(PullBreak, PullBreakKeys<'_>);

/// The guards that object, monitored ones included.
fn against(judgement: &Judgement) -> Vec<&Evidence> {
    judgement.evidence.iter().filter(|guard| guard.verdict.kind().is_blocking()).collect()
}
