//! A kept verdict, and the file of all that are kept of one change: two lines of JSON each. The second has the questions, and is read only
//! where the trees differ.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::reads::{Reads, RepeatableQuestion, Room};
use super::{LARGEST, SharedEntry};
use crate::call::CallOutcome;
use crate::grant::PathScope;
use crate::judge::change_view::{ChangeView, TreeSide};
use crate::limits::HostWork;
use guardhost_core::change::{Basis, Finding, GuardVerdict, Inapplicable, LogLine, RepoPath};

/// One guard's verdict.
#[derive(Clone)]
pub struct VerdictEntry {
    /// See [`super::key`].
    pub guard: String,
    head: EntryHead,
    /// The questions about trees, as JSON: [`Questions`].
    questions: String,
    /// As a machine of the fleet wrote it.
    pub sealed: Option<SharedEntry>,
}

type Questions = BTreeMap<String, String>;

#[derive(Clone, Serialize, Deserialize)]
struct EntryHead {
    guard: String,
    /// Of both sides.
    trees: [String; 2],
    /// Answers that do not depend on trees.
    about_change: Vec<(RepeatableQuestion, String)>,
    verdict: StoredVerdict,
    fuel: u64,
    memory: u64,
    calls: u32,
    bytes: u64,
    /// The bits of each figure: JSON does not hold every one exactly.
    metrics: BTreeMap<String, u64>,
    log: Vec<(LogLevel, String)>,
    /// The language components that it asked, with their digests. That these are the same is part of the guard's key.
    languages: BTreeMap<String, String>,
}

/// An error is never kept.
#[derive(Clone, Serialize, Deserialize)]
enum StoredVerdict {
    Pass(Vec<Finding>),
    Reject(Vec<Finding>),
    NotApplicable(String),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum LogLevel {
    Debug,
    Info,
    Warn,
    Error,
    Stderr,
}

impl VerdictEntry {
    /// None for an outcome that must not be reused.
    pub fn new(guard: String, change: &ChangeView, outcome: &CallOutcome) -> Option<Self> {
        let verdict = StoredVerdict::from_verdict(&outcome.verdict)?;
        let mut reads = outcome.reads.clone();
        // A finding is checked against what stands at its paths.
        for path in outcome.verdict.findings().iter().flat_map(|finding| other_files(finding, change)) {
            let named = RepoPath::from_form(path);
            let stands = |side| change.entry(side, &named).is_ok_and(|entry| entry.is_some());
            if !stands(TreeSide::Before) && !stands(TreeSide::After) {
                // A path with control characters, which reports show in another form: it cannot be asked for again.
                return None;
            }
            reads.note(RepeatableQuestion::Entry(TreeSide::Before, path.clone()), change);
            reads.note(RepeatableQuestion::Entry(TreeSide::After, path.clone()), change);
        }
        let (about_trees, about_change): (Vec<_>, Vec<_>) =
            reads.answers()?.clone().into_iter().partition(|(question, _)| question.is_about_trees());
        let line = |(question, answer)| Some((serde_json::to_string(&question).ok()?, answer));
        let questions = about_trees.into_iter().map(line).collect::<Option<Questions>>()?;
        let questions = serde_json::to_string(&questions).ok()?;
        let HostWork { calls, bytes } = outcome.host_work;
        let head = EntryHead {
            guard: guard.clone(),
            trees: trees(change),
            about_change,
            verdict,
            fuel: outcome.fuel,
            memory: outcome.memory,
            calls,
            bytes,
            metrics: outcome.metrics.iter().map(|(name, value)| (name.clone(), value.to_bits())).collect(),
            log: outcome
                .log
                .iter()
                .map(|line| Some((LogLevel::from_name(line.level)?, line.text.clone())))
                .collect::<Option<_>>()?,
            languages: outcome.basis.languages.clone(),
        };
        (questions.len() <= LARGEST).then_some(VerdictEntry { guard, head, questions, sealed: None })
    }

    pub fn sealed(self, sealed: SharedEntry) -> Self {
        VerdictEntry { sealed: Some(sealed), ..self }
    }

    /// The other machine that wrote it.
    pub fn author(&self) -> Option<&str> {
        self.sealed.as_ref()?.author.as_deref()
    }

    /// Whether it is the same entry of the same machine.
    pub fn is(&self, other: &VerdictEntry) -> bool {
        self.sealed.is_some() && self.sealed == other.sealed
    }

    /// Whether both say the same of a change.
    pub fn says_the_same(&self, other: &VerdictEntry) -> bool {
        let said = |entry: &VerdictEntry| {
            serde_json::to_vec(&(&entry.head.verdict, &entry.head.metrics, &entry.head.log)).ok()
        };
        said(self) == said(other)
    }

    /// The outcome, if each question is answered now as it was then. `scope` is what the guard may read.
    pub fn outcome(&self, change: &ChangeView, scope: &PathScope) -> Option<CallOutcome> {
        let mut room = Room::new(self.head.calls, self.head.bytes);
        let mut same = |question: &RepeatableQuestion, answer: &str| question.holds(answer, change, scope, &mut room);
        if !self.head.about_change.iter().all(|(question, answer)| same(question, answer)) {
            return None;
        }
        if self.head.trees != trees(change) {
            let questions: Questions = serde_json::from_str(&self.questions).ok()?;
            let read = |question: &str| serde_json::from_str::<RepeatableQuestion>(question).ok();
            if !questions.iter().all(|(question, answer)| read(question).is_some_and(|asked| same(&asked, answer))) {
                return None;
            }
        }
        let EntryHead { verdict, fuel, memory, calls, bytes, metrics, log, .. } = self.head.clone();
        Some(CallOutcome {
            verdict: verdict.into(),
            fuel,
            memory,
            host_work: HostWork { calls, bytes },
            metrics: metrics.into_iter().map(|(name, bits)| (name, f64::from_bits(bits))).collect(),
            log: log.into_iter().map(|(level, text)| LogLine { level: level.as_str(), text }).collect(),
            reads: Reads::default(),
            basis: self.basis(),
        })
    }
}

impl VerdictEntry {
    /// Guards that were told more than this are called each time.
    fn basis(&self) -> Basis {
        let asked = |wanted: &RepeatableQuestion| self.head.about_change.iter().any(|(question, _)| question == wanted);
        Basis {
            task: asked(&RepeatableQuestion::Task),
            commits: asked(&RepeatableQuestion::Commits),
            languages: self.head.languages.clone(),
            ..Basis::default()
        }
    }
}

/// The bytes of a file of these entries.
pub fn write(entries: &[VerdictEntry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        if let Ok(head) = serde_json::to_vec(&entry.head) {
            bytes.extend([head.as_slice(), b"\n", entry.questions.as_bytes(), b"\n"].concat());
        }
    }
    bytes
}

/// What cannot be read is not there.
pub fn read(bytes: &[u8]) -> Vec<VerdictEntry> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let mut lines = text.lines();
    let mut entries = Vec::new();
    while let (Some(head), Some(questions)) = (lines.next(), lines.next()) {
        if let Ok(head) = serde_json::from_str::<EntryHead>(head) {
            entries.push(VerdictEntry {
                guard: head.guard.clone(),
                head,
                questions: questions.to_owned(),
                sealed: None,
            });
        }
    }
    entries
}

fn trees(change: &ChangeView) -> [String; 2] {
    [TreeSide::Before, TreeSide::After].map(|side| change.tree(side).to_string())
}

/// Paths that the change does not touch.
fn other_files<'f>(finding: &'f Finding, change: &'f ChangeView) -> impl Iterator<Item = &'f String> {
    let related = finding.related.iter().map(|place| &place.path);
    let edited = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.path);
    let touched = |path: &&String| change.candidate.files.iter().any(|file| file.path.to_string() == **path);
    finding.path.iter().chain(related).chain(edited).filter(move |path| !touched(path))
}

impl StoredVerdict {
    fn from_verdict(verdict: &GuardVerdict) -> Option<Self> {
        // What stands in a file of the cache must not be a secret, and has to be read back as it was.
        let can_be_kept = |finding: &Finding| {
            let text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
            !finding.is_secret && finding.fix.iter().flat_map(|fix| &fix.edits).all(|edit| text(&edit.replacement))
        };
        if !verdict.findings().iter().all(can_be_kept) {
            return None;
        }
        match verdict {
            GuardVerdict::Pass(findings) => Some(StoredVerdict::Pass(findings.clone())),
            GuardVerdict::Reject(findings) => Some(StoredVerdict::Reject(findings.clone())),
            GuardVerdict::NotApplicable(Inapplicable::NothingHere(why)) => {
                Some(StoredVerdict::NotApplicable(why.clone()))
            }
            // Of no call.
            GuardVerdict::NotApplicable(
                Inapplicable::NoFile(_)
                | Inapplicable::OtherStage(_)
                | Inapplicable::NotCalled(_)
                | Inapplicable::NotOffered(_),
            )
            | GuardVerdict::Error { .. } => None,
        }
    }
}

impl From<StoredVerdict> for GuardVerdict {
    fn from(verdict: StoredVerdict) -> Self {
        match verdict {
            StoredVerdict::Pass(findings) => GuardVerdict::Pass(findings),
            StoredVerdict::Reject(findings) => GuardVerdict::Reject(findings),
            StoredVerdict::NotApplicable(why) => GuardVerdict::NotApplicable(Inapplicable::NothingHere(why)),
        }
    }
}

impl LogLevel {
    fn from_name(word: &str) -> Option<Self> {
        [LogLevel::Debug, LogLevel::Info, LogLevel::Warn, LogLevel::Error, LogLevel::Stderr]
            .into_iter()
            .find(|level| level.as_str() == word)
    }

    fn as_str(self) -> &'static str {
        match self {
            LogLevel::Debug => "debug",
            LogLevel::Info => "info",
            LogLevel::Warn => "warn",
            LogLevel::Error => "error",
            LogLevel::Stderr => "stderr",
        }
    }
}
