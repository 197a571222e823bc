//! Follows a path through the modules of a crate.

use std::cell::RefCell;

use ra_ap_parser::{Edition, SyntaxKind};

use super::krate::Krate;
use super::outline::Mod;
use crate::generated;
use crate::import::{Import, Need};
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::tree::{folder, join};

/// Re-exports of re-exports that are followed.
const DEEPEST: usize = 12;

/// A module: the file that holds it, and the names that lead to it inside of that.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: String,
    inside: Vec<String>,
}

enum End {
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
    let Some(krate) = resolver.rust.of(resolver.tree(), importer).filter(|krate| !krate.unknown) else {
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

struct Walk<'w, 'c> {
    resolver: &'w Resolver<'c>,
    krate: &'w Krate,
    importer: &'w str,
    /// Names that were looked for in a module before: modules may take all names of one another.
    seen: RefCell<Vec<(Place, String)>>,
}

impl Walk<'_, '_> {
    /// `mod name;`
    fn declared(&self, here: &Place, name: &str) -> Meaning {
        match self.file_of(here, name) {
            Some(path) => Meaning::File(path),
            None => {
                let tree = self.resolver.tree();
                let places = self.places(here, name);
                if places.is_empty() || places.iter().any(|place| generated::may_be(tree, place)) || self.is_moved(here)
                {
                    return Meaning::Unknown;
                }
                let siblings = tree.children(folder(&places[0]), &[".rs"]);
                let nearest = nearest(name, siblings.iter().map(String::as_str), 1).pop();
                Meaning::NoModule { place: Some(places[0].clone()), nearest }
            }
        }
    }

    /// Where the file of `mod name;` may stand.
    fn places(&self, here: &Place, name: &str) -> Vec<String> {
        let last = here.file.rsplit('/').next().unwrap_or_default();
        let owns_folder = last == "mod.rs" || self.krate.is_root(&here.file);
        let stem = here.file.strip_suffix(".rs").unwrap_or(&here.file);
        let mut at = if owns_folder { folder(&here.file).to_owned() } else { stem.to_owned() };
        for part in &here.inside {
            at = if at.is_empty() { part.clone() } else { format!("{at}/{part}") };
        }
        let prefix = if at.is_empty() { String::new() } else { format!("{at}/") };
        vec![format!("{prefix}{name}.rs"), format!("{prefix}{name}/mod.rs")]
    }

    fn file_of(&self, here: &Place, name: &str) -> Option<String> {
        let tree = self.resolver.tree();
        let file = self.resolver.rust.file(tree, &here.file)?;
        let declared = file.root.at(&here.inside)?.declared.get(name)?;
        match declared {
            Some(path) if here.inside.is_empty() => join(folder(&here.file), path).filter(|path| tree.is_file(path)),
            Some(_) => None,
            None => self.places(here, name).into_iter().find(|path| tree.is_file(path)),
        }
    }

    /// Whether a `#[path]` or an `include!` may have brought a file to another place.
    fn is_moved(&self, here: &Place) -> bool {
        let name = here.file.rsplit('/').next().unwrap_or_default();
        let Some(stem) = name.strip_suffix(".rs").filter(|stem| !stem.is_empty()) else { return true };
        let hits = self.resolver.tree().search(&[stem], &["*.rs"], 2_000);
        hits.iter().any(|hit| hit.text.contains(name) && (hit.text.contains("#[path") || hit.text.contains("include!")))
    }

    fn path(&self, here: &Place, path: &[String], depth: usize, first: bool) -> End {
        if depth > DEEPEST {
            return End::Unknown;
        }
        let Some(start) = path.first() else { return End::Unknown };
        let rest = &path[1..];
        match start.as_str() {
            "crate" | "$crate" => self.from_roots(rest, depth),
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
                Some(name) => match self.of_crate(name, &rest[1..], depth) {
                    End::Missing(Meaning::NoPackage { .. }) if self.is_known(name) => End::Unknown,
                    end => end,
                },
                None => End::Unknown,
            },
            name if self.krate.edition_2015 => self.of_2015(name, path, depth),
            name => {
                let known =
                    self.module(here).and_then(|file| Some(file.root.at(&here.inside)?.names().any(|one| one == name)));
                // `use a; use a::b`: what is named here, but not by the `use` itself.
                let itself = first && self.is_only_itself(here, name, path);
                if known == Some(true) && !itself {
                    return self.follow(here.clone(), path, depth);
                }
                match self.of_crate(name, rest, depth) {
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

    fn of_2015(&self, name: &str, path: &[String], depth: usize) -> End {
        if self.krate.dependencies.contains_key(name) || is_standard(name) {
            return End::Outside(name.to_owned());
        }
        match self.from_roots(path, depth) {
            End::Missing(_) => End::Unknown,
            end => end,
        }
    }

    fn of_crate(&self, name: &str, rest: &[String], depth: usize) -> End {
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

    fn from_roots(&self, rest: &[String], depth: usize) -> End {
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

    fn follow(&self, mut at: Place, path: &[String], depth: usize) -> End {
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

    /// Whether a glob certainly gives no module or crate of that name.
    fn lacks(&self, at: &Place, glob: &[String], name: &str) -> bool {
        match self.path(at, glob, 1, true) {
            End::Module(place) => matches!(self.follow(place, &[name.to_owned()], 1), End::Missing(_)),
            End::Enum(..) => true,
            // Of the standard library, modules are taken by their names.
            End::Outside(krate) => is_standard(&krate) && glob.len() > 1,
            End::Item(_) | End::Unknown | End::Missing(_) => false,
        }
    }

    /// Whether a macro that is called where items stand may have made an item of that name. The name is then in what the macro is
    /// given, or in its definition; or the definition is not in the tree.
    fn may_call(&self, module: &Mod, name: &str) -> bool {
        let mut calls = module.calls.iter().filter(|call| !HARMLESS.contains(&call.as_str())).peekable();
        if module.calls.is_empty() {
            return false;
        }
        if module.handed.contains(name) || calls.clone().any(|call| call.contains("include") || call.is_empty()) {
            return true;
        }
        if calls.peek().is_none() {
            return false;
        }
        let tree = self.resolver.tree();
        let needles: Vec<&str> = calls.clone().map(String::as_str).collect();
        let defined = tree.search(&needles, &["*.rs"], 2_000);
        let is_defined = |call: &&String| {
            defined.iter().any(|hit| hit.text.contains("macro_rules!") && needles[hit.needle as usize] == call.as_str())
        };
        if !calls.all(|call| is_defined(&call)) {
            return true;
        }
        // A definition may hold the name, or put it together.
        let hits = tree.search(&[name, "paste", "concat_idents"], &["*.rs"], 400);
        hits.iter().any(|hit| {
            let line = hit.text.trim_start();
            let takes = line.starts_with("use ") || line.starts_with("pub use ") || line.starts_with("//");
            hit.needle > 0 || (!takes && hit.path != self.importer && hit.path.starts_with(folder(&self.krate.at)))
        })
    }

    fn missing(&self, at: &Place, module: &Mod, name: &str, rest: &[String]) -> End {
        let tree = self.resolver.tree();
        // An exported macro stands at the root, wherever it is written.
        let hits = tree.search(&[name], &["*.rs"], 400);
        if hits.iter().any(|hit| hit.text.contains("macro_rules!") || hit.text.contains("concat_idents")) {
            return End::Unknown;
        }
        let nearest = nearest(name, module.names(), 1).pop();
        let places = self.places(at, name);
        // The file of a module that no `mod` declares is no module.
        let is_there = places.iter().any(|place| tree.is_file(place));
        End::Missing(match rest.is_empty() || is_there {
            true => Meaning::NoName { file: at.file.clone(), name: name.to_owned(), nearest },
            false => Meaning::NoModule { place: places.into_iter().next(), nearest },
        })
    }
}

fn is_standard(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc" | "proc_macro" | "test")
}

/// Macros whose items are named where they are called, or that make none.
#[rustfmt::skip]
const HARMLESS: [&str; 17] = [
    "compile_error", "thread_local", "lazy_static", "bitflags", "cfg_if", "pin_project", "const_assert", "const_assert_eq", "assert_impl_all", "assert_not_impl_any", "criterion_group", "criterion_main", "assert", "assert_eq",
    "static_assertions", "global_asm", "shadow",
];
