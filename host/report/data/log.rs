//! The JSON of recorded runs: the objects as they are in the journal, and the state that follows from them.

use std::path::PathBuf;

use guardhost_core::change::RecordedEnd;
use guardhost_core::issue::IssueStatus;
use guardhost_core::written::PathText;
use guardhost_core::written_from;
use schemars::JsonSchema;
use serde::Serialize;

use super::{ExplainedReply, PartDetails, RunDetails};
use crate::journal::{
    Actor, ApplyStatus, ArtifactState, Decision, History, IssueRecord, Object, PatchSet, RunCommand, State,
    StoredEvidence,
};

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "logSummary")]
struct SummaryKeys<'a> {
    run: &'a str,
    state: State,
    /// RFC 3339, UTC.
    created_at: Option<&'a str>,
    command: Option<&'a RunCommand>,
    task: Option<&'a str>,
    /// The chain of providers.
    provider: Option<&'a str>,
    base: Option<&'a str>,
    outcome: Option<&'a RecordedEnd>,
    reason: Option<&'a str>,
    commit: Option<&'a str>,
    rounds: u32,
    latest: Option<LatestKeys<'a>>,
    micros: Option<u64>,
    /// Lines of the record.
    unread: usize,
    /// A step has its plan's.
    branch: Option<String>,
    /// Of a step: the plan's run.
    plan: Option<&'a str>,
    step: Option<&'a str>,
    /// The run that it resumes.
    resumes: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "latestPatch")]
struct LatestKeys<'a> {
    object_id: &'a str,
    sequence: u32,
    apply_status: ApplyStatus,
}

impl<'a> From<&'a History> for SummaryKeys<'a> {
    fn from(history: &'a History) -> Self {
        let run = history.run();
        let end = history.end();
        SummaryKeys {
            run: &history.run,
            state: history.state(),
            created_at: run.map(|(object, _)| object.created_at.as_str()),
            command: run.map(|(_, run)| &run.command),
            task: run.map(|(_, run)| run.task.as_str()),
            provider: run.map(|(_, run)| run.provider.as_str()),
            base: run.and_then(|(_, run)| run.commit.as_deref()),
            outcome: end.and_then(|end| end.outcome.as_ref()),
            reason: end.and_then(|end| end.rationale.as_deref()),
            commit: end.and_then(|end| end.result_commit_sha.as_deref()),
            rounds: history.rounds(),
            latest: history.patch_sets().last().map(|(object, patch_set)| LatestKeys {
                object_id: &object.object_id,
                sequence: patch_set.sequence,
                apply_status: history.status(&object.object_id),
            }),
            micros: end.map(|end| end.micros),
            unread: history.unread,
            branch: history.branch(),
            plan: run.and_then(|(_, run)| run.origin.plan.as_deref()),
            step: run.and_then(|(_, run)| run.origin.step.as_deref()),
            resumes: run.and_then(|(_, run)| run.origin.resumes.as_deref()),
        }
    }
}

written_from!(History, SummaryKeys<'_>);

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "runDetails")]
struct DetailKeys<'a> {
    #[serde(flatten)]
    summary: SummaryKeys<'a>,
    /// Its folder.
    #[serde(with = "PathText")]
    dir: PathBuf,
    /// Ids.
    guards: Option<&'a [String]>,
    patchsets: Vec<AttemptKeys<'a>>,
    /// [Objects](records.md#decision) of the run.
    decisions: Vec<RecordedObject<'a, Decision>>,
    /// Of a plan.
    steps: &'a [History],
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
            summary: history.into(),
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
