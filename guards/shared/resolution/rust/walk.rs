//! Follows a path through the modules of a crate.

use std::cell::RefCell;

use ra_ap_parser::{Edition, SyntaxKind};

use super::krate::Krate;
use super::outline::Mod;
use crate::import::{Import, Need};
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::tree::folder;

/// Re-exports of re-exports that are followed.
const DEEPEST: usize = 12;

/// A module: the file that holds it, and the names that lead to it inside of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) inside: Vec<String>,
}

pub(super) enum End {
    Module(Place),
    Enum(Place, String),
    /// An item in that file.
    Item(String),
    /// A crate that is not in the tree.
    Outside(String),
    Unknown,
    Missing(Meaning),
}

pub fn meaning(resolver: &Resolver, importer: &str, import: &Import) -> Meaning {
    if import.need == Need::Optional {
        return Meaning::Unknown;
    }
    let Some(krate) = resolver.rust.containing(resolver.tree(), importer).filter(|krate| !krate.unknown) else {
        return Meaning::Unknown;
    };
    let here = Place { file: importer.to_owned(), inside: import.inside.clone() };
    let walk = Walk { resolver, krate: &krate, importer, seen: RefCell::default() };
    if import.declares {
        return walk.declared(&here, &import.module);
    }
    let mut path: Vec<String> = import.module.split("::").map(str::to_owned).collect();
    if path.first().is_some_and(String::is_empty) {
        path.splice(..path.iter().take_while(|part| part.is_empty()).count(), ["::".to_owned()]);
    }
    if import.is_local && !matches!(path[0].as_str(), "crate" | "self" | "super") {
        let file = resolver.rust.file(resolver.tree(), importer);
        if file.is_none_or(|file| file.local.contains(&path[0])) {
            return Meaning::Unknown;
        }
    }
    match walk.path(&here, &path, 0, true) {
        End::Module(place) => Meaning::File(place.file),
        End::Enum(place, _) => Meaning::File(place.file),
        End::Item(file) => Meaning::File(file),
        End::Outside(name) => Meaning::Package(name),
        End::Unknown => Meaning::Unknown,
        End::Missing(meaning) => meaning,
    }
}

pub(super) struct Walk<'w, 'c> {
    pub(super) resolver: &'w Resolver<'c>,
    pub(super) krate: &'w Krate,
    pub(super) importer: &'w str,
    /// Names that were looked for in a module before: modules may take all names of one another.
    seen: RefCell<Vec<(Place, String)>>,
}

impl Walk<'_, '_> {
    pub(super) fn path(&self, here: &Place, path: &[String], depth: usize, first: bool) -> End {
        if depth > DEEPEST {
            return End::Unknown;
        }
        let Some(start) = path.first() else { return End::Unknown };
        let rest = &path[1..];
        match start.as_str() {
            "crate" | "$crate" => self.at_roots(rest, depth),
            "self" => self.follow(here.clone(), rest, depth),
            "super" => {
                let (mut at, mut rest) = (here.clone(), rest);
                loop {
                    if at.inside.pop().is_none() {
                        match self.parent(&at.file) {
                            Some(parent) => at = parent,
                            None => return End::Unknown,
                        }
                    }
                    match rest.first().map(String::as_str) {
                        Some("super") => rest = &rest[1..],
                        _ => break,
                    }
                }
                self.follow(at, rest, depth)
            }
            "::" => match rest.first() {
                Some(name) => match self.in_crate(name, &rest[1..], depth) {
                    End::Missing(Meaning::NoPackage { .. }) if self.is_known(name) => End::Unknown,
                    end => end,
                },
                None => End::Unknown,
            },
            name if self.krate.edition_2015 => self.in_edition_2015(name, path, depth),
            name => {
                let known =
                    self.module(here).and_then(|file| Some(file.root.at(&here.inside)?.names().any(|one| one == name)));
                // `use a; use a::b`: what is named here, but not by the `use` itself.
                let itself = first && self.is_only_itself(here, name, path);
                if known == Some(true) && !itself {
                    return self.follow(here.clone(), path, depth);
                }
                match self.in_crate(name, rest, depth) {
                    End::Missing(missing @ Meaning::NoPackage { .. }) => self.by_glob(here, name, missing),
                    end => end,
                }
            }
        }
    }

    /// `use serde;` or `use serde::{self}` bind the name that they begin with.
    fn is_only_itself(&self, here: &Place, name: &str, path: &[String]) -> bool {
        let file = self.module(here);
        file.as_ref().and_then(|file| file.root.at(&here.inside)).is_some_and(|module| {
            let others = module.inline.contains_key(name)
                || module.declared.contains_key(name)
                || module.enums.contains_key(name)
                || module.items.contains(name);
            !others && module.uses.get(name).is_some_and(|used| used.first() == path.first())
        })
    }

    /// A first name that no crate has may come from a glob, or be a macro.
    fn by_glob(&self, here: &Place, name: &str, missing: Meaning) -> End {
        let Some(file) = self.module(here) else { return End::Unknown };
        let mut inside = here.inside.clone();
        loop {
            match file.root.at(&inside) {
                Some(module) if !module.may_derive(name) && !module.handed.contains(name) => {
                    let place = Place { file: here.file.clone(), inside: inside.clone() };
                    if !module.globs.iter().all(|glob| self.lacks(&place, glob, name)) {
                        return End::Unknown;
                    }
                }
                _ => return End::Unknown,
            }
            if inside.pop().is_none() {
                break;
            }
        }
        match SyntaxKind::from_keyword(name, Edition::CURRENT) {
            Some(_) => End::Unknown,
            None if self.is_known(name) => End::Unknown,
            None => End::Missing(missing),
        }
    }

    fn in_edition_2015(&self, name: &str, path: &[String], depth: usize) -> End {
        if self.krate.dependencies.contains_key(name) || is_standard(name) {
            return End::Outside(name.to_owned());
        }
        match self.at_roots(path, depth) {
            End::Missing(_) => End::Unknown,
            end => end,
        }
    }

    fn in_crate(&self, name: &str, rest: &[String], depth: usize) -> End {
        if is_standard(name) {
            return End::Outside(name.to_owned());
        }
        if name == self.krate.name {
            return match &self.krate.lib {
                Some(lib) => self.follow(Place { file: lib.clone(), inside: Vec::new() }, rest, depth),
                None => End::Unknown,
            };
        }
        let tree = self.resolver.tree();
        match self.krate.dependencies.get(name) {
            Some(Some(at)) => match self.resolver.rust.at(tree, at) {
                Some(other) if !other.unknown && !other.edition_2015 => match &other.lib {
                    Some(lib) => {
                        let seen = RefCell::default();
                        let walk = Walk { resolver: self.resolver, krate: &other, importer: lib, seen };
                        walk.follow(Place { file: lib.clone(), inside: Vec::new() }, rest, depth)
                    }
                    None => End::Unknown,
                },
                _ => End::Outside(name.to_owned()),
            },
            Some(None) => End::Outside(name.to_owned()),
            None => {
                let names: Vec<&str> = self.krate.dependencies.keys().map(String::as_str).collect();
                let nearest = nearest(name, names.iter().copied(), 3);
                End::Missing(Meaning::NoPackage { name: name.to_owned(), nearest, declared: names.len() })
            }
        }
    }

    /// Whether a crate is called otherwise than its package, is used in this crate's other files already, or is in fact a macro.
    fn is_known(&self, name: &str) -> bool {
        let others =
            [("md5", "md_5"), ("sha1", "sha_1"), ("crypto", "rust_crypto"), ("openssl", "openssl_sys"), ("lib", "lib")];
        if others.iter().any(|(lib, package)| *lib == name && self.krate.dependencies.contains_key(*package)) {
            return true;
        }
        let tree = self.resolver.tree();
        // A name in scope of the crate's root: `extern crate`, `#[macro_use]`.
        let roots = self.krate.roots(tree, self.importer);
        let in_root = roots.iter().filter_map(|root| self.resolver.rust.file(tree, root)).any(|root| {
            root.root
                .uses
                .get(name)
                .is_some_and(|path| path.first().is_some_and(|first| first == "::" || first == "crate"))
        });
        let hits = tree.search_base(&[name], &["*.rs"], 300);
        in_root
            || hits.iter().filter(|hit| hit.path.starts_with(&self.krate.at)).any(|hit| {
                let text = hit.text.trim_start();
                let uses = [
                    format!("use {name}::"),
                    format!("use {name};"),
                    format!("extern crate {name}"),
                    format!("::{name}::"),
                ];
                uses.iter().any(|used| text.contains(used.as_str())) || text.contains("macro_rules!")
            })
    }

    fn at_roots(&self, rest: &[String], depth: usize) -> End {
        let tree = self.resolver.tree();
        let roots = self.krate.roots(tree, self.importer);
        let mut missing = None;
        for file in roots {
            match self.follow(Place { file, inside: Vec::new() }, rest, depth) {
                End::Missing(meaning) => missing = missing.or(Some(meaning)),
                end => return end,
            }
        }
        missing.map_or(End::Unknown, End::Missing)
    }

    fn module(&self, place: &Place) -> Option<std::rc::Rc<super::outline::RustFile>> {
        self.resolver.rust.file(self.resolver.tree(), &place.file)
    }

    /// The module around that of a file, when that module says `mod` of it.
    fn parent(&self, file: &str) -> Option<Place> {
        if self.krate.is_root(file) {
            return None;
        }
        let tree = self.resolver.tree();
        let (at, name) = file.rsplit_once('/').unwrap_or(("", file));
        let (at, name) = match name {
            "mod.rs" => (folder(at), at.rsplit('/').next().unwrap_or_default()),
            name => (at, name.strip_suffix(".rs").unwrap_or(name)),
        };
        let inside_of = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
        let mut places = vec![inside_of("mod.rs"), inside_of("lib.rs"), inside_of("main.rs")];
        if !at.is_empty() {
            places.insert(0, format!("{at}.rs"));
        }
        let roots = self.krate.roots(tree, file);
        places.extend(roots.into_iter().filter(|root| folder(root) == at));
        let declares = |place: &String| {
            let file = self.resolver.rust.file(tree, place);
            file.is_some_and(|file| file.root.declared.get(name).is_some_and(Option::is_none))
        };
        let file = places.into_iter().find(declares)?;
        Some(Place { file, inside: Vec::new() })
    }

    pub(super) fn follow(&self, mut at: Place, path: &[String], depth: usize) -> End {
        for (index, name) in path.iter().enumerate() {
            let rest = &path[index + 1..];
            if name == "self" && rest.is_empty() {
                break;
            }
            if name == "super" || depth + index > 4 * DEEPEST {
                return End::Unknown;
            }
            let Some(file) = self.module(&at) else { return End::Unknown };
            let Some(module) = file.root.at(&at.inside) else { return End::Unknown };
            if module.inline.contains_key(name) {
                at.inside.push(name.clone());
                continue;
            }
            if module.declared.contains_key(name) {
                match self.file_of(&at, name) {
                    Some(file) => at = Place { file, inside: Vec::new() },
                    None => return End::Unknown,
                }
                continue;
            }
            return self.item(&at, module, name, rest, depth);
        }
        End::Module(at)
    }

    /// A name in a module that is no module itself, and what follows it.
    fn item(&self, at: &Place, module: &Mod, name: &str, rest: &[String], depth: usize) -> End {
        if let Some(variants) = module.enums.get(name) {
            return match (rest, variants) {
                ([], _) => End::Enum(at.clone(), name.to_owned()),
                ([variant], Some(variants)) if !variants.contains(variant) && variant != "self" => {
                    End::Missing(Meaning::NoName {
                        file: at.file.clone(),
                        name: variant.clone(),
                        nearest: nearest(variant, variants.iter().map(String::as_str), 1).pop(),
                    })
                }
                _ => End::Item(at.file.clone()),
            };
        }
        // `use crate::a;` at the root binds the very name that it looks for.
        let to_itself = |used: &[String]| match used {
            [start, last] if last == name => {
                start == "self" || start == "crate" && at.inside.is_empty() && self.krate.is_root(&at.file)
            }
            _ => false,
        };
        if let Some(used) = module.uses.get(name).filter(|used| !to_itself(used)) {
            // `pub use a::a` leads back to itself.
            let walk_on = used.first().is_some_and(|first| first != name) || used.len() > 1;
            return match (walk_on, rest) {
                (true, []) => End::Item(at.file.clone()),
                (true, rest) => {
                    let path: Vec<String> = used.iter().chain(rest).cloned().collect();
                    match self.path(at, &path, depth + 1, true) {
                        // What a re-export leads to is told there; a path through another crate is not followed.
                        End::Missing(Meaning::NoPackage { .. }) => End::Unknown,
                        end => end,
                    }
                }
                (false, _) => End::Unknown,
            };
        }
        if module.items.contains(name) {
            return if rest.is_empty() { End::Item(at.file.clone()) } else { End::Unknown };
        }
        if module.may_derive(name) {
            return End::Unknown;
        }
        let visit = (at.clone(), name.to_owned());
        if self.seen.borrow().contains(&visit) {
            let meaning = Meaning::NoName { file: at.file.clone(), name: name.to_owned(), nearest: None };
            return End::Missing(meaning);
        }
        self.seen.borrow_mut().push(visit);
        for glob in &module.globs {
            match self.path(at, glob, depth + 1, true) {
                End::Module(place) if place == *at => {}
                End::Module(place) => {
                    let path: Vec<String> = std::iter::once(name.to_owned()).chain(rest.iter().cloned()).collect();
                    match self.follow(place, &path, depth + 1) {
                        End::Missing(Meaning::NoName { .. } | Meaning::NoModule { .. }) => {}
                        end => return end,
                    }
                }
                End::Enum(place, enumeration) => {
                    let file = self.module(&place);
                    let variants =
                        file.as_ref().and_then(|file| file.root.at(&place.inside)?.enums.get(&enumeration)?.clone());
                    if variants.is_none_or(|variants| variants.contains(name)) {
                        return End::Unknown;
                    }
                }
                End::Item(_) | End::Outside(_) | End::Unknown | End::Missing(_) => return End::Unknown,
            }
        }
        if self.may_call(module, name) { End::Unknown } else { self.missing(at, module, name, rest) }
    }
}

pub(super) fn is_standard(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc" | "proc_macro" | "test")
}
