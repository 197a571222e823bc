//! Errors of the server.

use serde::{Deserialize, Serialize};

/// The body of every answer that is no success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What is wrong, for people.
    pub error: String,
    pub code: ProblemCode,
    /// Who holds what was claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
    /// The fence of the present holder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<u64>,
    /// Until when it is held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// Stable names of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemCode {
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    /// Another holder has the claim.
    Claimed,
    /// The claim's fence is not the present one, or its time is over.
    StaleFence,
    /// The id was used for something else.
    IdReused,
    TooLarge,
    TooMany,
    /// The repository is not on the server's disk below a root that it may read.
    NoTarget,
    Unavailable,
    Internal,
    #[serde(other)]
    Unknown,
}
