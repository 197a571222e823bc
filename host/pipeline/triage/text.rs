//! The text of one side of a file.

use guardhost_core::change::{Blob, Candidate, FileMode};
use guardhost_core::error::Result;

/// Bytes of the longest text of which something is proved.
const LONGEST: u64 = 1 << 20;

/// None where it is no file, no UTF-8 or too long.
///
/// # Errors
/// The repository's objects cannot be read.
pub fn text(change: &Candidate, side: Option<Blob>) -> Result<Option<String>> {
    let is_file = |blob: &Blob| matches!(blob.mode, FileMode::File | FileMode::Executable) && blob.size <= LONGEST;
    let Some(blob) = side.filter(is_file) else { return Ok(None) };
    Ok(String::from_utf8(change.objects.blob(blob.oid)?.to_vec()).ok())
}
