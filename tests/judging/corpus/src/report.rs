//! What is printed.

use crate::votes::Votes;

/// The most votes that anybody has.
fn most(votes: &Votes) -> u32 {
    let mut most = 0;
    for count in votes.values() {
        most = most.max(*count);
    }
    most
}

/// A line for everybody, the winners marked.
pub fn lines(votes: &Votes) -> Vec<String> {
    let best = most(votes);
    let mut lines = Vec::new();
    for (name, count) in votes {
        let mark = if *count == best { "*" } else { " " };
        lines.push(format!("{mark} {name}: {count}"));
    }
    lines
}
