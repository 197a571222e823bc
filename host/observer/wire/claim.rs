//! Claims: who works on what, for a limited time, with a fence number that tells an old holder from the present one.

use serde::{Deserialize, Serialize};

/// Seconds for which a claim is held when its request says nothing.
pub const TTL_DEFAULT: u64 = 600;
pub const TTL_MIN: u64 = 30;
pub const TTL_MAX: u64 = 3_600;

/// Takes a claim, or with `fence` extends it (a heartbeat).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRequest {
    /// The repository's id; empty for a client that names none.
    #[serde(default)]
    pub repo: String,
    /// What is claimed: a path, `step:DIGEST`, `issue:FINGERPRINT`.
    #[serde(alias = "path")]
    pub key: String,
    /// Who claims. The same holder gets the same claim again, so a request whose answer was lost can be repeated.
    #[serde(alias = "agent")]
    pub holder: String,
    /// Seconds; brought into [`TTL_MIN`] to [`TTL_MAX`].
    #[serde(default, alias = "ttl")]
    pub ttl_seconds: Option<u64>,
    /// The claim that is extended. It must still be held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<u64>,
}

impl ClaimRequest {
    /// Seconds for which the claim will be held.
    pub fn ttl(&self) -> u64 {
        self.ttl_seconds.unwrap_or(TTL_DEFAULT).clamp(TTL_MIN, TTL_MAX)
    }
}

/// A claim that is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldClaim {
    pub repo: String,
    pub key: String,
    pub holder: String,
    /// Rises with every new holder of the key, and is never used again.
    pub fence: u64,
    /// The server's time, RFC 3339, at which it ends unless it is extended.
    pub until: String,
}

/// Whether a key is claimed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimState {
    pub claimed: bool,
    #[serde(default)]
    pub claim: Option<HeldClaim>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Released {
    pub released: bool,
}
