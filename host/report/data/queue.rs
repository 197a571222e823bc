//! `host pr queue`: which open pull requests go together.

use guardhost_core::change::{Evidence, Judgement, Oid};
use guardhost_core::written::OptionalHex;
use guardhost_core::{written_as, written_from};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Default)]
pub struct QueueReport {
    pub run: String,
    /// Into which they are to be merged.
    pub base: String,
    pub commit: Option<Oid>,
    /// Oldest first.
    pub pulls: Vec<QueuedPull>,
    /// Fit by themselves, and not together.
    pub breaks: Vec<PullBreak>,
    /// How often the guards were asked.
    pub judged: usize,
    pub notices: Vec<String>,
    /// Wall time.
    pub micros: u64,
}

impl QueueReport {
    /// All can be merged, one after the other.
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
    /// Two, or more where no two do it.
    pub pulls: Vec<u64>,
    /// Files in which they conflict. Empty: the guards reject their merge.
    pub conflicts: Vec<String>,
    pub judgement: Option<Judgement>,
}

#[derive(Serialize, JsonSchema)]
#[serde(remote = "QueueReport")]
#[schemars(rename = "queue")]
struct QueueKeys {
    run: String,
    /// The branch to merge into.
    base: String,
    #[serde(with = "OptionalHex")]
    commit: Option<Oid>,
    /// All can be merged.
    #[serde(getter = "QueueReport::all_fit")]
    fits: bool,
    /// Oldest first.
    pulls: Vec<QueuedPull>,
    /// Pulls that fit alone, and not together.
    breaks: Vec<PullBreak>,
    /// How often guards were run.
    judged: usize,
    notices: Vec<String>,
    micros: u64,
}

written_as!(QueueReport, QueueKeys);

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "queuedPull")]
struct QueuedPullKeys<'a> {
    number: u64,
    title: &'a str,
    url: &'a str,
    draft: bool,
    #[serde(with = "OptionalHex")]
    commit: Option<Oid>,
    /// `fits`, `nothing`, `conflicts`, `rejected` or `breaks`: see [the queue](pull-requests.md#the-queue).
    outcome: &'static str,
    /// The tree with it and those before it.
    #[serde(with = "OptionalHex")]
    prefix: Option<Oid>,
    /// With the base.
    conflicts: &'a [String],
    /// Those that object.
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

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "pullBreak")]
struct PullBreakKeys<'a> {
    pulls: &'a [u64],
    /// Files. If empty, the guards reject the merge.
    conflicts: &'a [String],
    /// Those that object.
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
