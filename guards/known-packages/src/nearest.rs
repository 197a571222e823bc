//! What may be named instead of something that is not there: all of a few names, of many those that are nearest.

use std::collections::BTreeSet;

/// As many names are listed in full.
const FEW: usize = 8;
/// Share of two letters in a row that two names of the same thing have in common.
const SIMILAR: f64 = 0.3;

/// A part of a sentence behind `Declared:`.
pub fn declared<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> String {
    let names: BTreeSet<&str> = names.collect();
    if names.is_empty() {
        return "nothing".to_owned();
    }
    let wanted = pairs(wanted);
    let likeness = |name: &str| {
        let pairs = pairs(name);
        2.0 * pairs.intersection(&wanted).count() as f64 / (pairs.len() + wanted.len()).max(1) as f64
    };
    let mut near: Vec<(f64, &str)> = names.iter().map(|name| (likeness(name), *name)).collect();
    if names.len() > FEW {
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        near.retain(|(likeness, _)| *likeness >= SIMILAR);
        near.truncate(3);
    }
    let listed: Vec<&str> = near.into_iter().map(|(_, name)| name).collect();
    match (names.len(), listed.is_empty()) {
        (count, true) => format!("{count} packages, none of a similar name"),
        (count, false) if count > FEW => format!("{count} packages; the nearest by name: {}", listed.join(", ")),
        _ => listed.join(", "),
    }
}

/// Letters and digits in pairs, whatever the case.
fn pairs(name: &str) -> BTreeSet<[u8; 2]> {
    let letters: Vec<u8> =
        name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()).collect();
    letters.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn few_many_and_none() {
        let many = ["axios", "chalk", "eslint", "jest", "lodash", "react", "react-dom", "typescript", "vite", "vitest"];
        assert_eq!(declared("x", [].into_iter()), "nothing");
        assert_eq!(declared("jest-x", ["vite", "jest", "vite"].into_iter()), "jest, vite");
        assert_eq!(declared("lodash-es", many.into_iter()), "10 packages; the nearest by name: lodash");
        assert_eq!(declared("zzz", many.into_iter()), "10 packages, none of a similar name");
    }
}
