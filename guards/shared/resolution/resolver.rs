//! What is known of a tree: what was read once is kept.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use guard_sdk::files::Language;
use guard_sdk::{Change, Side};

use crate::by_language::language_of;
use crate::go::modules::Modules;
use crate::import::{Import, Module};
use crate::javascript::settings::Settings;
use crate::meaning::Offer;
use crate::python::roots::Roots;
use crate::rust::krate::Crates;
use crate::tree::Tree;

/// Modules that a name is followed through: `from .a import *`, `export * from "./b"`.
const DEEPEST: usize = 8;

/// Answers of the host, by path; None where it has none.
type Known<T> = RefCell<BTreeMap<String, Option<Rc<T>>>>;

pub struct Resolver<'c> {
    tree: Tree<'c>,
    imports: Known<Vec<Import>>,
    offers: Known<Module>,
    pub(crate) python: Roots,
    pub(crate) rust: Crates,
    pub(crate) javascript: Settings,
    pub(crate) go: Modules,
}

impl<'c> Resolver<'c> {
    pub fn new(change: &'c Change, side: Side) -> Self {
        let (imports, offers, python, rust, javascript, go) = Default::default();
        Resolver { tree: Tree::new(change, side), imports, offers, python, rust, javascript, go }
    }

    pub fn tree(&self) -> &Tree<'c> {
        &self.tree
    }

    /// What a file of Python, JavaScript or TypeScript offers to others; None when it is not there or cannot be parsed.
    pub(crate) fn outline(&self, path: &str) -> Option<Rc<Module>> {
        known(&self.offers, path, || self.tree.answer(self.tree.modules().offers(path)).map(Module::from))
    }

    /// What a file in any of the languages imports; None when it cannot be parsed.
    pub fn imports(&self, path: &str) -> Option<Rc<Vec<Import>>> {
        let language = language_of(path)?;
        known(&self.imports, path, || {
            if language == Language::Rust {
                return self.rust.file(&self.tree, path).map(|file| file.imports.clone());
            }
            let found = self.tree.answer(self.tree.modules().imports(path))?;
            Some(found.into_iter().map(Import::from).collect())
        })
    }

    /// Whether a module offers a name by itself or by modules all of whose names it offers; `follow` finds their files.
    pub(crate) fn offered(&self, path: &str, name: &str, follow: &dyn Fn(&str, &str) -> Option<String>) -> Offer {
        let mut waiting = vec![path.to_owned()];
        let mut seen: Vec<String> = Vec::new();
        let mut answer = Offer::No;
        while let Some(path) = waiting.pop() {
            if seen.contains(&path) {
                continue;
            }
            let Some(module) = self.outline(&path).filter(|_| seen.len() < DEEPEST) else {
                answer = answer.or(Offer::Unknown);
                seen.push(path);
                continue;
            };
            if module.offered.contains(name) {
                return Offer::Yes;
            }
            if module.open {
                answer = answer.or(Offer::Unknown);
            }
            for glob in &module.globs {
                match follow(&path, glob) {
                    Some(file) => waiting.push(file),
                    None => answer = answer.or(Offer::Unknown),
                }
            }
            seen.push(path);
        }
        answer
    }
}

fn known<T>(kept: &Known<T>, path: &str, ask: impl FnOnce() -> Option<T>) -> Option<Rc<T>> {
    if let Some(known) = kept.borrow().get(path) {
        return known.clone();
    }
    let new = ask().map(Rc::new);
    kept.borrow_mut().insert(path.to_owned(), new.clone());
    new
}
