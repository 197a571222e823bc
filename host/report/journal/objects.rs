//! The objects of `records.jsonl` and their form in JSON: flat, header first. Names follow git-internal's object model;
//! fields are added where Guardhost knows more (`round`, `written_as`, `old_path`, `digest`, …).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::run_command::RunCommand;
use crate::VerdictKind;
use guardhost_core::canonical;
use guardhost_core::change::{
    AppliedFix, Budget, Mode, Oid, PatchFormat, RecordedEnd, RepoPath, RunEnd, TaskMode, Touched, Usage,
};
use guardhost_core::issue::IssueFact;

/// One object with its header. Objects are never rewritten: a new attempt is a new PatchSet, a new verdict a new Decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// UUIDv7; for a Run, the run's id.
    pub object_id: String,
    /// Version of the object format.
    pub version: u8,
    /// RFC 3339 in UTC, with microseconds.
    pub created_at: String,
    pub created_by: Actor,
    #[serde(flatten)]
    pub body: ObjectBody,
}

/// The object's own fields, and `object_type`: `run`, `patch_set`, `evidence`, `decision` or `issue`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "object_type", rename_all = "snake_case")]
pub enum ObjectBody {
    Run(Run),
    PatchSet(PatchSet),
    Evidence(StoredEvidence),
    Decision(Decision),
    Issue(IssueRecord),
}

/// One thing that happened to an issue in a run of `host fix`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueRecord {
    pub run_id: String,
    /// Its id in the list of the run.
    pub issue: String,
    /// The same for the same issue in every list.
    pub fingerprint: String,
    #[serde(flatten)]
    pub fact: IssueFact,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "actor")]
pub struct Actor {
    pub kind: ActorKind,
    /// For an agent, the provider's name.
    pub id: String,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "actorKind")]
pub enum ActorKind {
    Human,
    Agent,
    System,
    McpClient,
}

/// The request that a run serves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub command: RunCommand,
    pub task: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<RepoPath>,
    #[serde(default)]
    pub mode: TaskMode,
    #[serde(flatten)]
    pub origin: Origin,
    /// The base commit; None in a repository without commits.
    pub commit: Option<String>,
    /// The chain of providers.
    pub provider: String,
    pub guards: Vec<String>,
    /// Maximum number of rounds for each provider.
    pub rounds: u32,
    /// The receipt's digest of the host's own rules, for a run whose changes are judged. Not in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The digest of all that judged its changes: the host's own rules, and each guard with its pin. Not in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_by: Option<String>,
    /// Limits of the whole run.
    #[serde(default)]
    pub budget: Budget,
    /// Short name of the branch that an accepted change is committed to; for a step the plan's. None when the index is the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// The other runs that a run belongs to, if any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The run of the plan, for a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The step's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The run that this one resumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumes: Option<String>,
    /// The run that asked for this one beside its steps: a review, or a refined version, of `host improve`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// The tree that the rules were read from, for a plan and its steps: that of the commit on which the plan first stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_tree: Option<String>,
}

/// A change that a provider proposed, or that the host made from one with fixes. Its status is derived: see [`super::ApplyStatus`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "patchSet")]
pub struct PatchSet {
    pub run: String,
    /// From 0.
    pub sequence: u32,
    /// From 1.
    pub round: u32,
    /// The requested format and the prompt's version.
    pub prompt: Option<String>,
    pub commit: Option<String>,
    /// Of the base commit, or of an index on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_tree: Option<String>,
    /// Of the reply; guards may read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Of the artifact.
    pub format: DiffFormat,
    /// As the provider wrote it.
    pub written_as: PatchFormat,
    pub artifact: Option<ArtifactRef>,
    pub tree: Option<String>,
    pub touched: Vec<Touched>,
    /// The provider's explanation.
    pub rationale: Option<String>,
    /// The PatchSet before the guards' fixes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mends: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<AppliedFix>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "diffFormat")]
pub enum DiffFormat {
    /// Not placed: as in the reply.
    UnifiedDiff,
    /// As placed.
    GitDiff,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "artifactRef")]
pub struct ArtifactRef {
    /// `file`: in the folder of the run.
    pub store: String,
    /// `sha256:…`.
    pub key: String,
    /// In the run's folder.
    pub path: String,
}

/// One guard's verdict on one PatchSet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "recordedEvidence")]
pub struct StoredEvidence {
    pub run_id: String,
    pub patchset_id: Option<String>,
    /// `guard` or `host`.
    pub kind: String,
    /// Its id.
    pub tool: String,
    /// Its mark, such as `G13`, or empty.
    pub g: String,
    pub tool_version: String,
    /// `sha256:…` of the component.
    pub digest: String,
    pub mode: Mode,
    pub verdict: VerdictKind,
    /// Of an error.
    pub code: Option<String>,
    /// Reason, or first finding.
    pub summary: Option<String>,
    pub findings: u32,
    pub micros: u64,
    pub fuel: u64,
    /// The judgement, and what the guard read.
    pub report_artifacts: Vec<ArtifactRef>,
}

impl ArtifactRef {
    /// For bytes in the file `path`, relative to the run's folder.
    pub fn file(path: String, bytes: &[u8]) -> Self {
        ArtifactRef { store: "file".to_owned(), key: Self::key_of(bytes), path }
    }

    /// `sha256:` and the digest of these bytes, in hex.
    pub fn key_of(bytes: &[u8]) -> String {
        canonical::sha256(bytes)
    }
}

impl StoredEvidence {
    /// This guard alone blocks the PatchSet.
    pub fn is_blocking(&self) -> bool {
        self.mode == Mode::Enforce && self.verdict.is_blocking()
    }
}

/// The end of a round, or of the whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "decision")]
pub struct Decision {
    pub run_id: String,
    pub round: u32,
    pub decision_type: DecisionType,
    pub patchset_id: Option<String>,
    pub rationale: Option<String>,
    /// In the last Decision of a run.
    pub outcome: Option<RecordedEnd>,
    pub result_commit_sha: Option<String>,
    /// So far.
    pub micros: u64,
    /// So far.
    #[serde(default)]
    pub spent: Usage,
    /// See [receipt](replay.md#the-receipt).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// Opened or updated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<RecordedPull>,
    /// Written since the previous one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactRef>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "recordedPull")]
pub struct RecordedPull {
    /// Whose commits it has.
    pub run: String,
    pub number: u64,
    pub url: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "decisionType")]
pub enum DecisionType {
    /// Committed or staged.
    Commit,
    /// Another round.
    Retry,
    Abandon,
}

impl Decision {
    /// The end of a run as a whole, without a commit.
    pub fn end_of(run: &str, end: RunEnd, micros: u64) -> Self {
        Decision {
            run_id: run.to_owned(),
            round: 0,
            decision_type: DecisionType::Abandon,
            patchset_id: None,
            rationale: None,
            outcome: Some(RecordedEnd::Known(end)),
            result_commit_sha: None,
            micros,
            spent: Usage::default(),
            receipt: None,
            pull_request: None,
            artifacts: Vec::new(),
        }
    }

    /// With what the run committed, if anything.
    pub fn with_commit(self, commit: Option<Oid>) -> Self {
        match commit {
            Some(commit) => {
                Decision { decision_type: DecisionType::Commit, result_commit_sha: Some(commit.to_string()), ..self }
            }
            None => self,
        }
    }
}

impl Object {
    const VERSION: u8 = 1;

    /// The id of the run that it belongs to.
    pub fn run(&self) -> &str {
        match &self.body {
            ObjectBody::Run(_) => &self.object_id,
            ObjectBody::PatchSet(patch_set) => &patch_set.run,
            ObjectBody::Evidence(evidence) => &evidence.run_id,
            ObjectBody::Decision(decision) => &decision.run_id,
            ObjectBody::Issue(issue) => &issue.run_id,
        }
    }

    /// An object with a new id, created now.
    pub fn new(body: ObjectBody, created_by: Actor) -> Self {
        Self::named(Uuid::now_v7().to_string(), body, created_by)
    }

    /// An object with a given id, created now: for a Run.
    pub fn named(object_id: String, body: ObjectBody, created_by: Actor) -> Self {
        let created_at = format!("{:.6}", jiff::Timestamp::now());
        Object { object_id, version: Self::VERSION, created_at, created_by, body }
    }
}

impl Actor {
    /// The host itself.
    pub fn host() -> Self {
        let id = concat!("guardhost/", env!("CARGO_PKG_VERSION")).to_owned();
        Actor { kind: ActorKind::System, id, display_name: None }
    }
}
