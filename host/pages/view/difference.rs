//! How many lines differ between two texts, as sets of lines: quick for any size, and enough for a note beside a text.

use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineCounts {
    pub added: usize,
    pub removed: usize,
}

/// Lines of `new` that `old` has not, and the other way round. A line that moved is no difference.
pub fn line_counts(old: &str, new: &str) -> LineCounts {
    let mut surplus: HashMap<&str, i64> = HashMap::new();
    for line in old.lines() {
        *surplus.entry(line).or_default() -= 1;
    }
    for line in new.lines() {
        *surplus.entry(line).or_default() += 1;
    }
    let sum = |wanted: fn(i64) -> i64| surplus.values().map(|count| wanted(*count).max(0) as usize).sum();
    LineCounts { added: sum(|count| count), removed: sum(|count| -count) }
}
