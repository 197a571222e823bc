//! To which package of a repository a file belongs.

use guard_sdk::{Repo, Side};

/// Files by which a folder is a package of its own.
const MANIFESTS: [&str; 13] = [
    "package.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "Cargo.toml",
    "composer.json",
    "mix.exs",
    "go.mod",
    "build.gradle",
    "build.gradle.kts",
    "pubspec.yaml",
    "deno.json",
    // What a chart deploys has its own version.
    "Chart.yaml",
];

/// The folder of the package: the nearest one above with a manifest; without one, the root.
pub fn containing<'p>(repo: &Repo, path: &'p str) -> &'p str {
    let mut at = path;
    while let Some((folder, _)) = at.rsplit_once('/') {
        let is_there = |name: &str| matches!(repo.stat(&format!("{folder}/{name}")), Ok(Some(_)));
        if MANIFESTS.iter().any(|name| is_there(name)) || !repo.find(&[&format!("/{folder}/*.gemspec")], 1).is_empty() {
            return folder;
        }
        at = folder;
    }
    ""
}

/// The side of which packages are asked: where they were when the versions agreed.
pub const SIDE: Side = Side::Before;
