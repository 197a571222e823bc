//! What `host review` judged with models: a file of its run, and no PatchSet, which would be an attempt of a provider.

use guardhost_core::change::CommitInfo;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::objects::{PatchSet, StoredEvidence};

/// The change, who was asked about it, and what they said, so that all of it can be judged again from the models' recorded answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewRecord {
    /// Its artifact is the diff.
    pub change: PatchSet,
    /// The commits that critics were told of.
    pub commits: Vec<CommitInfo>,
    /// The text of the task; None when critics were told of none.
    pub task: Option<String>,
    /// Critics that the rules do not pin, in the order in which they were asked. The others are those of the rules.
    pub embedded: Vec<EmbeddedCritic>,
    pub evidence: Vec<StoredEvidence>,
}

/// A critic of the host's own, with what it was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EmbeddedCritic {
    pub id: String,
    /// Null for the critic's own.
    pub settings: Value,
}
