//! Which paths of Rust mean a file.

use std::cell::RefCell;
use std::collections::BTreeMap;

use guard_sdk::Repo;
use guard_sdk::files::Language;
use guard_sdk::files::relative::folder;
use guard_sdk::language::{Body, Definition, DefinitionKind};

use super::{Read, Target, Ways, stands};

pub const WAYS: Ways = Ways {
    language: Language::Rust,
    key,
    places: |key| vec![format!("{key}.rs"), format!("{key}/mod.rs")],
    word: |target| target.root.is_at(&target.key).unwrap_or(target.last()),
    is_meant: |target, module, importer, outline| {
        let is_module = |name: &str| {
            outline.definitions.iter().any(|item| item.kind == DefinitionKind::Module && item.name == name)
        };
        is(target, module, importer, &is_module)
    },
    below: |module, name| match module.is_empty() {
        true => name.to_owned(),
        false => format!("{module}::{name}"),
    },
    is_declared_in: |target, importer, outline| {
        let declares = |item: &Definition| item.owner.is_none() && is_declaration(item, target.as_str());
        let parent = target.key.rsplit_once('/').map_or("", |(parent, _)| parent);
        key(importer) == parent && outline.definitions.iter().any(declares)
    },
    is_given_by_parent: |target, read| is_given(&target.repo, &target.key, read),
    has_child: |_, _| false,
    is_dead: |repo, path| !is_compiled(repo, path),
};

/// Where a crate begins.
#[derive(Default)]
pub struct Root {
    /// The folder of `lib.rs` or `main.rs`.
    folder: String,
    /// As other crates call it; empty when not known.
    name: String,
    /// Whether files in a folder are of this crate, by folder: a crate may lie below another one.
    holds: RefCell<BTreeMap<String, bool>>,
}

fn key(path: &str) -> String {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let last = path.rsplit('/').next().unwrap_or(path);
    match last {
        "mod" | "lib" | "main" => folder(path).to_owned(),
        _ => path.to_owned(),
    }
}

pub fn root(repo: &Repo, path: &str) -> Root {
    match root_folder(repo, path) {
        Some(at) => Root { folder: at.to_owned(), name: name(repo, at), ..Root::default() },
        None => Root { folder: folder(path).to_owned(), ..Root::default() },
    }
}

/// The nearest folder above with the first file of a crate.
fn root_folder<'p>(repo: &Repo, path: &'p str) -> Option<&'p str> {
    let mut at = folder(path);
    loop {
        let holds = |name: &str| stands(repo, &if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") });
        if holds("lib.rs") || holds("main.rs") {
            return Some(at);
        }
        if at.is_empty() {
            return None;
        }
        at = folder(at);
    }
}

fn name(repo: &Repo, root: &str) -> String {
    let package = root.strip_suffix("src").map_or(root, |package| package.trim_end_matches('/'));
    let manifest = if package.is_empty() { "Cargo.toml".to_owned() } else { format!("{package}/Cargo.toml") };
    let text = repo.text(&manifest).unwrap_or_default();
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("name")?.trim_start().strip_prefix('='));
    let mut names = names.map(|name| name.trim().trim_matches('"').replace('-', "_"));
    names.next().unwrap_or_else(|| root.rsplit('/').next().unwrap_or_default().replace('-', "_"))
}

impl Root {
    /// The crate's name, when the key is that of its first file.
    pub fn is_at(&self, key: &str) -> Option<&str> {
        (key == self.folder && !self.name.is_empty()).then_some(&self.name)
    }

    fn is_called(&self, name: &str) -> bool {
        !self.name.is_empty() && self.name == name
    }

    /// Whether the file is of another package with a crate of the same name, and means that one: each step of a tutorial is a package,
    /// and so is each copy in a test.
    fn is_another(&self, repo: &Repo, path: &str) -> bool {
        let mut at = folder(path);
        loop {
            let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
            if stands(repo, &below("Cargo.toml")) {
                let own = below("src");
                return own != self.folder && at != self.folder && name(repo, &own) == self.name;
            }
            if at.is_empty() {
                return false;
            }
            at = folder(at);
        }
    }

    /// Whether the file, which lies below this crate's folder, is of this crate and not of one in between.
    fn has(&self, repo: &Repo, path: &str) -> bool {
        let folder = folder(path);
        if let Some(known) = self.holds.borrow().get(folder) {
            return *known;
        }
        let has = root_folder(repo, path).is_none_or(|at| at == self.folder);
        self.holds.borrow_mut().insert(folder.to_owned(), has);
        has
    }

    /// The modules that lead to a file.
    fn modules(&self, key: &str) -> Option<Vec<String>> {
        let inside = match self.folder.as_str() {
            "" => key,
            folder if key == folder => "",
            folder => key.strip_prefix(folder)?.strip_prefix('/')?,
        };
        Some(inside.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect())
    }
}

fn is(target: &Target, module: &str, importer: &str, declares: &dyn Fn(&str) -> bool) -> bool {
    let Some(wanted) = target.root.modules(&target.key) else { return false };
    let here = target.root.modules(&key(importer)).filter(|_| target.root.has(&target.repo, importer));
    let mut path: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
    let raw = |part: &str| part.strip_prefix("r#").unwrap_or(part).to_owned();
    let mut meant: Vec<String> = match (path.first().copied(), here) {
        (Some("crate"), Some(_)) => Vec::new(),
        (Some("self"), Some(here)) => here,
        (Some("super"), Some(mut here)) => {
            if here.pop().is_none() {
                return false;
            }
            while path.get(1) == Some(&"super") {
                path.remove(0);
                if here.pop().is_none() {
                    return false;
                }
            }
            here
        }
        // A module that the file declares itself; otherwise it is a crate.
        (Some(first), Some(here)) if declares(first) => {
            path.insert(0, "self");
            here
        }
        (Some(first), _) if target.root.is_called(first) && !target.root.is_another(&target.repo, importer) => {
            Vec::new()
        }
        _ => return false,
    };
    meant.extend(path[1..].iter().map(|part| raw(part)));
    meant == wanted
}

/// `mod name;`: the module stands in the file of its name.
fn is_declaration(item: &Definition, name: &str) -> bool {
    item.kind == DefinitionKind::Module && item.body == Body::Declared && item.name == name
}

/// Files in which the module around may be written.
fn around(folder: &str) -> [String; 4] {
    [format!("{folder}/lib.rs"), format!("{folder}/main.rs"), format!("{folder}/mod.rs"), format!("{folder}.rs")]
}

/// Whether one of the modules that lead to a file is given by the module around it: by `pub use`, as a module written there, or by an
/// attribute. That may happen inside of a macro, so any mention in code counts, unless the module is declared. Also when that is
/// too much to read.
fn is_given(repo: &Repo, key: &str, read: &Read) -> bool {
    let mut at = key;
    while let Some((folder, name)) = at.rsplit_once('/') {
        let mut given = false;
        for place in around(folder) {
            let Ok(text) = repo.text(&place) else { continue };
            let Some(outline) = read(&place) else { return true };
            let mut modules =
                outline.definitions.iter().filter(|item| item.kind == DefinitionKind::Module && item.owner.is_none());
            if modules.any(|item| is_declaration(item, name)) {
                given = false;
                break;
            }
            given |= outline.code(&text).lines().any(|line| gives(line, name))
                || outline.definitions.iter().any(|item| item.kind == DefinitionKind::Module && item.name == name);
        }
        if given {
            return true;
        }
        at = folder;
    }
    false
}

/// Whether a file belongs to a program, as far as can be seen: each module around it names it, up to the first file of a crate.
fn is_compiled(repo: &Repo, path: &str) -> bool {
    const BEGINS: [&str; 4] = ["lib.rs", "main.rs", "build.rs", "mod.rs"];
    // Each file of these folders begins a program.
    const PROGRAMS: [&str; 4] = ["tests", "benches", "examples", "bin"];
    let file = path.rsplit('/').next().unwrap_or(path);
    if BEGINS[..3].contains(&file) || folder(path).split('/').any(|part| PROGRAMS.contains(&part)) {
        return true;
    }
    let path = key(path);
    let mut at = path.as_str();
    while let Some((folder, name)) = at.rsplit_once('/') {
        let texts: Vec<String> = around(folder).iter().filter_map(|place| repo.text(place).ok()).collect();
        let names = |text: &String| {
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            code.into_iter().any(|line| words(line).any(|word| word == name))
        };
        if texts.is_empty() {
            return true;
        }
        if !texts.iter().any(names) {
            return false;
        }
        if BEGINS[..2].iter().any(|first| stands(repo, &format!("{folder}/{first}"))) {
            return true;
        }
        at = folder;
    }
    true
}

/// Paths that begin with it do not.
fn gives(line: &str, name: &str) -> bool {
    let named = words(line).any(|word| word == name) && !line.contains(&format!("{name}::"));
    named || (line.trim_start().starts_with("pub use ") && line.contains("::*"))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
