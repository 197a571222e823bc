//! One side of a change, read through once.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

pub use guard_sdk::files::relative::{above, folder, join};
use guard_sdk::modules::{Modules, Unknown};
use guard_sdk::{Change, Ecosystem, Hit, Manifest, Repo, Side};

/// The tree of one side, with what was asked of it before.
pub struct Tree<'c> {
    change: &'c Change,
    side: Side,
    files: RefCell<BTreeMap<String, bool>>,
    folders: RefCell<BTreeMap<String, bool>>,
    texts: RefCell<BTreeMap<String, Option<Rc<str>>>>,
    manifests: OnceCell<Vec<Manifest>>,
    /// Answers of [`Tree::find`] and of [`Tree::children`].
    paths: RefCell<BTreeMap<String, Rc<[String]>>>,
    children: RefCell<BTreeMap<String, Rc<[String]>>>,
    /// Answers of searches.
    found: RefCell<BTreeMap<String, Rc<Vec<Hit>>>>,
    searches: Cell<u32>,
    walks: Cell<u32>,
    fuel: Cell<u64>,
    exhausted: Cell<bool>,
}

/// Searches read every file of a language; in the largest repositories known, so many stay below what a host reads for one call.
const SEARCHES: u32 = 16;
/// Files of code from which on only a few searches stay below it.
const MANY_FILES: u32 = 8_000;
const FEW_SEARCHES: u32 = 5;

/// Walks look at every path.
const WALKS: u32 = 200;

/// Half of what a host gives to a call for a small change, since what a text costs is only about known.
const FUEL: u64 = 1_000_000_000;

impl<'c> Tree<'c> {
    pub fn new(change: &'c Change, side: Side) -> Self {
        let (files, folders, texts, manifests, found) = Default::default();
        let (paths, children) = Default::default();
        let (searches, walks, fuel) = (Cell::new(SEARCHES), Cell::new(WALKS), Cell::new(change.scaled(FUEL)));
        let exhausted = Cell::new(false);
        Tree {
            change,
            side,
            files,
            folders,
            texts,
            manifests,
            paths,
            children,
            found,
            searches,
            walks,
            fuel,
            exhausted,
        }
    }

    fn repo(&self) -> Repo<'c> {
        self.change.repo(self.side)
    }

    /// Whether something was not looked up because one call may not cost as much: what was said to be missing since then may be there.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted.get()
    }

    fn spend(&self, left: &Cell<u32>) -> bool {
        let one = left.get();
        left.set(one.saturating_sub(1));
        if one == 0 {
            self.exhausted.set(true);
        }
        one > 0
    }

    /// Whether so many bytes of a language may be parsed; `each` is the fuel that a byte costs.
    pub fn may_parse(&self, bytes: usize, each: u64) -> bool {
        let (left, cost) = (self.fuel.get(), bytes as u64 * each);
        self.fuel.set(left.saturating_sub(cost));
        if left < cost {
            self.exhausted.set(true);
        }
        left >= cost
    }

    pub fn modules(&self) -> Modules<'c> {
        self.change.modules(self.side)
    }

    /// None where the host does not know it, and where one call may not ask for more.
    pub fn answer<T>(&self, answer: Result<T, Unknown>) -> Option<T> {
        if matches!(answer, Err(Unknown::BeyondLimit)) {
            self.exhausted.set(true);
        }
        answer.ok()
    }

    /// Paths as [`Repo::find`] gives them.
    pub fn find(&self, globs: &[&str], limit: u32) -> Rc<[String]> {
        let key = format!("{limit} {}", globs.join("\n"));
        if let Some(known) = self.paths.borrow().get(&key) {
            return known.clone();
        }
        let found = if self.spend(&self.walks) { self.repo().find(globs, limit) } else { Vec::new() };
        self.paths.borrow_mut().entry(key).or_insert(found.into()).clone()
    }

    /// Lines as [`Repo::search`] gives them.
    pub fn search(&self, needles: &[&str], globs: &[&str], limit: u32) -> Rc<Vec<Hit>> {
        self.search_in(self.side, needles, globs, limit)
    }

    /// The same in the base: what people wrote before the change.
    pub fn search_base(&self, needles: &[&str], globs: &[&str], limit: u32) -> Rc<Vec<Hit>> {
        self.search_in(Side::Before, needles, globs, limit)
    }

    fn search_in(&self, side: Side, needles: &[&str], globs: &[&str], limit: u32) -> Rc<Vec<Hit>> {
        let key = format!("{side:?} {limit} {} {}", needles.join("\n"), globs.join("\n"));
        if let Some(known) = self.found.borrow().get(&key) {
            return known.clone();
        }
        if self.searches.get() == SEARCHES && self.is_large() {
            self.searches.set(FEW_SEARCHES);
        }
        let search = || self.change.repo(side).search(needles, globs, limit);
        let hits = Rc::new(if self.spend(&self.searches) { search() } else { Vec::new() });
        self.found.borrow_mut().insert(key, hits.clone());
        hits
    }

    fn is_large(&self) -> bool {
        let code = ["*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.tsx", "*.py", "*.rs", "*.go"];
        self.repo().find(&code, MANY_FILES).len() == MANY_FILES as usize
    }

    /// Whether a file, a link or a submodule stands there. What the pin does not grant counts as absent; the guard fails when it
    /// asked for that.
    pub fn is_file(&self, path: &str) -> bool {
        let know = |path: &str| matches!(self.repo().stat(path), Ok(Some(_)));
        *self.files.borrow_mut().entry(path.to_owned()).or_insert_with(|| know(path))
    }

    /// Whether a file of the globs has anything in it: an empty one is no evidence that something is there.
    pub fn finds_content(&self, globs: &[&str]) -> bool {
        let has_content = |path: &String| matches!(self.repo().stat(path), Ok(Some(blob)) if blob.size > 0);
        self.find(globs, 20).iter().any(has_content)
    }

    pub fn is_folder(&self, path: &str) -> bool {
        let know = |path: &str| path.is_empty() || self.repo().is_dir(path) == Ok(true);
        *self.folders.borrow_mut().entry(path.to_owned()).or_insert_with(|| know(path))
    }

    /// None when no text stands there.
    pub fn text(&self, path: &str) -> Option<Rc<str>> {
        let read = |path: &str| self.repo().text(path).ok().map(Rc::from);
        self.texts.borrow_mut().entry(path.to_owned()).or_insert_with(|| read(path)).clone()
    }

    /// Manifests of one ecosystem, wherever they stand.
    pub fn manifests(&self, ecosystem: Ecosystem) -> impl Iterator<Item = &Manifest> {
        let all = self.manifests.get_or_init(|| self.change.facts(self.side).manifests());
        all.iter().filter(move |manifest| manifest.ecosystem == ecosystem)
    }

    /// Names of files and folders that stand directly in a folder and have one of the endings, without the ending; at most 500 files
    /// are looked at.
    pub fn children(&self, folder: &str, endings: &[&str]) -> Rc<[String]> {
        let key = format!("{} {folder}", endings.join(" "));
        if let Some(known) = self.children.borrow().get(&key) {
            return known.clone();
        }
        let names = self.read_children(folder, endings);
        self.children.borrow_mut().entry(key).or_insert(names.into()).clone()
    }

    fn read_children(&self, folder: &str, endings: &[&str]) -> Vec<String> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        if folder.contains(['*', '?', '[', '\\', '!']) {
            return Vec::new();
        }
        let found = self.find(&[&format!("/{prefix}*"), &format!("/{prefix}*/*")], 500);
        let mut names: Vec<String> = Vec::new();
        for path in found.iter() {
            let Some(rest) = path.strip_prefix(&prefix) else { continue };
            let name = match rest.split_once('/') {
                Some((name, inner)) if endings.iter().any(|ending| inner.ends_with(ending)) => Some(name),
                Some(_) => None,
                None => endings.iter().find_map(|ending| rest.strip_suffix(ending)),
            };
            names.extend(name.map(str::to_owned));
        }
        names.sort();
        names.dedup();
        names
    }
}
