//! What several endpoints read of a query.

use guardhost_observer::wire::ProblemCode;

use super::problem::Failure;
use super::shared::ServerState;
use crate::storage::Micros;

/// Bytes of a name: a repository, a run, a key.
const NAME: usize = 512;

/// A name that may be kept: no control characters, not empty, not long.
pub fn name(what: &str, text: &str) -> Result<(), Failure> {
    if text.is_empty() || text.len() > NAME || text.chars().any(char::is_control) {
        return Err(Failure::bad(format!("`{what}` must have 1 to {NAME} bytes and no control characters")));
    }
    Ok(())
}

/// The same where an empty text is none.
pub fn optional_name(what: &str, text: &str) -> Result<(), Failure> {
    if text.is_empty() { Ok(()) } else { name(what, text) }
}

pub async fn since(shared: &ServerState, text: Option<&str>) -> Result<Option<Micros>, Failure> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    let now = shared.storage.now().await?;
    let wrong = || Failure::bad(format!("`since` is neither a window (24h, 7d) nor a time in RFC 3339: `{text}`"));
    Micros::since(text, now).map(Some).ok_or_else(wrong)
}

/// A limit within bounds.
pub fn limit(asked: Option<u32>, usual: u32, most: u32) -> u32 {
    asked.unwrap_or(usual).clamp(1, most)
}

pub fn no_target() -> Failure {
    Failure::new(
        ProblemCode::NoTarget,
        "`target` is no folder that this server may read: it answers for loopback clients, below the folders of --root",
    )
}
