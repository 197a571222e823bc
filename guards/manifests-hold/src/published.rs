//! Which code reaches those who install a package, as it stands in the tree.

use guard_sdk::files::is_tooling;
use guard_sdk::files::relative::{above, folder, join};
use guard_sdk::{Ecosystem, Manifest};
use resolution::Tree;
use serde_json::Value;

/// Programs that write what they import into what they make, so that nobody need install it.
const BUNDLERS: [&str; 17] = [
    "rollup",
    "webpack",
    "esbuild",
    "vite",
    "tsup",
    "tsdown",
    "unbuild",
    "parcel",
    "microbundle",
    "bun",
    "ncc",
    "rspack",
    "rslib",
    "rolldown",
    "swc",
    "obuild",
    "next",
];

/// Whether a file is part of what the package of a manifest installs, and its imports are made there.
pub fn is_shipped(tree: &Tree, ecosystem: &Ecosystem, manifest: &Manifest, path: &str) -> bool {
    match ecosystem {
        Ecosystem::Npm => is_shipped_npm(tree, &manifest.path, path),
        Ecosystem::Python => manifest.name.is_some() && is_in_package(tree, path),
        _ => false,
    }
}

/// A module of an importable package: a script beside it is for whoever has the checkout.
fn is_in_package(tree: &Tree, path: &str) -> bool {
    let at = folder(path);
    let is_own = is_tooling(path) || path.split('/').any(|part| part.contains("test"));
    !at.is_empty() && tree.is_file(&format!("{at}/__init__.py")) && !is_own
}

/// Whether a file of JavaScript is installed as it stands in the tree: nothing compiles it.
pub fn is_as_it_stands(tree: &Tree, path: &str) -> bool {
    let is_plain = [".js", ".cjs", ".mjs"].iter().any(|ending| path.ends_with(ending));
    let manifest = above(folder(path))
        .map(|at| if at.is_empty() { "package.json".to_owned() } else { format!("{at}/package.json") });
    let manifest = manifest.into_iter().find(|manifest| tree.is_file(manifest));
    is_plain && manifest.is_some_and(|manifest| is_shipped_npm(tree, &manifest, path))
}

fn is_shipped_npm(tree: &Tree, manifest: &str, path: &str) -> bool {
    let value: Option<Value> = tree.text(manifest).and_then(|text| serde_json::from_str(&text).ok());
    let Some(value) = value.filter(|value| value["private"] != true) else { return false };
    let at = folder(manifest);
    let mut starts: Vec<&str> = Vec::new();
    for key in ["main", "module", "bin", "exports"] {
        texts(&value[key], &mut starts);
    }
    let starts: Vec<String> = starts.into_iter().filter_map(|start| join(at, start)).collect();
    let is_source = |start: &String| ["", ".js", "/index.js"].iter().any(|end| tree.is_file(&format!("{start}{end}")));
    // The folder of the package's own that both stand in.
    let first = |path: &str| {
        path.get(at.len()..)
            .unwrap_or_default()
            .trim_start_matches('/')
            .split_once('/')
            .map_or("", |(first, _)| first)
            .to_owned()
    };
    if starts.iter().any(|start| is_source(start) && !first(start).is_empty() && first(start) == first(path)) {
        return true;
    }
    // A compiler alone keeps the imports of what it compiles.
    let scripts = value["scripts"].as_object().into_iter().flatten().filter_map(|(_, script)| script.as_str());
    let scripts: Vec<&str> = scripts.collect();
    let words =
        |script: &str, names: &[&str]| script.split([' ', '&', ';', '-', ':']).any(|word| names.contains(&word));
    let is_bundled = scripts.iter().any(|script| words(script, &BUNDLERS));
    let compiles = scripts.iter().any(|script| words(script, &["tsc"]) && !script.contains("--noEmit"));
    !starts.is_empty() && compiles && !is_bundled && first(path) == "src"
}

fn texts<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(all) => all.iter().for_each(|one| texts(one, found)),
        Value::Object(all) => all.values().for_each(|one| texts(one, found)),
        _ => {}
    }
}
