use guard_sdk::{Repo, Side};

use crate::effort::Effort;

use super::{Target, folder, join, stands};

pub fn key(path: &str) -> String {
    let path = path.strip_suffix(".pyi").or_else(|| path.strip_suffix(".py")).unwrap_or(path);
    path.strip_suffix("/__init__").unwrap_or(path).to_owned()
}

pub fn places(key: &str) -> Vec<String> {
    let endings = [".py", "/__init__.py", ".pyi", "/__init__.pyi", ".pyx", ".so", ".c"];
    endings.iter().map(|ending| format!("{key}{ending}")).collect()
}

pub fn is(target: &Target, module: &str, importer: &str) -> bool {
    let name = module.trim_start_matches('.');
    let path = name.replace('.', "/");
    match module.len() - name.len() {
        0 => is_absolute(target, &path, importer),
        level => {
            let up = "../".repeat(level - 1);
            join(folder(importer), &format!("{up}{path}")).is_some_and(|path| path == target.key)
        }
    }
}

/// `a.b` may stand at `a/b` or, below a folder of sources, at `src/a/b`.
fn is_absolute(target: &Target, path: &str, importer: &str) -> bool {
    if path.is_empty() || target.key == path {
        return !path.is_empty();
    }
    let Some(root) = target.key.strip_suffix(path).and_then(|root| root.strip_suffix('/')) else { return false };
    // Inside of a package the name would be longer.
    let in_package = stands(&target.repo, &format!("{root}/__init__.py"));
    let known_root = matches!(root.rsplit('/').next(), Some("src" | "lib" | "python"));
    !in_package && (importer.starts_with(&format!("{root}/")) || (known_root && !is_nearer(target, path, importer)))
}

/// Whether the module that `path` says stands somewhere above the importer too: what a build left, or another project vendors, is then
/// not what it means.
fn is_nearer(target: &Target, path: &str, importer: &str) -> bool {
    let mut at = folder(importer);
    loop {
        let stands_at = |root: &str| {
            let key = if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") };
            key != target.key && places(&key).iter().any(|place| stands(&target.repo, place))
        };
        if stands_at(at) || stands_at(&if at.is_empty() { "src".to_owned() } else { format!("{at}/src") }) {
            return true;
        }
        if at.is_empty() {
            return false;
        }
        at = folder(at);
    }
}

/// Whether the package imports a module of that name from somewhere else.
pub fn is_given(repo: &Repo, key: &str, effort: &Effort) -> bool {
    let Some((package, name)) = key.rsplit_once('/') else { return false };
    let path = format!("{package}/__init__.py");
    let outline = stands(repo, &path).then(|| effort.outline(Side::After, &path)).flatten();
    outline.is_some_and(|outline| outline.imports.iter().any(|take| take.local == name))
}
