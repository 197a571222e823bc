//! Whether what a value names is missing from a tree.

use guard_sdk::files::{Globs, relative::folder};
use resolution::{Resolver, Tree, is_ignored, is_made_folder};

use crate::named::Named;
use crate::table::Names;
use crate::{commands, entry};

/// What is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub rule: &'static str,
    /// The path, the function or the script.
    pub what: String,
    /// Whether only that can be: otherwise a build may make it, or the tool does not mind, and it is missed only where the base had it.
    pub is_certain: bool,
}

impl Missing {
    pub fn file(what: String, is_certain: bool) -> Self {
        Missing { rule: "file-missing", what, is_certain }
    }
}

/// All that a value names and that is not there.
pub fn missing(resolver: &Resolver, manifest: &str, named: &Named, all: &[Named], generated: &Globs) -> Vec<Missing> {
    let tree = resolver.tree();
    let at = folder(manifest);
    let found = match named.names {
        Names::Entry => entry::missing(resolver, at, &named.value),
        Names::Commands => return commands::missing(tree, at, named, all, generated),
        Names::FromRoot => place("", named.value.trim_start_matches('/'))
            .filter(|path| !named.value.contains('*') && !tree.is_folder(path))
            .map(|path| Missing::file(path, true)),
        Names::Context => context(tree, &named.value),
        Names::Loaded => place(at, &named.value).and_then(|path| loaded(tree, named, path)),
        Names::File | Names::Path => {
            let path = place(at, &named.value).filter(|path| !is_glob(path));
            path.filter(|path| !tree.is_file(path) && !tree.is_folder(path)).map(|path| Missing::file(path, true))
        }
        Names::Glob => glob(tree, at, &named.value),
        Names::Member(file) => member(tree, at, &named.value, file),
    };
    found
        .filter(|found| found.rule != "file-missing" || !may_be_made(tree, &found.what, generated))
        .into_iter()
        .collect()
}

fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// From the root. None for what is no path of the repository, or known only to whoever runs the tool.
pub fn place(at: &str, value: &str) -> Option<String> {
    let is_path = !value.is_empty()
        && !value.starts_with(['/', '~', '!', '#'])
        && !value.contains(['$', '<', '>', '%', ':', '{', '\\', ' ', '"', '\''])
        && !value.contains("node_modules")
        && !matches!(value, "true" | "false");
    if is_path { guard_sdk::files::relative::join(at, value) } else { None }
}

/// Whether a build, git or a submodule may bring it.
pub fn may_be_made(tree: &Tree, path: &str, generated: &Globs) -> bool {
    // A link or a submodule stands where a folder would.
    let is_below_another = || path.match_indices('/').any(|(at, _)| tree.is_file(&path[..at]));
    is_made_folder(path) || generated.matches(path) || is_ignored(tree, path) || is_below_another()
}

const ENDINGS: [&str; 8] = [".js", ".cjs", ".mjs", ".json", ".node", ".ts", "/index.js", "/package.json"];

/// Endings of what a compiler reads and never writes.
const SOURCES: [&str; 8] = [".ts", ".tsx", ".mts", ".cts", ".jsx", ".vue", ".svelte", ".scss"];

fn is_source(path: &str) -> bool {
    SOURCES.iter().any(|ending| path.ends_with(ending))
        && ![".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end))
}

/// Whether a file stands beside it from which a compiler would make it.
pub fn is_compiled_from(tree: &Tree, path: &str) -> bool {
    let stem = [".d.ts", ".d.mts", ".d.cts"].iter().find_map(|end| path.strip_suffix(end));
    let stem = stem.or_else(|| path.rsplit_once('.').map(|(stem, _)| stem)).unwrap_or(path);
    SOURCES.iter().any(|ending| tree.is_file(&format!("{stem}{ending}")))
}

fn loaded(tree: &Tree, named: &Named, path: String) -> Option<Missing> {
    let is_package = !named.value.starts_with('.') && (named.key.starts_with("exports") || named.key == "extends");
    let there = || {
        tree.is_file(&path) || tree.is_folder(&path) || ENDINGS.iter().any(|end| tree.is_file(&format!("{path}{end}")))
    };
    if is_glob(&path) || is_package || there() || is_compiled_from(tree, &path) {
        return None;
    }
    // Of a file among those that people write, nothing makes it; `npm init` names a `main` that nobody wrote, and compilers write
    // declarations.
    let within = folder(&path);
    let is_written = !within.is_empty() && has_files(tree, within) && !path.ends_with(".ts") && named.key != "main";
    let is_certain = named.key == "extends" || is_source(&path) || is_written;
    Some(Missing::file(path, is_certain))
}

fn has_files(tree: &Tree, at: &str) -> bool {
    tree.is_folder(at) && !tree.find(&[&format!("/{at}/*.*js")], 1).is_empty()
}

fn glob(tree: &Tree, at: &str, value: &str) -> Option<Missing> {
    let path = place(at, value.trim_start_matches("./"))?;
    let there = match is_glob(&path) {
        true => !tree.find(&[&format!("/{path}")], 1).is_empty(),
        false => tree.is_file(&path) || tree.is_folder(&path),
    };
    (!there).then(|| Missing::file(path, false))
}

fn member(tree: &Tree, at: &str, value: &str, file: &str) -> Option<Missing> {
    let path = place(at, value)?;
    let manifest = if path.is_empty() { file.to_owned() } else { format!("{path}/{file}") };
    let is_certain = !is_glob(&path) && file == "Cargo.toml";
    let there = match is_glob(&path) {
        true => !tree.find(&[&format!("/{manifest}")], 1).is_empty(),
        false => tree.is_file(&manifest),
    };
    (!there).then_some(Missing::file(manifest, is_certain))
}

/// Endings of files that people write and that images take; others may be what is built before the image.
const COPIED: [&str; 18] = [
    "sh", "py", "js", "mjs", "ts", "toml", "yml", "yaml", "txt", "md", "conf", "cfg", "ini", "mod", "sql", "rb", "go",
    "rs",
];

/// Nobody knows which folder the context is: what stands in none of them is missing.
fn context(tree: &Tree, value: &str) -> Option<Missing> {
    if is_glob(value) || matches!(value, "" | ".") || value.contains(':') || value.contains("..") {
        return None;
    }
    let there = tree.is_file(value)
        || tree.is_folder(value)
        || !tree.find(&[&format!("**/{value}"), &format!("**/{value}/**")], 1).is_empty();
    let ending = value.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    (!there).then(|| Missing::file(value.to_owned(), COPIED.contains(&ending)))
}
