//! The objects and their form in JSON: one flat object each, header first. Names as in git-internal's object model, fields
//! added where a guard host knows more (`round`, `written_as`, `old_path`, `digest`, …).

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use guardhost_core::change::RecordedEnd;
use guardhost_core::change::{AppliedFix, Budget, Mode, PatchFormat, RepoPath, TaskMode, Touched, Usage};

/// One object with its header. Never rewritten: a new attempt is a new PatchSet, a new verdict a new Decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// UUIDv7; of a Run the run's own id.
    pub object_id: String,
    /// Of this form of the objects.
    pub version: u8,
    /// RFC 3339, UTC, microseconds.
    pub created_at: String,
    pub created_by: Actor,
    #[serde(flatten)]
    pub body: Body,
}

/// Adds `object_type`: `run`, `patch_set`, `evidence`, `decision`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "object_type", rename_all = "snake_case")]
pub enum Body {
    Run(Run),
    PatchSet(PatchSet),
    Evidence(Evidence),
    Decision(Decision),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    pub kind: ActorKind,
    /// Of an agent, the provider's name.
    pub id: String,
    /// The model, where the provider tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    Human,
    Agent,
    System,
    McpClient,
}

/// What was asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The command: `run`, `patch`.
    pub command: String,
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
    /// How many rounds each provider was allowed.
    pub rounds: u32,
    /// What the run as a whole was allowed.
    #[serde(default)]
    pub budget: Budget,
}

/// Which other run a run belongs to, if any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The run of the plan that it is a step of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The step's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The run that it takes up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumes: Option<String>,
}

/// A change that a provider proposed, or that the host made of one with fixes. Whether it was applied is not said here: see [`super::ApplyStatus`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PatchSet {
    pub run: String,
    /// From 0, in the order in which the run's PatchSets were proposed.
    pub sequence: u32,
    /// The round that brought it, from 1; a round without any patch brings none.
    pub round: u32,
    /// The form that was asked for and the version of the prompt's template.
    pub prompt: Option<String>,
    /// What it was made for.
    pub commit: Option<String>,
    /// How to read the artifact.
    pub format: DiffFormat,
    /// The format in which the provider wrote it.
    pub written_as: PatchFormat,
    pub artifact: Option<ArtifactRef>,
    /// The tree that it makes; None when it could not be placed.
    pub tree: Option<String>,
    pub touched: Vec<Touched>,
    /// The provider's own words on it.
    pub rationale: Option<String>,
    /// Of a PatchSet that the host made of another with its guards' fixes: that other's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mends: Option<String>,
    /// Those fixes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<AppliedFix>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffFormat {
    /// As it was found in the reply: it could not be placed.
    UnifiedDiff,
    /// As git tells the difference that it makes.
    GitDiff,
}

/// Bytes that are kept beside the records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactRef {
    /// `file`: in the folder of the run.
    pub store: String,
    /// `sha256:` and the digest of the bytes, in hex.
    pub key: String,
    /// Where the store has it: relative to the run's folder.
    pub path: String,
}

/// What one guard said of one PatchSet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub run_id: String,
    pub patchset_id: Option<String>,
    /// `guard`.
    pub kind: String,
    /// The guard's id.
    pub tool: String,
    /// Its mark, such as `G13`, or empty.
    pub g: String,
    pub tool_version: String,
    /// `sha256:…` of the component that ran.
    pub digest: String,
    pub mode: Mode,
    /// `pass`, `reject`, `not-applicable`, `error`.
    pub verdict: String,
    /// Which error.
    pub code: Option<String>,
    /// The reason, or the first finding.
    pub summary: Option<String>,
    pub findings: u32,
    /// Wall time.
    pub micros: u64,
    pub fuel: u64,
    /// Everything that was said.
    pub report_artifacts: Vec<ArtifactRef>,
}

impl ArtifactRef {
    /// Bytes that lie at `path` in the run's folder.
    pub fn file(path: String, bytes: &[u8]) -> Self {
        ArtifactRef { store: "file".to_owned(), key: Self::key_of(bytes), path }
    }

    pub(super) fn key_of(bytes: &[u8]) -> String {
        let digest = Sha256::digest(bytes);
        digest.iter().fold("sha256:".to_owned(), |key, byte| format!("{key}{byte:02x}"))
    }
}

impl Evidence {
    /// This alone was reason enough to turn the PatchSet down.
    pub fn stands_against(&self) -> bool {
        self.mode == Mode::Enforce && matches!(self.verdict.as_str(), "reject" | "error")
    }
}

/// What became of a round, or of the whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub run_id: String,
    pub round: u32,
    pub decision_type: DecisionType,
    /// What was decided about; None when the round brought no patch, or the run ended between two.
    pub patchset_id: Option<String>,
    pub rationale: Option<String>,
    /// How the run ended: `committed`, `staged`, `no-change`, `rejected`, or the kind of an error. None while it goes on.
    pub outcome: Option<RecordedEnd>,
    pub result_commit_sha: Option<String>,
    /// Wall time of the run so far.
    pub micros: u64,
    /// What all answers took so far, as far as the providers tell.
    #[serde(default)]
    pub spent: Usage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionType {
    /// Taken: committed, or staged where that was asked for.
    Commit,
    /// Told back to the provider.
    Retry,
    Abandon,
}

impl Object {
    const VERSION: u8 = 1;

    /// A new object, made now.
    pub fn new(body: Body, created_by: Actor) -> Self {
        Self::named(Uuid::now_v7().to_string(), body, created_by)
    }

    /// The same, for a Run that has its id already.
    pub fn named(object_id: String, body: Body, created_by: Actor) -> Self {
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
