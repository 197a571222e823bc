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

/// See [what can differ](replay.md#what-can-differ).
#[derive(Serialize, JsonSchema)]
#[serde(remote = "ReplayReport")]
#[schemars(rename = "replay")]
struct ReplayKeys {
    #[serde(getter = "ReplayReport::is_same")]
    same: bool,
    /// A plan before its steps. Empty if not recorded here.
    runs: Vec<RunReplay>,
    commit: Option<CommitReplay>,
    /// With `--export`.
    exported: Option<ExportedRuns>,
    attestation: Option<AttestationReplay>,
    notices: Vec<String>,
}

written_as!(ReplayReport, ReplayKeys);

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "replayedRun")]
struct RunKeys<'a> {
    run: &'a str,
    command: &'a RunCommand,
    same: bool,
    host: Hosts<'a>,
    problems: &'a [RecordProblem],
    changes: &'a [ChangeReplay],
}

/// Name and version.
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

#[derive(Serialize, JsonSchema)]
#[serde(remote = "ChangeReplay")]
#[schemars(rename = "replayedChange")]
struct ChangeKeys {
    patchset: String,
    /// From 1.
    round: u32,
    /// With the guards' fixes.
    fixed: bool,
    /// As recorded.
    tree: String,
    rebuilt: Option<Rebuilt>,
    #[serde(getter = "ChangeReplay::is_same")]
    same: bool,
    problems: Vec<RecordProblem>,
    guards: Vec<GuardReplay>,
    receipt: Option<ReceiptReplay>,
}

written_as!(ChangeReplay, ChangeKeys);

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "replayedGuard")]
struct GuardKeys<'a> {
    id: &'a str,
    /// `same`, `component-differs`, `verdict-differs`, `answers-missing`, `cannot-load`, `cannot-judge`, `missing` or `new`.
    outcome: &'static str,
    /// Why not judged.
    reason: Option<&'a str>,
    /// The fields of its evidence that differ.
    fields: &'a [String],
    /// Whether another component says the same.
    says_same: Option<bool>,
    recorded: Option<&'a GuardSide>,
    replayed: Option<&'a GuardSide>,
    /// Recorded answers.
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

#[derive(Serialize, JsonSchema)]
#[serde(remote = "CommitReplay")]
#[schemars(rename = "replayedCommit")]
struct CommitKeys {
    commit: String,
    run: Option<String>,
    /// Else it was judged by itself.
    #[serde(rename = "recorded")]
    is_recorded: bool,
    #[serde(getter = "CommitReplay::is_same")]
    same: bool,
    guards: Vec<CommitGuard>,
    receipt: Option<ReceiptReplay>,
    #[serde(rename = "signature")]
    signed: SignedReceipt,
}

written_as!(CommitReplay, CommitKeys);

#[derive(Serialize, JsonSchema)]
#[serde(remote = "AttestationReplay")]
#[schemars(rename = "attestation")]
struct AttestationKeys {
    #[serde(with = "PathText")]
    path: PathBuf,
    commit: String,
    /// Written, not compared.
    #[serde(rename = "written")]
    is_written: bool,
    /// `PASSED`, `WARNED` or `FAILED`.
    result: String,
    #[serde(getter = "AttestationReplay::is_same")]
    same: bool,
    #[serde(rename = "signature")]
    signed: SignedReceipt,
    /// JSON pointers.
    differs: Vec<String>,
}

written_as!(AttestationReplay, AttestationKeys);

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "signature")]
struct SignatureKeys<'a> {
    /// `unsigned`, `good`, `unknown-key`, `wrong` or `unreadable`.
    outcome: &'static str,
    signer: Option<&'a str>,
    /// Its fingerprint.
    key: Option<&'a str>,
    demanded: bool,
}

impl<'a> From<&'a SignedReceipt> for SignatureKeys<'a> {
    fn from(signed: &'a SignedReceipt) -> Self {
        let (signer, key) = signed.signature.by();
        SignatureKeys { outcome: signed.signature.as_str(), signer, key, demanded: signed.is_demanded }
    }
}

written_from!(SignedReceipt, SignatureKeys<'_>);
