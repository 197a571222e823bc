//! The JSON of `host replay`: what was recorded and what came out, with whether it is the same at every level.

use std::path::PathBuf;

use guardhost_core::written::PathText;
use guardhost_core::{written_as, written_from};
use schemars::JsonSchema;
use serde::Serialize;

use super::replay::{
    AttestationReplay, ChangeReplay, CommitGuard, CommitReplay, ExportedRuns, GuardOutcome, GuardReplay, GuardSide,
    Rebuilt, ReceiptReplay, RecordProblem, ReplayReport, RunReplay, SignedReceipt,
};
use crate::journal::RunCommand;

/// Recorded judgements, judged again ([what can differ](replay.md#what-can-differ)).
#[derive(Serialize, JsonSchema)]
#[serde(remote = "ReplayReport")]
#[schemars(rename = "replay")]
struct ReplayKeys {
    /// All is as recorded.
    #[serde(getter = "ReplayReport::is_same")]
    same: bool,
    /// In their order, a plan before its steps. Empty for a commit whose run is not recorded here.
    runs: Vec<RunReplay>,
    /// For a commit.
    commit: Option<CommitReplay>,
    /// The file that was written (`--export`).
    exported: Option<ExportedRuns>,
    /// With `--attest` or `--attestation`.
    attestation: Option<AttestationReplay>,
    notices: Vec<String>,
}

written_as!(ReplayReport, ReplayKeys);

/// One run.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "replayedRun")]
struct RunKeys<'a> {
    run: &'a str,
    command: &'a RunCommand,
    same: bool,
    host: Hosts<'a>,
    problems: &'a [RecordProblem],
    /// In the order of their rounds.
    changes: &'a [ChangeReplay],
}

/// The hosts that judged: name and version.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "hosts")]
struct Hosts<'a> {
    recorded: &'a str,
    replayed: &'a str,
}

impl<'a> From<&'a RunReplay> for RunKeys<'a> {
    fn from(run: &'a RunReplay) -> Self {
        RunKeys {
            run: &run.run,
            command: &run.command,
            same: run.is_same(),
            host: Hosts { recorded: &run.host_then, replayed: &run.host_now },
            problems: &run.problems,
            changes: &run.changes,
        }
    }
}

written_from!(RunReplay, RunKeys<'_>);

/// One judgement.
#[derive(Serialize, JsonSchema)]
#[serde(remote = "ChangeReplay")]
#[schemars(rename = "replayedChange")]
struct ChangeKeys {
    /// The PatchSet that was judged.
    patchset: String,
    /// From 1.
    round: u32,
    /// The change with the guards' own fixes.
    fixed: bool,
    /// The recorded tree.
    tree: String,
    /// `null` if the change is missing.
    rebuilt: Option<Rebuilt>,
    #[serde(getter = "ChangeReplay::is_same")]
    same: bool,
    problems: Vec<RecordProblem>,
    /// In their order. Empty when the change is missing.
    guards: Vec<GuardReplay>,
    /// `null` if none is recorded.
    receipt: Option<ReceiptReplay>,
}

written_as!(ChangeReplay, ChangeKeys);

/// One guard, or a rule of the host.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "replayedGuard")]
struct GuardKeys<'a> {
    id: &'a str,
    /// `same`, `component-differs`, `verdict-differs`, `answers-missing`, `cannot-load`, `cannot-judge`, `missing` or `new`.
    outcome: &'static str,
    /// Why it could not judge.
    reason: Option<&'a str>,
    /// The fields of its evidence that differ.
    fields: &'a [String],
    /// Whether another component says the same.
    says_same: Option<bool>,
    /// `null`: it did not judge.
    recorded: Option<&'a GuardSide>,
    replayed: Option<&'a GuardSide>,
    /// Recorded answers that it was given.
    answers: u32,
}

impl<'a> From<&'a GuardReplay> for GuardKeys<'a> {
    fn from(guard: &'a GuardReplay) -> Self {
        let (reason, fields, says_same) = match &guard.outcome {
            GuardOutcome::Same | GuardOutcome::Missing | GuardOutcome::New => (None, &[][..], None),
            GuardOutcome::ComponentDiffers { says_same } => (None, &[][..], *says_same),
            GuardOutcome::VerdictDiffers { fields } => (None, fields.as_slice(), None),
            GuardOutcome::AnswersMissing(why) | GuardOutcome::CannotLoad(why) | GuardOutcome::CannotJudge(why) => {
                (Some(why.as_str()), &[][..], None)
            }
        };
        GuardKeys {
            id: &guard.id,
            outcome: guard.outcome.as_str(),
            reason,
            fields,
            says_same,
            recorded: guard.recorded.as_ref(),
            replayed: guard.replayed.as_ref(),
            answers: guard.answers,
        }
    }
}

written_from!(GuardReplay, GuardKeys<'_>);

/// Two receipts of one judgement.
#[derive(Serialize, JsonSchema)]
#[serde(remote = "ReceiptReplay")]
#[schemars(rename = "replayedReceipt")]
struct ReceiptKeys {
    recorded: String,
    replayed: String,
    #[serde(getter = "ReceiptReplay::is_same")]
    same: bool,
}

written_as!(ReceiptReplay, ReceiptKeys);

/// A commit, judged again.
#[derive(Serialize, JsonSchema)]
#[serde(remote = "CommitReplay")]
#[schemars(rename = "replayedCommit")]
struct CommitKeys {
    commit: String,
    run: Option<String>,
    /// Otherwise the commit was judged by itself.
    #[serde(rename = "recorded")]
    is_recorded: bool,
    #[serde(getter = "CommitReplay::is_same")]
    same: bool,
    /// Of the commit by itself.
    guards: Vec<CommitGuard>,
    /// `null` if none is recorded.
    receipt: Option<ReceiptReplay>,
    #[serde(rename = "signature")]
    signed: SignedReceipt,
}

written_as!(CommitReplay, CommitKeys);

/// A signed statement about a commit, made or compared.
#[derive(Serialize, JsonSchema)]
#[serde(remote = "AttestationReplay")]
#[schemars(rename = "attestation")]
struct AttestationKeys {
    #[serde(with = "PathText")]
    path: PathBuf,
    commit: String,
    /// It was written, and not compared.
    #[serde(rename = "written")]
    is_written: bool,
    /// `PASSED`, `WARNED` or `FAILED`.
    result: String,
    #[serde(getter = "AttestationReplay::is_same")]
    same: bool,
    #[serde(rename = "signature")]
    signed: SignedReceipt,
    /// What differs now, as JSON pointers.
    differs: Vec<String>,
}

written_as!(AttestationReplay, AttestationKeys);

/// What the signature of a receipt is worth.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "signature")]
struct SignatureKeys<'a> {
    /// `unsigned`, `good`, `unknown-key`, `wrong` or `unreadable`.
    outcome: &'static str,
    signer: Option<&'a str>,
    /// Its fingerprint.
    key: Option<&'a str>,
    /// The caller listed who may sign.
    demanded: bool,
}

impl<'a> From<&'a SignedReceipt> for SignatureKeys<'a> {
    fn from(signed: &'a SignedReceipt) -> Self {
        let (signer, key) = signed.signature.by();
        SignatureKeys { outcome: signed.signature.as_str(), signer, key, demanded: signed.is_demanded }
    }
}

written_from!(SignedReceipt, SignatureKeys<'_>);
