//! Stops a model that sends one invalid patch after another for the same file.

use std::collections::HashMap;

use super::answer::{ErrorType, WriteAnswer};
use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;

/// After this many invalid patches in a row, the answer advises to write the whole file.
const MAX_INVALID: u32 = 2;

/// Invalid patches in a row, for each file.
#[derive(Default)]
pub(super) struct RetryLimit(HashMap<RepoPath, u32>);

impl RetryLimit {
    /// Counts `outcome` and returns it, or the advice instead once the limit is reached. Any other outcome, and the advice
    /// itself, reset the count.
    pub fn count(&mut self, path: RepoPath, outcome: Result<WriteAnswer>) -> Result<WriteAnswer> {
        let invalid = matches!(&outcome, Ok(answer) if answer.error_type == Some(ErrorType::InvalidPatch));
        let in_a_row = self.0.remove(&path).unwrap_or(0) + u32::from(invalid);
        if !invalid {
            return outcome;
        }
        if in_a_row >= MAX_INVALID {
            return Ok(WriteAnswer::limit_exceeded());
        }
        self.0.insert(path, in_a_row);
        outcome
    }
}
