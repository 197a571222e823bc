//! The name that was probably meant.

/// Longer names are not compared, and no more than so many: the work stays bounded on hostile text.
const LONGEST: usize = 64;
const MOST: usize = 5_000;

/// The candidate that differs from `name` in the fewest letters, if it is close enough to be a misspelling of it.
pub fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST {
        return None;
    }
    let limit = (name.chars().count() / 3).clamp(1, 3);
    let distances = candidates
        .filter(|other| other.len() <= LONGEST && other.len().abs_diff(name.len()) <= limit && *other != name)
        .take(MOST)
        .map(|other| (distance(name, other), other));
    distances.filter(|(distance, _)| *distance <= limit).min().map(|(_, other)| other)
}

/// Letters to insert, delete, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
