//! How often in a row a model failed to write a valid patch for a file.

use std::collections::HashMap;

use super::answer::{Answer, ErrorType};
use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;

/// From this many on the model is told to write the file as a whole.
const THRESHOLD: u32 = 2;

#[derive(Default)]
pub(super) struct Strikes(HashMap<RepoPath, u32>);

impl Strikes {
    /// Anything but an invalid patch begins a new count: success, another failure, and the advice itself once it is given.
    pub fn count(&mut self, path: RepoPath, outcome: Result<Answer>) -> Result<Answer> {
        let invalid = matches!(&outcome, Ok(answer) if answer.error_type == Some(ErrorType::InvalidPatch));
        let strikes = self.0.remove(&path).unwrap_or(0) + u32::from(invalid);
        if !invalid {
            return outcome;
        }
        if strikes >= THRESHOLD {
            return Ok(Answer::limit_exceeded());
        }
        self.0.insert(path, strikes);
        outcome
    }
}
