//! Which imports of Python mean a file.

use guard_sdk::files::Language;
use guard_sdk::files::relative::{folder, join};

use super::{Read, Target, Ways, stands};
use crate::python::place;

pub const WAYS: Ways = Ways {
    language: Language::Python,
    key,
    places,
    word: |target| target.last(),
    is_meant: |target, module, importer, _| is(target, module, importer),
    below: |module, name| match module.ends_with('.') {
        true => format!("{module}{name}"),
        false => format!("{module}.{name}"),
    },
    is_declared_in: |_, _, _| false,
    is_given_by_parent: is_given,
    has_child,
    is_dead: |_, _| false,
};

fn key(path: &str) -> String {
    let path = path.strip_suffix(".pyi").or_else(|| path.strip_suffix(".py")).unwrap_or(path);
    path.strip_suffix("/__init__").unwrap_or(path).to_owned()
}

/// Those of the language, and what a compiler makes.
fn places(key: &str) -> Vec<String> {
    let compiled = [".pyx", ".so", ".c"].iter().map(|ending| format!("{key}{ending}"));
    place::places(key).into_iter().chain(compiled).collect()
}

fn has_child(target: &Target, name: &str) -> bool {
    let child = format!("{}/{name}", target.key);
    target.repo.is_dir(&child) == Ok(true) || places(&child).iter().any(|place| stands(&target.repo, place))
}

fn is(target: &Target, module: &str, importer: &str) -> bool {
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
fn is_given(target: &Target, read: &Read) -> bool {
    let Some((package, name)) = target.key.rsplit_once('/') else { return false };
    let path = format!("{package}/__init__.py");
    let outline = stands(&target.repo, &path).then(|| read(&path)).flatten();
    outline.is_some_and(|outline| outline.imports.iter().any(|take| take.local == name))
}
