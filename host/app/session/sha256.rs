//! The hash of a file's content, which a write must name.

use sha2::{Digest, Sha256};

/// 64 lower-case hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether `hash` is the hash of these bytes. Models write it in any letter case, with or without `sha256:` in front.
pub(super) fn matches(hash: &str, bytes: &[u8]) -> bool {
    let hash = hash.trim();
    hash.strip_prefix("sha256:").unwrap_or(hash).eq_ignore_ascii_case(&sha256(bytes))
}
