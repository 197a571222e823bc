//! Reading the answers of a forge, and writing the paths of requests. Fields that are not there are errors.

use serde_json::Value;

use crate::error::{ForgeError, Result};

/// The name of the host's status and check run.
pub const OWN_STATUS: &str = "guardhost";
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
