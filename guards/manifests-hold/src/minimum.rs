//! The oldest version of a language for which a package says that it is.

use configuration::{Format, Setting, settings};
use guard_sdk::files::Language;
use guard_sdk::files::relative::{above, folder};
use resolution::Tree;

use crate::table::leads_to;

/// What a manifest says.
pub struct Minimum {
    pub version: (u32, u32),
    /// As written.
    pub written: String,
    pub manifest: String,
}

/// Files in the order in which they are asked, and keys that hold the version.
fn places(language: Language) -> &'static [(&'static str, &'static [&'static [&'static str]])] {
    match language {
        Language::Python => &[
            ("pyproject.toml", &[&["project", "requires-python"], &["tool", "poetry", "dependencies", "python"]]),
            ("setup.cfg", &[&["options", "python-requires"]]),
        ],
        Language::JavaScript => &[("package.json", &[&["engines", "node"]])],
        Language::Rust => &[("Cargo.toml", &[&["package", "rust-version"], &["workspace", "package", "rust-version"]])],
        _ => &[],
    }
}

/// Of the nearest manifest that says one.
pub fn of(tree: &Tree, language: Language, path: &str) -> Option<Minimum> {
    for at in above(folder(path)) {
        for (file, keys) in places(language) {
            let manifest = if at.is_empty() { (*file).to_owned() } else { format!("{at}/{file}") };
            let Some(text) = tree.is_file(&manifest).then(|| tree.text(&manifest)).flatten() else { continue };
            let all = settings(&text, Format::from_path(&manifest))?;
            let is_it = |one: &&Setting| !one.is_item && keys.iter().any(|keys| leads_to(&one.keys, keys));
            let found = all.iter().find(is_it).map(|one| one.value.clone());
            if let Some(written) = found {
                return lowest(&written).map(|version| Minimum { version, written, manifest });
            }
        }
    }
    None
}

/// The lowest version that a requirement takes: of each alternative its first, if that is a lower bound.
fn lowest(requirement: &str) -> Option<(u32, u32)> {
    let first = |part: &str| {
        let bounds =
            part.split([',', ' ']).map(str::trim).filter(|bound| !bound.is_empty() && !bound.starts_with(['<', '!']));
        let bare =
            bounds.map(|bound| bound.trim_start_matches(['>', '=', '^', '~', 'v'])).find(|bare| !bare.is_empty())?;
        let mut numbers = bare.split('.');
        let major = numbers.next()?.parse().ok()?;
        Some((major, numbers.next().and_then(|minor| minor.parse().ok()).unwrap_or(0)))
    };
    let all: Option<Vec<(u32, u32)>> = requirement.split("||").map(first).collect();
    all?.into_iter().min()
}

#[cfg(test)]
mod tests {
    use super::lowest;

    #[test]
    fn requirements() {
        for (text, version) in [
            (">=3.8", Some((3, 8))),
            (">=3.10,<4", Some((3, 10))),
            ("<4,>=3.9.2", Some((3, 9))),
            ("^3.9", Some((3, 9))),
            (">= 18", Some((18, 0))),
            ("^12.20 || >=14", Some((12, 20))),
            ("18.x", Some((18, 0))),
            ("1.74.0", Some((1, 74))),
            ("*", None),
            ("<4", None),
        ] {
            assert_eq!(lowest(text), version, "{text}");
        }
    }
}
