//! Which file a path without its ending means.

use crate::generated;
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::tree::{Tree, above, folder, join};

#[rustfmt::skip]
pub const ENDINGS: [&str; 17] = [
    ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json", ".vue", ".svelte", ".astro", ".d.mts", ".d.cts", ".node", ".wasm",
];

/// What TypeScript looks for in place of the file that it will write.
const WRITTEN: [(&str, &[&str]); 7] = [
    (".js", &[".ts", ".tsx", ".d.ts", ".jsx"]),
    (".jsx", &[".tsx", ".d.ts"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
    (".d.ts", &[".ts", ".tsx"]),
    (".d.mts", &[".mts"]),
    (".d.cts", &[".cts"]),
];

/// Whether other tools read such files.
fn is_foreign(ending: &str) -> bool {
    matches!(ending, ".vue" | ".svelte" | ".astro" | ".node" | ".wasm")
}

/// A path of code without its ending.
pub fn stem(path: &str) -> &str {
    let endings = ENDINGS.iter().filter(|ending| !is_foreign(ending) && **ending != ".json");
    let stems = endings.filter_map(|ending| path.strip_suffix(ending));
    stems.min_by_key(|stem| stem.len()).unwrap_or(path)
}

/// The file at a place: as it stands, with an ending, or the index of a folder.
pub fn find(tree: &Tree, place: &str) -> Option<String> {
    let exact = !place.is_empty() && place.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if exact && tree.is_file(place) {
        return Some(place.to_owned());
    }
    // What other tools read is a module only if something stands in it.
    let with = |stem: &str, ending: &str| {
        let path = format!("{stem}{ending}");
        let is_there = tree.is_file(&path) && (!is_foreign(ending) || tree.finds_content(&[&format!("/{path}")]));
        is_there.then_some(path)
    };
    if !place.is_empty() {
        let found = ENDINGS.iter().find_map(|ending| with(place, ending)).or_else(|| {
            let (written, sources) = WRITTEN.iter().find(|(written, _)| place.ends_with(written))?;
            let stem = place.strip_suffix(written)?;
            sources.iter().find_map(|ending| with(stem, ending))
        });
        if found.is_some() {
            return found;
        }
    }
    let index = if place.is_empty() { "index".to_owned() } else { format!("{place}/index") };
    if tree.is_folder(place)
        && let Some(path) = ENDINGS.iter().find_map(|ending| with(&index, ending))
    {
        return Some(path);
    }
    (!place.is_empty() && tree.is_file(place)).then(|| place.to_owned())
}

pub fn relative(resolver: &Resolver, importer: &str, written: &str) -> Meaning {
    let Some(place) = join(folder(importer), written) else { return Meaning::Unknown };
    match find(resolver.tree(), &place) {
        Some(path) => Meaning::File(path),
        None if resolver.javascript.has_root_dirs(resolver.tree(), importer) => Meaning::Unknown,
        None => missing(resolver, &place),
    }
}

/// What is to be said when no file is at a place: a build may put one there, or a tool's own ending may belong to it.
pub fn missing(resolver: &Resolver, place: &str) -> Meaning {
    let tree = resolver.tree();
    let odd = place.is_empty() || place.contains(['*', '?', '[', '\\', '(']);
    if odd || tree.is_file(&format!("{place}/package.json")) || may_be_made(tree, place) {
        return Meaning::Unknown;
    }
    let stem = [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"]
        .iter()
        .find_map(|ending| place.strip_suffix(ending))
        .unwrap_or(place);
    let alike = [format!("/{stem}.*"), format!("/{stem}/index.*")];
    let alike: Vec<&str> = alike.iter().map(String::as_str).collect();
    if tree.finds_content(&alike) {
        return Meaning::Unknown;
    }
    // Build output that git ignores with its first folder, or a whole tree that is made: nothing of it is here.
    if !tree.is_folder(folder(place)) && generated::is_ignored(tree, &format!("{}/x", folder(place))) {
        return Meaning::Unknown;
    }
    let names = tree.children(folder(place), &[".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte"]);
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let nearest = nearest(name, names.iter().map(String::as_str), 1).pop();
    // What stands in a submodule is not in the tree.
    if above(folder(place)).any(|folder| !folder.is_empty() && resolver.tree().is_file(folder)) {
        return Meaning::Unknown;
    }
    Meaning::NoModule { place: Some(place.to_owned()), nearest }
}

/// Whether a build may make the file, whatever its ending.
fn may_be_made(tree: &Tree, place: &str) -> bool {
    let endings = [".ts", ".js", ".json", ".d.ts", ".tsx"];
    let by_name = |ending: &&str| generated::is_ignored_by_name(tree, &format!("{place}{ending}"));
    generated::may_be(tree, place) || endings.iter().any(by_name)
}
