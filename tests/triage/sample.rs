//! Counts votes.

use std::collections::BTreeMap;

// A vote counts once.
const TEXT: &str = "one  two \
    three

  // no comment";
const RAW: &str = r#"first  line

// a "  b /* c */ "#;

const BYTES: &[u8] = br##"first  line

// not a "# comment"##;
const LINES: &str = "first  line

// not a comment";

/// What it returns.
///
/// ```
/// assert_eq!(1 + 1, 2);
/// ```
pub fn count(votes: &[&str]) -> usize {
    let mut seen = BTreeMap::new();
    for vote in votes {
        /* the first
           of them */
        seen.entry(vote).or_insert(vote.len() << 1);
    }
    // What is left.
    seen.len() + TEXT.len() - RAW.len() // no more
}

macro_rules! twice {
    ($x:expr) => {
        $x + $x
    };
}

pub fn four() -> i32 {
    let c = 'x';
    twice!(2) - (c as i32 - 'x' as i32)
}
