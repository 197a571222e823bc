//! Python: which file or distribution an import means.

pub mod distributions;
pub mod place;
pub mod roots;
mod script;
pub mod standard;

use crate::import::{Import, Need};
use crate::meaning::{Meaning, Offer};
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::tree::{folder, join};
use place::Found;

/// The file that an import's module means, without its name.
pub fn module(resolver: &Resolver, importer: &str, import: &Import) -> Meaning {
    let name = import.module.trim_start_matches('.');
    match import.module.len() - name.len() {
        0 => absolute(resolver, importer, import),
        level => relative(resolver, importer, name, level),
    }
}

/// The whole import.
pub fn meaning(resolver: &Resolver, importer: &str, import: &Import) -> Meaning {
    let meaning = module(resolver, importer, import);
    let Some(name) = &import.name else { return meaning };
    let tree = resolver.tree();
    match &meaning {
        Meaning::File(path) => {
            let level = import.module.len() - import.module.trim_start_matches('.').len();
            let mut offer = offers(resolver, path, name);
            if level == 0 && offer == Offer::No {
                // Another folder on the path may have a module of the same name.
                for other in place::all(resolver, importer, &import.module).iter().filter(|other| *other != path) {
                    offer = offer.or(offers(resolver, other, name));
                }
            }
            match offer {
                Offer::Yes | Offer::Unknown => meaning,
                Offer::No if may_be_module(resolver, path, name) => Meaning::Unknown,
                // A folder that is called as a module of the language does not hide that from who stands in it.
                Offer::No if level == 0 && standard::is_standard(&import.module) => Meaning::Standard,
                // Nor one that is called as a distribution, where its root is no folder that Python would look into.
                Offer::No if level == 0 && distributions::is_meant(resolver, importer, &import.module, path) => {
                    Meaning::Unknown
                }
                Offer::No => {
                    let names = resolver.outline(path);
                    let mut known: Vec<&str> =
                        names.iter().flat_map(|module| &module.offered).map(String::as_str).collect();
                    let children = is_package(path).then(|| tree.children(folder(path), &[".py"]));
                    known.extend(children.iter().flat_map(|names| names.iter()).map(String::as_str));
                    let nearest = nearest(name, known, 1).pop();
                    Meaning::NoName { file: path.clone(), name: name.clone(), nearest }
                }
            }
        }
        // `from . import x` in a folder without `__init__.py`.
        Meaning::Folder(at) => match place::find(tree, &format!("{at}/{name}")) {
            Found::File(path) => Meaning::File(path),
            Found::Folder(path) => Meaning::Folder(path),
            Found::Nothing => Meaning::Unknown,
        },
        _ => meaning,
    }
}

/// Whether the import binds the module that the file is: not a package of which it takes a name, nor the first of several packages.
pub fn binds_module(import: &Import, file: &str) -> bool {
    match &import.name {
        Some(name) => {
            let is = |end: &str| file.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            is(&format!("{name}.py")) || file.ends_with(&format!("/{name}/__init__.py"))
        }
        None => !import.module.contains('.') || import.module.split('.').next() != Some(&import.local),
    }
}

fn is_package(path: &str) -> bool {
    path.ends_with("/__init__.py") || path.ends_with("/__init__.pyi") || path == "__init__.py"
}

/// Whether a name may be a module below a package that is not in the tree: compiled, or made by a build.
fn may_be_module(resolver: &Resolver, path: &str, name: &str) -> bool {
    is_package(path) && {
        let place = if folder(path).is_empty() { name.to_owned() } else { format!("{}/{name}", folder(path)) };
        place::may_come(resolver.tree(), &place)
    }
}

/// Whether a module, given by its file, has a name; submodules count.
pub fn offers(resolver: &Resolver, path: &str, name: &str) -> Offer {
    if matches!(
        name,
        "__file__" | "__name__" | "__doc__" | "__path__" | "__spec__" | "__loader__" | "__package__" | "__dict__"
    ) {
        return Offer::Yes;
    }
    if is_package(path) {
        let child = if folder(path).is_empty() { name.to_owned() } else { format!("{}/{name}", folder(path)) };
        if !matches!(place::find(resolver.tree(), &child), Found::Nothing) {
            return Offer::Yes;
        }
    }
    let offer = resolver.offered(path, name, &|importer, module| {
        let import = Import::new(module, None, "", 0, Need::Required);
        match self::module(resolver, importer, &import) {
            Meaning::File(path) => Some(path),
            _ => None,
        }
    });
    // A stub and its module may each have what the other does not.
    let other = match path.strip_suffix(".pyi") {
        Some(stem) => format!("{stem}.py"),
        None => format!("{path}i"),
    };
    match offer {
        Offer::No if resolver.tree().is_file(&other) => {
            let stub = resolver.outline(&other);
            match stub {
                Some(module) if module.offered.contains(name) => Offer::Yes,
                Some(module) if !module.open && module.globs.is_empty() => Offer::No,
                _ => Offer::Unknown,
            }
        }
        offer => offer,
    }
}

fn relative(resolver: &Resolver, importer: &str, name: &str, level: usize) -> Meaning {
    let up = "../".repeat(level - 1);
    let Some(package) = join(folder(importer), &up) else { return Meaning::Unknown };
    let path = join(&package, &name.replace('.', "/")).unwrap_or_default();
    let tree = resolver.tree();
    match place::find(tree, &path) {
        Found::File(path) => Meaning::File(path),
        Found::Folder(path) => Meaning::Folder(path),
        Found::Nothing if name.is_empty() => Meaning::Folder(path),
        Found::Nothing => place::absent(resolver, &package, &path),
    }
}

fn is_written(resolver: &Resolver, importer: &str, module: &str) -> bool {
    let text = resolver.tree().text(importer);
    let forms = [format!("{module}.py"), format!("\"{module}\""), format!("'{module}'")];
    text.is_some_and(|text| forms.iter().any(|form| text.contains(form.as_str())))
}

fn absolute(resolver: &Resolver, importer: &str, import: &Import) -> Meaning {
    let module = import.module.as_str();
    let top = module.split('.').next().unwrap_or(module);
    if top.is_empty() {
        return Meaning::Unknown;
    }
    let path = module.replace('.', "/");
    let mut roots = place::roots(resolver, importer, top);
    if roots.is_empty() {
        if standard::is_standard(top) {
            return Meaning::Standard;
        }
        if distributions::may_give(resolver, importer, top) {
            return Meaning::Package(top.to_owned());
        }
        roots = resolver.python.holding(resolver.tree(), top);
    }
    // A folder without `__init__.py` is one part of a namespace, and the namespace is all folders that hold one.
    let is_namespace = !roots.is_empty() && roots.iter().all(|root| place::is_namespace(resolver.tree(), root, top));
    if is_namespace {
        let others = resolver.python.holding(resolver.tree(), top);
        roots.extend(others.into_iter().filter(|root| place::is_namespace(resolver.tree(), root, top)));
        let mut seen = std::collections::BTreeSet::new();
        roots.retain(|root| seen.insert(root.clone()));
    }
    // A module inside of a package has a longer name: only a script next to it would find it by this one.
    let any = !roots.is_empty();
    roots.retain(|root| root.is_empty() || !resolver.tree().is_file(&format!("{root}/__init__.py")));
    if roots.is_empty() && any {
        return if standard::is_standard(top) { Meaning::Standard } else { Meaning::Unknown };
    }
    let mut folder = None;
    for root in &roots {
        match place::find(resolver.tree(), &place::at(root, &path)) {
            Found::File(path) => return Meaning::File(path),
            Found::Folder(path) => folder = folder.or(Some(path)),
            Found::Nothing => {}
        }
    }
    if standard::is_standard(top) {
        return Meaning::Standard;
    }
    if let Some(folder) = folder {
        return if distributions::may_give(resolver, importer, top) {
            Meaning::Unknown
        } else {
            Meaning::Folder(folder)
        };
    }
    // Any distribution that is called after the namespace may add to it.
    if is_namespace && distributions::may_add_to(resolver, top) {
        return Meaning::Unknown;
    }
    match roots.first() {
        // The project has the package, and not this module of it.
        Some(root) if !distributions::may_give(resolver, importer, top) || place::is_own(resolver, root, top) => {
            let all = roots.iter().map(|root| place::absent(resolver, &place::at(root, top), &place::at(root, &path)));
            let mut all: Vec<Meaning> = all.collect();
            match all.iter().all(Meaning::is_missing) {
                true => all.swap_remove(0),
                false => Meaning::Unknown,
            }
        }
        Some(_) => Meaning::Unknown,
        // A test that writes a module and then imports it says its name in a string.
        None if import.is_local && is_written(resolver, importer, top) => Meaning::Unknown,
        None => distributions::meaning(resolver, importer, import, top),
    }
}
