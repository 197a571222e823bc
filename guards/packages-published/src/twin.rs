//! Names that are almost those of other packages.

use guard_sdk::{Ecosystem, Publication};

use crate::declared::{Declared, NewPackage, canonical};

/// A package as old as that, with so many versions, has users of its own.
const OLD: u32 = 365;
const MANY: u32 = 5;

/// Of shorter names too many differ by one letter.
const SHORTEST: usize = 5;

/// What is not known does not count for the package.
pub fn is_established(publication: &Publication) -> bool {
    publication.days.is_some_and(|days| days >= OLD) && publication.versions.is_none_or(|versions| versions >= MANY)
}

/// The popular package, or that of the repository, whose name differs by one letter or by separators alone.
pub fn of(package: &NewPackage, declared: &Declared) -> Option<String> {
    let name = canonical(&package.ecosystem, &package.dependency);
    let popular: Vec<&str> =
        popular(&package.ecosystem).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if popular.contains(&name.as_str()) {
        return None;
    }
    let before = declared.before(&package.ecosystem);
    let names = popular.into_iter().chain(before.keys().map(String::as_str));
    names.filter(|other| is_twin(&name, other)).map(str::to_owned).next()
}

fn is_twin(name: &str, other: &str) -> bool {
    let bare = |name: &str| name.chars().filter(|c| !matches!(c, '-' | '_' | '.')).collect::<String>();
    let is_short = name.len().min(other.len()) < SHORTEST;
    name != other && !is_short && (bare(name) == bare(other) || strsim::osa_distance(name, other) == 1)
}

/// One name a line, as registries spell it.
fn popular(ecosystem: &Ecosystem) -> &'static str {
    match ecosystem {
        Ecosystem::Cargo => include_str!("popular/cargo.txt"),
        Ecosystem::Npm => include_str!("popular/npm.txt"),
        Ecosystem::Python => include_str!("popular/python.txt"),
        Ecosystem::Go => include_str!("popular/go.txt"),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{canonical, is_twin, popular};
    use guard_sdk::Ecosystem;

    #[test]
    fn one_letter_or_separators() {
        for (name, other, expected) in [
            ("lodahs", "lodash", true),
            ("loadash", "lodash", true),
            ("cross-env.js", "cross-env", false),
            ("crossenv", "cross-env", true),
            ("reqwets", "reqwest", true),
            ("lodash", "lodash", false),
            ("vita", "vite", false),
        ] {
            assert_eq!(is_twin(name, other), expected, "{name} {other}");
        }
    }

    /// A list with names that registries spell otherwise would miss their twins.
    #[test]
    fn lists_are_spelled_as_registries_do() {
        for ecosystem in [Ecosystem::Cargo, Ecosystem::Npm, Ecosystem::Python, Ecosystem::Go] {
            let names: Vec<&str> = popular(&ecosystem).lines().collect();
            assert!(names.is_sorted() && names.len() > 20, "{ecosystem:?}");
            assert!(names.iter().all(|name| canonical(&ecosystem, name) == *name), "{ecosystem:?}");
        }
    }
}
