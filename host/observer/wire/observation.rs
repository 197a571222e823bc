//! What became of one attempt.

use guardhost_core::change::AttemptOutcome;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// The claim under which something was done. The server refuses what was done under one that is no longer held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimFence {
    pub key: String,
    pub fence: u64,
}

/// An observation as it is posted. At most 64 KiB of JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewObservation {
    /// UUIDv7. Posted twice it is kept once. The server makes one for a client that gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The repository, by its id ([`crate::repository`]); empty for a client that names none.
    #[serde(default)]
    pub repo: String,
    pub run_id: String,
    pub agent: String,
    pub outcome: AttemptOutcome,
    /// The step of a plan.
    #[serde(default)]
    pub subtask_id: Option<String>,
    #[serde(default)]
    pub model: Option<String>,
    #[serde(default)]
    pub branch: Option<String>,
    /// The name of the machine that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The first line of its task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The commit that came of it.
    #[serde(default)]
    pub commit_sha: Option<String>,
    /// The tree on which it stood.
    #[serde(default)]
    pub tree: Option<String>,
    #[serde(default, deserialize_with = "list")]
    pub touched_files: Vec<String>,
    /// Why it failed: ids of guards, or names of errors.
    #[serde(default, deserialize_with = "list")]
    pub failure_modes: Vec<String>,
    /// 0 to 1.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// Of a step, the plan's run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// What tells its task from others; see `step_digest` of the core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_digest: Option<String>,
    /// When the attempt began, RFC 3339. It is the client's clock: the server orders by its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<ClaimFence>,
}

/// An observation as it is kept.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "ObservationRow")]
pub struct Observation {
    /// The server's number of it, which rises. None: of a server that gives only keys.
    pub id: Option<i64>,
    /// The server's time, RFC 3339 in UTC with microseconds.
    pub ts: String,
    pub observed: NewObservation,
}

/// Its JSON: `id` is the number, `key` what the client named it by.
#[derive(Serialize, Deserialize)]
struct ObservationRow {
    id: ObservationId,
    #[serde(default)]
    key: Option<Uuid>,
    ts: String,
    #[serde(flatten)]
    observed: NewObservation,
}

/// A number, or of a server before there were numbers, the key.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ObservationId {
    Number(i64),
    Key(Uuid),
}

impl From<ObservationRow> for Observation {
    fn from(ObservationRow { id, key, ts, observed }: ObservationRow) -> Self {
        let (id, key) = match id {
            ObservationId::Number(number) => (Some(number), key),
            ObservationId::Key(named) => (None, Some(named)),
        };
        Observation { id, ts, observed: NewObservation { id: key, ..observed } }
    }
}

impl Serialize for Observation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let key = self.observed.id;
        let id = self.id.map(ObservationId::Number).or(key.map(ObservationId::Key)).unwrap_or(ObservationId::Number(0));
        let observed = NewObservation { id: None, ..self.observed.clone() };
        ObservationRow { id, key, ts: self.ts.clone(), observed }.serialize(serializer)
    }
}

/// The answer to a post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posted {
    /// The server's number of it.
    pub id: i64,
    /// What the client named it by.
    pub key: Uuid,
    pub ts: String,
    /// It was kept already; `ts` is of that time.
    #[serde(default)]
    pub duplicate: bool,
}

/// A list, of which some clients write `null` when it is empty.
fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Option::<Vec<String>>::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_of_a_client_that_knows_nothing_of_repositories_is_read() {
        let text = r#"{"run_id":"r1","agent":"gitoma","outcome":"skipped","touched_files":null,"unknown":1}"#;
        let read: NewObservation = serde_json::from_str(text).unwrap();
        assert_eq!((read.outcome, read.touched_files.len(), read.repo.as_str()), (AttemptOutcome::Skipped, 0, ""));
        assert!(serde_json::from_str::<NewObservation>(r#"{"run_id":"r","agent":"a","outcome":"won"}"#).is_err());
        assert!(serde_json::from_str::<NewObservation>(r#"{"agent":"a","outcome":"fail"}"#).is_err());
        for outcome in AttemptOutcome::ALL {
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.as_str());
        }
    }
}
