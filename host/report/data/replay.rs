//! `host replay`: recorded judgements, judged again.

use std::path::PathBuf;

use guardhost_core::written::PathText;
use schemars::JsonSchema;
use serde::Serialize;

use crate::journal::RunCommand;

/// What was replayed, and whether all of it came out the same.
#[derive(Debug, Clone, Default)]
pub struct ReplayReport {
    /// In their order, a plan before its steps. Empty for a commit whose run is not recorded here.
    pub runs: Vec<RunReplay>,
    /// For a commit.
    pub commit: Option<CommitReplay>,
    /// The file that was written (`--export`).
    pub exported: Option<ExportedRuns>,
    /// With `--attest` or `--attestation`.
    pub attestation: Option<AttestationReplay>,
    pub notices: Vec<String>,
}

/// A signed statement about a commit, made or compared.
#[derive(Debug, Clone, PartialEq)]
pub struct AttestationReplay {
    pub path: PathBuf,
    pub commit: String,
    /// It was written, and not compared.
    pub is_written: bool,
    /// `PASSED`, `WARNED` or `FAILED`.
    pub result: String,
    pub signed: SignedReceipt,
    /// What differs now, as JSON pointers.
    pub differs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "exported")]
pub struct ExportedRuns {
    #[serde(with = "PathText")]
    pub path: PathBuf,
    pub bytes: u64,
    /// Not embedded in the host.
    pub components: u32,
}

/// One run.
#[derive(Debug, Clone, Default)]
pub struct RunReplay {
    pub run: String,
    pub command: RunCommand,
    /// The host that judged then, such as `guardhost/0.1.0`, and this one.
    pub host_then: String,
    pub host_now: String,
    pub problems: Vec<RecordProblem>,
    /// In the order of their rounds.
    pub changes: Vec<ChangeReplay>,
}

/// One judgement.
#[derive(Debug, Clone, Default)]
pub struct ChangeReplay {
    /// The PatchSet that was judged.
    pub patchset: String,
    /// From 1.
    pub round: u32,
    /// The change with the guards' own fixes.
    pub fixed: bool,
    /// The recorded tree.
    pub tree: String,
    /// None when the change cannot be had any more.
    pub rebuilt: Option<Rebuilt>,
    pub problems: Vec<RecordProblem>,
    /// In their order. Empty when the change is missing.
    pub guards: Vec<GuardReplay>,
    /// None when none is recorded.
    pub receipt: Option<ReceiptReplay>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "rebuilt")]
pub enum Rebuilt {
    FromGit,
    FromDiff,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "recordProblem")]
pub struct RecordProblem {
    pub kind: ProblemKind,
    /// A file of the run's folder, or an object.
    pub what: String,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "problemKind")]
pub enum ProblemKind {
    RecordsChanged,
    /// The last line of `records.jsonl` has no end.
    RecordsTorn,
    RecordsUnreadable,
    ArtifactChanged,
    ArtifactMissing,
    /// An object of git is not what its name says.
    ObjectDamaged,
    /// Neither git nor the recorded diff gives the tree, or its base is gone.
    TreeMissing,
    /// The recorded diff makes another tree.
    TreeDiffers,
    /// The trees differ in other files than recorded.
    TouchedDiffer,
    /// The host's own rules are not those of the record.
    RulesDiffer,
    CommitDiffers,
    SignatureNotGood,
    /// Its base commit is not here, or its rules cannot be read.
    NotJudged,
}

/// One guard, or a rule of the host.
#[derive(Debug, Clone, PartialEq)]
pub struct GuardReplay {
    pub id: String,
    pub outcome: GuardOutcome,
    /// None: it did not judge.
    pub recorded: Option<GuardSide>,
    pub replayed: Option<GuardSide>,
    /// Recorded answers that it was given.
    pub answers: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "replayedSide")]
pub struct GuardSide {
    /// May be empty.
    pub version: String,
    /// `sha256:…`; may be empty.
    pub digest: String,
    /// A [verdict](#guardverdict).
    pub verdict: String,
}

/// How the two judgements of a guard compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuardOutcome {
    /// Byte for byte, but for times and caches.
    Same,
    /// The guard is another component now. None: it was not asked.
    ComponentDiffers { says_same: Option<bool> },
    /// The same component says something else. The fields of its evidence that differ.
    VerdictDiffers { fields: Vec<String> },
    /// It asked what no answer is recorded of.
    AnswersMissing(String),
    /// The rules have it, and it could not be loaded.
    CannotLoad(String),
    /// This machine, or the repository, failed.
    CannotJudge(String),
    /// The rules no longer have it.
    Missing,
    /// The record does not have it.
    New,
}

impl GuardOutcome {
    /// The word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            GuardOutcome::Same => "same",
            GuardOutcome::ComponentDiffers { .. } => "component-differs",
            GuardOutcome::VerdictDiffers { .. } => "verdict-differs",
            GuardOutcome::AnswersMissing(_) => "answers-missing",
            GuardOutcome::CannotLoad(_) => "cannot-load",
            GuardOutcome::CannotJudge(_) => "cannot-judge",
            GuardOutcome::Missing => "missing",
            GuardOutcome::New => "new",
        }
    }

    pub fn is_same(&self) -> bool {
        match self {
            GuardOutcome::Same => true,
            GuardOutcome::ComponentDiffers { .. }
            | GuardOutcome::VerdictDiffers { .. }
            | GuardOutcome::AnswersMissing(_)
            | GuardOutcome::CannotLoad(_)
            | GuardOutcome::CannotJudge(_)
            | GuardOutcome::Missing
            | GuardOutcome::New => false,
        }
    }
}

/// Two receipts of one judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptReplay {
    pub recorded: String,
    pub replayed: String,
}

impl ReceiptReplay {
    pub fn is_same(&self) -> bool {
        self.recorded == self.replayed
    }
}

/// What the signature of a receipt is worth.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReceiptSignature {
    #[default]
    Unsigned,
    /// Of a key that is allowed to sign.
    Good {
        /// The name of the key in the list of allowed signers.
        signer: String,
        /// `SHA256:…`, the fingerprint of the key.
        key: String,
    },
    /// Right, of a key that no list allows.
    UnknownKey { key: String },
    /// Of another change or receipt, or changed since.
    Wrong { key: String },
    /// No signature of Ed25519 in the form of `ssh-keygen -Y`.
    Unreadable,
}

impl ReceiptSignature {
    /// The word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            ReceiptSignature::Unsigned => "unsigned",
            ReceiptSignature::Good { .. } => "good",
            ReceiptSignature::UnknownKey { .. } => "unknown-key",
            ReceiptSignature::Wrong { .. } => "wrong",
            ReceiptSignature::Unreadable => "unreadable",
        }
    }

    /// The name of the signer, and the fingerprint of the key.
    pub fn by(&self) -> (Option<&str>, Option<&str>) {
        match self {
            ReceiptSignature::Good { signer, key } => (Some(signer), Some(key)),
            ReceiptSignature::UnknownKey { key } | ReceiptSignature::Wrong { key } => (None, Some(key)),
            ReceiptSignature::Unsigned | ReceiptSignature::Unreadable => (None, None),
        }
    }
}

/// The signature of a commit's receipt, and whether there must be one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SignedReceipt {
    pub signature: ReceiptSignature,
    /// The caller listed who may sign.
    pub is_demanded: bool,
}

impl SignedReceipt {
    /// What is wrong is never good enough; what is missing or of a stranger is, where nobody demands a signature.
    pub fn is_enough(&self) -> bool {
        match &self.signature {
            ReceiptSignature::Good { .. } => true,
            ReceiptSignature::Unsigned | ReceiptSignature::UnknownKey { .. } => !self.is_demanded,
            ReceiptSignature::Wrong { .. } | ReceiptSignature::Unreadable => false,
        }
    }
}

/// A commit, judged again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommitReplay {
    pub commit: String,
    pub run: Option<String>,
    /// Otherwise the commit was judged by itself.
    pub is_recorded: bool,
    /// Of the commit by itself.
    pub guards: Vec<CommitGuard>,
    pub receipt: Option<ReceiptReplay>,
    pub signed: SignedReceipt,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "commitGuard")]
pub struct CommitGuard {
    pub id: String,
    pub replayed: GuardSide,
    /// `task`, `commits`, `answers`.
    pub needs: Vec<String>,
}

impl ChangeReplay {
    pub fn is_same(&self) -> bool {
        self.problems.is_empty()
            && self.rebuilt.is_some()
            && self.guards.iter().all(|guard| guard.outcome.is_same())
            && self.receipt.as_ref().is_none_or(ReceiptReplay::is_same)
    }
}

impl RunReplay {
    pub fn is_same(&self) -> bool {
        self.problems.is_empty() && self.changes.iter().all(ChangeReplay::is_same)
    }

    /// Every problem of the run and of its changes.
    pub fn all_problems(&self) -> impl Iterator<Item = &RecordProblem> {
        self.problems.iter().chain(self.changes.iter().flat_map(|change| &change.problems))
    }
}

impl CommitReplay {
    /// The receipt of the commit is that of this judgement, and its signature is enough. A commit without one proves nothing by itself.
    pub fn is_same(&self) -> bool {
        self.signed.is_enough() && self.receipt.as_ref().map_or(self.is_recorded, ReceiptReplay::is_same)
    }
}

impl AttestationReplay {
    /// Of an allowed signer, and what guards say now.
    pub fn is_same(&self) -> bool {
        self.signed.is_enough() && self.differs.is_empty()
    }
}

impl ReplayReport {
    /// Everything that was recorded came out the same.
    pub fn is_same(&self) -> bool {
        self.runs.iter().all(RunReplay::is_same)
            && self.commit.as_ref().is_none_or(CommitReplay::is_same)
            && self.attestation.as_ref().is_none_or(AttestationReplay::is_same)
    }
}
