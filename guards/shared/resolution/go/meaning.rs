//! Which package an import path means.

use super::modules::GoModule;
use super::standard;
use crate::generated;
use crate::import::{Import, Need};
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::tree::{Tree, above, folder};

pub fn meaning(resolver: &Resolver, importer: &str, import: &Import) -> Meaning {
    let (tree, path) = (resolver.tree(), import.module.as_str());
    if standard::is_standard(path) || path.is_empty() {
        return Meaning::Standard;
    }
    if path.starts_with('.') || path.contains([' ', '\\', '{']) || import.need != Need::Required {
        return Meaning::Unknown;
    }
    let modules = resolver.go.all(tree);
    let covers = |at: &str| at.is_empty() || importer.strip_prefix(at).is_some_and(|rest| rest.starts_with('/'));
    let nearest_above = modules.iter().filter(|module| covers(&module.at)).max_by_key(|module| module.at.len());
    let Some(own) = nearest_above.filter(|module| !module.name.is_empty()) else { return Meaning::Unknown };
    let below = |module: &str| path == module || path.strip_prefix(module).is_some_and(|rest| rest.starts_with('/'));
    let inside = modules.iter().filter(|module| !module.name.is_empty() && below(&module.name));
    if let Some(module) = inside.max_by_key(|module| module.name.len()) {
        let rest = path[module.name.len()..].trim_start_matches('/');
        let is_own = module.at == own.at;
        return inside_of(tree, own, module, rest, path, is_own);
    }
    if own.requires.iter().chain(&own.replaces).any(|name| below(name)) {
        return Meaning::Package(path.to_owned());
    }
    // In a workspace, a module has what any other requires.
    let has_work = above(&own.at).any(|at| tree.is_file(&place(at, "go.work")));
    if has_work && modules.iter().any(|module| module.requires.iter().any(|name| below(name))) {
        return Meaning::Package(path.to_owned());
    }
    let first = path.split('/').next().unwrap_or(path);
    let vendored = ["vendor", "third_party"].iter().any(|at| tree.is_folder(&place(&own.at, &format!("{at}/{path}"))));
    let has_vendor = tree.is_folder(&place(&own.at, &format!("vendor/{first}")));
    if vendored || tree.is_file("WORKSPACE") && own.requires.is_empty() {
        return Meaning::Package(path.to_owned());
    }
    if !first.contains('.') && !has_vendor {
        // Only the standard library has paths without a domain, and modules that are replaced.
        let nearest = nearest(path, standard::all(), 1).pop();
        return match modules.iter().any(|module| module.name.split('/').next() == Some(first)) {
            true => Meaning::Unknown,
            false => Meaning::NoModule { place: None, nearest },
        };
    }
    // Examples without a module of their own are for readers who have more installed, and builds leave such folders out.
    let inside = importer[own.at.len()..].split('/').rev().skip(1);
    if inside.into_iter().any(|part| part.starts_with(['_', '.']) || matches!(part, "examples" | "example" | "docs")) {
        return Meaning::Unknown;
    }
    let nearest = nearest(path, own.requires.iter().map(String::as_str), 3);
    let by_module = || {
        let parts: Vec<&str> = path.split('/').collect();
        let module = parts[..parts.len().min(3)].join("/");
        crate::nearest::nearest(&module, own.requires.iter().map(String::as_str), 3)
    };
    let nearest = if nearest.is_empty() { by_module() } else { nearest };
    Meaning::NoPackage { name: path.to_owned(), nearest, declared: own.requires.len() }
}

/// A package of a module of the tree: a folder.
fn inside_of(tree: &Tree, own: &GoModule, module: &GoModule, rest: &str, path: &str, is_own: bool) -> Meaning {
    let at = if rest.is_empty() { module.at.clone() } else { place(&module.at, rest) };
    if tree.is_folder(&at) {
        let glob = if at.is_empty() { "/*.go".to_owned() } else { format!("/{at}/*.go") };
        let odd = at.contains(['*', '?', '[', '\\']);
        if odd || !tree.find(&[&glob], 1).is_empty() {
            return Meaning::Folder(at);
        }
    }
    // Another module of the tree may be required at a version that still had the package, unless the tree's own is used.
    let replaced = own.replaces.contains(&module.name);
    let in_work = above(&own.at).any(|root| {
        let file = place(root, "go.work");
        let used = module.at.get(root.len()..).unwrap_or_default().trim_start_matches('/');
        tree.is_file(&file)
            && tree
                .text(&file)
                .is_some_and(|text| text.split_whitespace().any(|word| word.trim_start_matches("./") == used))
    });
    let other = !(is_own || replaced || in_work);
    let vendored = tree.is_folder(&place(&own.at, &format!("vendor/{path}")));
    if other || vendored || generated::is_made_folder(&at) || generated::is_ignored(tree, &at) {
        return Meaning::Unknown;
    }
    let siblings = tree.children(folder(&at), &[".go"]);
    let name = at.rsplit('/').next().unwrap_or(&at);
    let nearest = nearest(name, siblings.iter().map(String::as_str), 1).pop();
    Meaning::NoModule { place: Some(at), nearest }
}

fn place(at: &str, below: &str) -> String {
    if at.is_empty() { below.to_owned() } else { format!("{at}/{below}") }
}
