//! Entry points: the files at which a program starts.

use std::collections::HashSet;

use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;

use super::files::{FactsFiles, dir};
use super::{Ecosystem, Manifest};

/// Whether a file of that name could be an entry point; the walk keeps those.
pub fn may_start(path: &RepoPath, name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    match extension {
        // Cargo makes a program of every file in `src/bin`.
        "rs" => stem == "main" || path.parts().nth_back(1) == Some(b"bin"),
        "py" => matches!(stem, "__main__" | "manage" | "main" | "app" | "wsgi" | "asgi"),
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "tsx" => is_script(name),
        "go" => stem == "main",
        "php" => stem == "index",
        "ru" => stem == "config",
        _ => matches!(name, "artisan" | "rails"),
    }
}

/// Those files of the walk that are entry points by convention, and the existing files that manifests name.
pub fn entry_points(
    files: &FactsFiles,
    kept: &[RepoPath],
    manifests: &[Manifest],
    named: Vec<RepoPath>,
) -> Result<Vec<RepoPath>> {
    let mut homes: HashSet<(&[u8], Ecosystem)> =
        manifests.iter().map(|manifest| (dir(&manifest.path), manifest.ecosystem)).collect();
    // Small projects have no manifest.
    homes.extend([Ecosystem::Python, Ecosystem::Npm, Ecosystem::Go, Ecosystem::Php].map(|each| (&b""[..], each)));
    let mut points: Vec<RepoPath> = kept.iter().filter(|path| by_convention(path, &homes)).cloned().collect();
    for path in named {
        if files.find(&path)?.is_some() {
            points.push(path);
        }
    }
    points.sort();
    points.dedup();
    Ok(points)
}

/// The path relative to some parent directory with a manifest follows a convention of that ecosystem.
fn by_convention(path: &RepoPath, homes: &HashSet<(&[u8], Ecosystem)>) -> bool {
    let bytes = path.as_bytes();
    let slashes = bytes.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    // No convention is longer than `src/bin/tool/main.rs`.
    let homes_above = slashes.map(|at| (&bytes[..at], &bytes[at + 1..])).chain([(&b""[..], bytes)]).take(4);
    homes_above.into_iter().any(|(home, rest)| {
        std::str::from_utf8(rest).is_ok_and(|rest| {
            let parts: Vec<&str> = rest.split('/').collect();
            convention(&parts).is_some_and(|ecosystem| homes.contains(&(home, ecosystem)))
        })
    })
}

fn convention(parts: &[&str]) -> Option<Ecosystem> {
    Some(match parts {
        ["src", "main.rs"] | ["src", "bin", _, "main.rs"] => Ecosystem::Cargo,
        ["src", "bin", file] if file.ends_with(".rs") => Ecosystem::Cargo,
        ["main.go"] | ["cmd", _, "main.go"] => Ecosystem::Go,
        ["manage.py" | "main.py" | "app.py" | "wsgi.py" | "asgi.py" | "__main__.py"] => Ecosystem::Python,
        [_, "__main__.py"] | ["src", _, "__main__.py"] | [_, "wsgi.py" | "asgi.py"] => Ecosystem::Python,
        ["config.ru"] | ["bin", "rails"] => Ecosystem::Ruby,
        ["artisan" | "index.php"] | ["public", "index.php"] => Ecosystem::Php,
        [file] | ["src", file] if is_script(file) => Ecosystem::Npm,
        _ => return None,
    })
}

fn is_script(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        matches!(stem, "index" | "main" | "server" | "app")
            && matches!(extension, "js" | "mjs" | "cjs" | "jsx" | "ts" | "tsx")
    })
}
