//! Reading the answers of a forge, and writing the paths of requests. Fields that are not there are errors.

use serde_json::Value;

use crate::error::{ForgeError, Result};

/// What the host's own statuses and check runs are called, and its analyses of code scanning.
pub const OWN_STATUS: &str = "guardhost";
/// Bytes of a branch's name in the name of a status: a forge takes 255 for the whole.
const MAX_BASE_BYTES: usize = 200;

/// The name of the status that says what the guards of one branch think of a commit. A forge keeps one status of a name for a commit, and a
/// commit may be the head of several pull requests: without the branch, one that goes to a branch with weaker rules would stand for all.
pub fn own_status(base: &str) -> String {
    match base.len() <= MAX_BASE_BYTES {
        true => format!("{OWN_STATUS} ({base})"),
        // Two long names that begin alike are two branches.
        false => format!("{OWN_STATUS} (branch {})", &blake3::hash(base.as_bytes()).to_hex()[..32]),
    }
}

/// Whether a status is one of the host's own, for whatever branch.
pub fn is_own_status(name: &str) -> bool {
    name == OWN_STATUS || name.strip_prefix(OWN_STATUS).is_some_and(|rest| rest.starts_with(" ("))
}
/// Bytes of a log that are read: the failure is at its end.
pub const MAX_LOG_BYTES: usize = 1 << 20;
/// Characters of a status's description.
pub const MAX_DESCRIPTION_CHARS: usize = 140;

pub fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str> {
    value[key].as_str().ok_or_else(|| ForgeError::protocol(format!("`{key}` is no text")))
}

pub fn number(value: &Value, key: &str) -> Result<u64> {
    value[key].as_u64().ok_or_else(|| ForgeError::protocol(format!("`{key}` is no number")))
}

/// The names of labels.
pub fn names(labels: &Value) -> Vec<String> {
    labels.as_array().into_iter().flatten().filter_map(|label| label["name"].as_str()).map(str::to_owned).collect()
}

/// A part of a path or a query.
pub fn encoded(text: &str) -> String {
    let keep = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(byte);
    text.bytes().map(|byte| if keep(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
