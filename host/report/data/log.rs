//! The JSON of recorded runs: the objects as they are in the journal, and the state that follows from them.

use std::path::PathBuf;

use guardhost_core::issue::IssueStatus;
use guardhost_core::written::PathText;
use guardhost_core::written_from;
use schemars::JsonSchema;
use serde::Serialize;

use super::{ExplainedReply, PartDetails, RunDetails};
use crate::journal::{
    Actor, ApplyStatus, ArtifactState, Decision, History, IssueRecord, ListedRun, Object, PatchSet, StoredEvidence,
};

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "runDetails")]
struct DetailKeys<'a> {
    #[serde(flatten)]
    summary: ListedRun,
    /// Its folder.
    #[serde(with = "PathText")]
    dir: PathBuf,
    /// Ids.
    guards: Option<&'a [String]>,
    patchsets: Vec<AttemptKeys<'a>>,
    /// [Objects](records.md#decision) of the run.
    decisions: Vec<RecordedObject<'a, Decision>>,
    /// Of a plan.
    steps: &'a [ListedRun],
    issues: Vec<IssueKeys<'a>>,
    /// Of the commit.
    diff: Option<&'a str>,
    /// What the guards accept of the newest attempt.
    part: Option<&'a PartDetails>,
    /// With `--reply`, oldest first.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    replies: &'a [ExplainedReply],
}

/// A [PatchSet](records.md#patchset).
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "patchSetDetails")]
struct AttemptKeys<'a> {
    #[serde(flatten)]
    object: RecordedObject<'a, PatchSet>,
    apply_status: ApplyStatus,
    artifact_state: Option<ArtifactState>,
    /// Its [Evidence](records.md#evidence) objects.
    evidence: Vec<RecordedObject<'a, StoredEvidence>>,
    /// Its [Decision](records.md#decision).
    decision: Option<RecordedObject<'a, Decision>>,
    files: Vec<RoundFile>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "keptFile")]
struct RoundFile {
    #[serde(with = "PathText")]
    path: PathBuf,
    bytes: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "loggedIssue")]
struct IssueKeys<'a> {
    id: &'a str,
    fingerprint: &'a str,
    status: IssueStatus,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}Object")]
struct RecordedObject<'a, T> {
    object_id: &'a str,
    version: u8,
    /// RFC 3339 in UTC, with microseconds.
    created_at: &'a str,
    created_by: &'a Actor,
    object_type: &'static str,
    #[serde(flatten)]
    body: &'a T,
}

impl<'a, T> RecordedObject<'a, T> {
    fn new(object_type: &'static str, (object, body): (&'a Object, &'a T)) -> Self {
        let Object { object_id, version, created_at, created_by, body: _ } = object;
        RecordedObject { object_id, version: *version, created_at, created_by, object_type, body }
    }
}

impl<'a> From<&'a RunDetails> for DetailKeys<'a> {
    fn from(RunDetails { history, steps, diff, part, replies, traces: _ }: &'a RunDetails) -> Self {
        let issue = |(record, status): (&'a IssueRecord, IssueStatus)| IssueKeys {
            id: &record.issue,
            fingerprint: &record.fingerprint,
            status,
        };
        DetailKeys {
            summary: history.listed(),
            dir: history.dir.clone(),
            guards: history.run().map(|(_, run)| run.guards.as_slice()),
            patchsets: history.patch_sets().map(|found| attempt(history, found)).collect(),
            decisions: history.decisions().map(|found| RecordedObject::new("decision", found)).collect(),
            steps,
            issues: history.issues().into_iter().map(issue).collect(),
            diff: diff.as_deref(),
            part: part.as_ref(),
            replies,
        }
    }
}

fn attempt<'a>(history: &'a History, found: (&'a Object, &'a PatchSet)) -> AttemptKeys<'a> {
    let (Object { object_id, .. }, patch_set) = found;
    AttemptKeys {
        object: RecordedObject::new("patch_set", found),
        apply_status: history.status(object_id),
        artifact_state: patch_set.artifact.as_ref().map(|artifact| history.artifact_state(artifact)),
        evidence: history.evidence(object_id).map(|found| RecordedObject::new("evidence", found)).collect(),
        decision: history.decision(object_id).map(|found| RecordedObject::new("decision", found)),
        files: history.artifacts(patch_set.round).into_iter().map(|(path, bytes)| RoundFile { path, bytes }).collect(),
    }
}

written_from!(RunDetails, DetailKeys<'_>);
