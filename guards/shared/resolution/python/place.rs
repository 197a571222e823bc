//! Where a module stands in the tree.

use crate::generated;
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::tree::{Tree, above, folder};

pub enum Found {
    File(String),
    /// A package without `__init__.py`.
    Folder(String),
    Nothing,
}

/// Files that a module may be, by its place without an ending.
pub fn places(place: &str) -> Vec<String> {
    ["/__init__.py", ".py", ".pyi", "/__init__.pyi"].iter().map(|ending| format!("{place}{ending}")).collect()
}

pub fn at(root: &str, path: &str) -> String {
    if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") }
}

pub fn find(tree: &Tree, place: &str) -> Found {
    let files = if place.is_empty() { vec!["__init__.py".to_owned()] } else { places(place) };
    if let Some(path) = files.into_iter().find(|path| tree.is_file(path)) {
        return Found::File(path);
    }
    match tree.is_folder(place) {
        true => Found::Folder(place.to_owned()),
        false => Found::Nothing,
    }
}

/// Folders of the tree in which a module or package of that name stands, and which are on the path or may be: those around the
/// importing file, and `src`, `lib` and `python` in them.
pub fn roots(resolver: &Resolver, importer: &str, top: &str) -> Vec<String> {
    let tree = resolver.tree();
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for around in above(folder(importer)) {
        for inner in ["", "src", "lib", "python"] {
            let root = match (around, inner) {
                (around, "") => around.to_owned(),
                (around, inner) => at(around, inner),
            };
            if !inner.is_empty() && !tree.is_folder(&root) {
                continue;
            }
            match find(tree, &at(&root, top)) {
                Found::File(_) => files.push(root),
                Found::Folder(_) => folders.push(root),
                Found::Nothing => {}
            }
        }
    }
    folders.retain(|root| holds_python(tree, &at(root, top)));
    files.extend(folders);
    files
}

/// Every file in the tree that the module may be.
pub fn all(resolver: &Resolver, importer: &str, module: &str) -> Vec<String> {
    let top = module.split('.').next().unwrap_or(module);
    let path = module.replace('.', "/");
    let mut roots = roots(resolver, importer, top);
    roots.extend(resolver.python.holding(resolver.tree(), top));
    let mut found: Vec<String> = Vec::new();
    for root in roots {
        if let Found::File(path) = find(resolver.tree(), &at(&root, &path)) {
            found.push(path);
        }
    }
    found.sort();
    found.dedup();
    found
}

fn holds_python(tree: &Tree, place: &str) -> bool {
    let (direct, below) = (format!("/{place}/*.py"), format!("/{place}/**/*.py"));
    !tree.find(&[&direct, &below], 1).is_empty()
}

/// Whether a folder of that name at a root is a part of a namespace, and no package of its own.
pub fn is_namespace(tree: &Tree, root: &str, top: &str) -> bool {
    let place = at(root, top);
    tree.is_folder(&place) && !places(&place).iter().any(|path| tree.is_file(path))
}

/// Whether the package at a root is the project's own for certain: it has an `__init__.py`, and stands at the root or in `src`.
pub fn is_own(resolver: &Resolver, root: &str, top: &str) -> bool {
    let known = root.is_empty() || root == "src" || root.ends_with("/src");
    known && resolver.tree().is_file(&at(root, &format!("{top}/__init__.py")))
}

/// Whether a module that is not in the tree may come from a compiler or a build.
pub fn may_come(tree: &Tree, place: &str) -> bool {
    let any_ending = format!("/{place}.*");
    place.contains(['*', '?', '[', '\\'])
        || tree.finds_content(&[&any_ending])
        || generated::may_be(tree, &format!("{place}.py"))
}

/// What is to be said of a module that is not at its place, below a package.
pub fn absent(resolver: &Resolver, package: &str, place: &str) -> Meaning {
    let tree = resolver.tree();
    // The packages on the way, from the outermost; one of them may look elsewhere, or make modules up.
    let mut on_the_way: Vec<&str> = above(folder(place)).filter(|at| at.starts_with(package)).collect();
    on_the_way.reverse();
    for at in &on_the_way {
        match find(tree, at) {
            Found::File(file) => {
                let moves = resolver.outline(&file).is_none_or(|module| module.moves_path);
                if moves || !file.ends_with("__init__.py") && !file.ends_with("__init__.pyi") {
                    return if moves { Meaning::Unknown } else { missing(tree, place) };
                }
            }
            Found::Folder(_) => {}
            Found::Nothing => return if may_come(tree, at) { Meaning::Unknown } else { missing(tree, at) },
        }
    }
    if may_come(tree, place) { Meaning::Unknown } else { missing(tree, place) }
}

fn missing(tree: &Tree, place: &str) -> Meaning {
    let names = tree.children(folder(place), &[".py", ".pyi"]);
    let name = place.rsplit('/').next().unwrap_or(place);
    let nearest = nearest(name, names.iter().map(String::as_str), 1).pop();
    Meaning::NoModule { place: Some(format!("{place}.py")), nearest }
}
