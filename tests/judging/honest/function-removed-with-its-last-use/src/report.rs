//! What is printed.

use crate::votes::Votes;

/// A line for everybody.
pub fn lines(votes: &Votes) -> Vec<String> {
    votes.iter().map(|(name, count)| format!("{name}: {count}")).collect()
}
