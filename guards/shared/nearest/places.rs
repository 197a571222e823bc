//! Folders of paths.

use std::collections::BTreeSet;

/// From this number on, whole trees are named in the place of single folders.
const MANY: usize = 60;

/// Empty for the root.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub fn below(folder: &str, path: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Globs that name the folders of these files, and little else. A folder whose name means something in a glob is left out.
pub fn globs<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<String> {
    let places: BTreeSet<(&str, &str)> =
        paths.map(|path| (folder(path), path.rsplit_once('.').map_or("", |(_, ending)| ending))).collect();
    let plain = |place: &&(&str, &str)| !place.0.contains(['*', '?', '[', '\\', '{', '!']) && !place.1.contains('/');
    let named = |(folder, ending): &(&str, &str)| match folder.is_empty() {
        true => format!("/*.{ending}"),
        false => format!("/{folder}/*.{ending}"),
    };
    let of_tree = |(folder, ending): &(&str, &str)| match folder.split('/').next().unwrap_or_default() {
        "" => format!("/*.{ending}"),
        top => format!("/{top}/**/*.{ending}"),
    };
    let globs: BTreeSet<String> = match places.len() > MANY {
        true => places.iter().filter(plain).map(of_tree).collect(),
        false => places.iter().filter(plain).map(named).collect(),
    };
    globs.into_iter().collect()
}
