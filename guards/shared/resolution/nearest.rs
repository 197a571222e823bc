//! The names that are spelled most like one that is not there.

/// At most `most` of the names, the nearest first; those that differ in more than a third of their letters are left out.
pub fn nearest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>, most: usize) -> Vec<String> {
    let bare = |name: &str| name.to_lowercase().replace(['-', '.'], "_");
    let (target, length) = (bare(wanted), wanted.chars().count());
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names.into_iter().filter(|name| *name != wanted && name.len() <= 200) {
        let bare = bare(name);
        // Lengths that differ too much need no table.
        let limit = (length.max(bare.chars().count()) / 3).max(usize::from(length > 2));
        if bare.chars().count().abs_diff(length) <= limit {
            let distance = strsim::damerau_levenshtein(&target, &bare);
            if distance <= limit {
                found.push((distance, name));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(most).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn names_alike() {
        let names = ["numpy", "pandas", "python-dateutil", "NumPy2"];
        assert_eq!(nearest("numpi", names, 3), ["numpy", "NumPy2"]);
        assert_eq!(nearest("python_datutil", names, 3), ["python-dateutil"]);
        assert_eq!(nearest("xyz", names, 3), Vec::<String>::new());
    }
}
