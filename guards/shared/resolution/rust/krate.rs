//! The crates of a tree, and what they depend on (<https://doc.rust-lang.org/cargo/reference/manifest.html>).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use toml::{Table, Value};

use super::items;
use super::outline::RustFile;
use crate::tree::{Tree, above, folder, join};

#[derive(Default)]
pub struct Crates {
    files: RefCell<BTreeMap<String, Option<Rc<RustFile>>>>,
    crates: RefCell<BTreeMap<String, Option<Rc<Krate>>>>,
}

/// What one `Cargo.toml` with a package says.
#[derive(Debug, Default)]
pub struct Krate {
    /// The folder it stands in.
    pub at: String,
    /// What other crates call its library.
    pub name: String,
    /// The file its library begins with, if it has one.
    pub lib: Option<String>,
    /// Files its programs begin with.
    pub bins: Vec<String>,
    /// The file its build script begins with, if it has one.
    pub build: Option<String>,
    /// Dependencies as the code calls them, each with the folder of the tree that it comes from.
    pub dependencies: BTreeMap<String, Option<String>>,
    /// Every path of a `use` begins at the crate's root.
    pub edition_2015: bool,
    /// Folders whose files are no targets of their own: `autotests = false` and the like.
    pub unsearched: Vec<&'static str>,
    /// A table of it is not as expected, or its workspace is not in the tree.
    pub unknown: bool,
}

const LARGEST: usize = 1_000_000;

impl Crates {
    pub fn file(&self, tree: &Tree, path: &str) -> Option<Rc<RustFile>> {
        if let Some(known) = self.files.borrow().get(path) {
            return known.clone();
        }
        let text = if path.ends_with(".rs") { tree.text(path) } else { None };
        let file = text
            .filter(|text| text.len() <= LARGEST && tree.may_parse(text.len(), 400))
            .map(|text| Rc::new(items::read(&text)));
        self.files.borrow_mut().insert(path.to_owned(), file.clone());
        file
    }

    /// The crate that a file belongs to: that of the nearest manifest above it, unless it is of no program there and another one names it.
    pub fn containing(&self, tree: &Tree, path: &str) -> Option<Rc<Krate>> {
        let nearest = above(folder(path)).find_map(|at| self.at(tree, at));
        match nearest {
            Some(krate) if krate.is_root(path) || !krate.roots(tree, path).is_empty() => Some(krate),
            nearest => self.naming(tree, path).or(nearest),
        }
    }

    /// The crate whose manifest says that one of its programs begins with the file.
    fn naming(&self, tree: &Tree, path: &str) -> Option<Rc<Krate>> {
        let file = path.rsplit('/').next().unwrap_or(path);
        let hits = tree.search(&[file], &["Cargo.toml"], 50);
        let crates = hits.iter().filter_map(|hit| self.at(tree, folder(&hit.path)));
        crates.into_iter().find(|krate| krate.bins.iter().any(|bin| bin == path))
    }

    pub fn at(&self, tree: &Tree, at: &str) -> Option<Rc<Krate>> {
        if let Some(known) = self.crates.borrow().get(at) {
            return known.clone();
        }
        let krate = Krate::read(tree, at).map(Rc::new);
        self.crates.borrow_mut().insert(at.to_owned(), krate.clone());
        krate
    }
}

fn place(at: &str, below: &str) -> String {
    if at.is_empty() { below.to_owned() } else { format!("{at}/{below}") }
}

/// The file that a target of the manifest begins with: the one that it names, or the one of its name in the folder of its kind.
fn begins(tree: &Tree, at: &str, kind: &str, target: &Value) -> Option<String> {
    if let Some(path) = target.get("path") {
        return join(at, path.as_str()?);
    }
    let name = target.get("name")?.as_str()?;
    let folder = match kind {
        "bin" => "src/bin",
        "test" => "tests",
        "bench" => "benches",
        _ => "examples",
    };
    let files = [format!("{folder}/{name}.rs"), format!("{folder}/{name}/main.rs")];
    files.into_iter().map(|file| place(at, &file)).find(|file| tree.is_file(file))
}

fn table(tree: &Tree, at: &str) -> Option<Table> {
    tree.text(&place(at, "Cargo.toml"))?.parse().ok()
}

impl Krate {
    fn read(tree: &Tree, at: &str) -> Option<Krate> {
        let manifest = place(at, "Cargo.toml");
        if !tree.is_file(&manifest) {
            return None;
        }
        let Some(table) = table(tree, at) else {
            return Some(Krate { at: at.to_owned(), unknown: true, ..Krate::default() });
        };
        let package = table.get("package").or_else(|| table.get("project"))?.as_table()?;
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let lib = table.get("lib");
        let mut krate = Krate { at: at.to_owned(), ..Krate::default() };
        let named = text(lib.and_then(|lib| lib.get("name"))).or_else(|| text(package.get("name")));
        krate.name = named.unwrap_or_default().replace('-', "_");
        let path = text(lib.and_then(|lib| lib.get("path"))).unwrap_or_else(|| "src/lib.rs".to_owned());
        krate.lib = join(at, &path).filter(|path| tree.is_file(path));
        krate.bins.extend(Some(place(at, "src/main.rs")).filter(|path| tree.is_file(path)));
        krate.build = match package.get("build") {
            Some(Value::Boolean(false)) => None,
            named => join(at, named.and_then(Value::as_str).unwrap_or("build.rs")).filter(|path| tree.is_file(path)),
        };
        for kind in ["bin", "test", "bench", "example"] {
            let targets = table.get(kind).and_then(Value::as_array).into_iter().flatten();
            let starts = targets.filter_map(|target| begins(tree, at, kind, target));
            krate.bins.extend(starts);
        }
        for (key, folder) in [("autotests", "tests"), ("autoexamples", "examples"), ("autobenches", "benches")] {
            if package.get(key).and_then(Value::as_bool) == Some(false) {
                krate.unsearched.push(folder);
            }
        }
        krate.edition_2015 = match package.get("edition") {
            None => true,
            Some(Value::String(edition)) => edition == "2015",
            Some(_) => false,
        };
        krate.depend(tree, &table);
        Some(krate)
    }

    fn depend(&mut self, tree: &Tree, manifest: &Table) {
        let targets = manifest.get("target").and_then(Value::as_table);
        let targets = targets.into_iter().flatten().filter_map(|(_, target)| target.as_table());
        let kinds =
            ["dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"];
        let mut shared: Option<Option<(String, Table)>> = None;
        for table in std::iter::once(manifest).chain(targets) {
            let all = kinds.iter().filter_map(|kind| table.get(*kind)?.as_table()).flatten();
            for (alias, value) in all {
                let (mut from, mut value) = (self.at.clone(), value.clone());
                if value.get("workspace").and_then(Value::as_bool) == Some(true) {
                    let shared = shared.get_or_insert_with(|| workspace(tree, &self.at, manifest));
                    let inherited = shared.as_ref().and_then(|(at, all)| Some((at.clone(), all.get(alias)?.clone())));
                    match inherited {
                        Some((at, inherited)) => (from, value) = (at, inherited),
                        None => self.unknown = true,
                    }
                }
                let path = value.get("path").and_then(Value::as_str).and_then(|path| join(&from, path));
                self.dependencies.insert(alias.replace('-', "_"), path);
            }
        }
    }

    pub fn is_root(&self, path: &str) -> bool {
        let inside = path.get(self.at.len()..).unwrap_or_default().trim_start_matches('/');
        let parts: Vec<&str> = inside.split('/').collect();
        let known = [&self.lib, &self.build].into_iter().flatten().chain(&self.bins).any(|root| root == path);
        if self.is_unsearched(inside) {
            return known;
        }
        known
            || matches!(parts.as_slice(), ["build.rs"] | ["src", "main.rs" | "lib.rs"])
            || matches!(parts.as_slice(), ["src", "bin", _] | ["tests" | "examples" | "benches", _])
            || matches!(
                parts.as_slice(),
                ["src", "bin", _, "main.rs"] | ["tests" | "examples" | "benches", _, "main.rs"]
            )
    }

    /// `inside`: a path below the folder of the manifest.
    fn is_unsearched(&self, inside: &str) -> bool {
        self.unsearched.iter().any(|folder| inside.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }

    /// Files that `crate` may mean in a file; empty when that is not certain.
    pub fn roots(&self, tree: &Tree, path: &str) -> Vec<String> {
        if self.is_root(path) {
            return vec![path.to_owned()];
        }
        let inside = path.get(self.at.len()..).unwrap_or_default().trim_start_matches('/');
        if self.is_unsearched(inside) {
            let beside = |root: &&String| path.strip_prefix(folder(root)).is_some_and(|rest| rest.starts_with('/'));
            return self.bins.iter().filter(|bin| !folder(bin).is_empty()).filter(beside).cloned().collect();
        }
        let first = inside.split('/').next().unwrap_or_default();
        if matches!(first, "tests" | "examples" | "benches") || inside.starts_with("src/bin/") {
            let main = above(folder(path)).map(|at| place(at, "main.rs")).find(|main| tree.is_file(main));
            return main.filter(|main| main.len() > self.at.len() && self.is_root(main)).into_iter().collect();
        }
        // Modules of a build script stand beside it.
        let build = self.build.iter().filter(|build| folder(build) != self.at || !inside.starts_with("src/"));
        let mut roots: Vec<String> = self.lib.iter().chain(&self.bins).chain(build).cloned().collect();
        roots.retain(|root| !folder(root).is_empty() && path.starts_with(folder(root)) || folder(root).is_empty());
        roots
    }
}

/// The folder of the workspace, and the dependencies that its members inherit.
fn workspace(tree: &Tree, at: &str, manifest: &Table) -> Option<(String, Table)> {
    let shared = |at: &str, table: &Table| {
        let all = table.get("workspace")?.as_table()?.get("dependencies").and_then(Value::as_table);
        Some((at.to_owned(), all.cloned().unwrap_or_default()))
    };
    let named = manifest.get("package").and_then(|package| package.get("workspace")?.as_str());
    match named.and_then(|root| join(at, root)) {
        Some(root) => shared(&root, &table(tree, &root)?),
        None => above(at).find_map(|at| shared(at, &table(tree, at)?)),
    }
}
