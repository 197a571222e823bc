//! The findings alone, for a model that still has its change before it: an agent whose edit or commit was stopped.

use guardhost_core::change::Rejection;

use super::feedback::{bounded, failures};
use super::findings::items;

/// Bytes for a hook's answer. Claude Code shows 10,000 characters of one, and an agent reads it beside its own output.
pub const BRIEF_LIMIT: usize = 4000;

/// Guards that failed by themselves, then the findings by file, in at most about `limit` bytes.
pub fn brief(rejection: &Rejection, limit: usize) -> String {
    bounded(&failures(rejection), items(rejection), "", limit).trim_end().to_owned()
}
