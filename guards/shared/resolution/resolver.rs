//! Finds what imports mean, and keeps what it has read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use guard_sdk::{Change, Side};

use crate::go;
use crate::import::{Import, Module};
use crate::javascript;
use crate::language::Language;
use crate::meaning::{Meaning, Offer};
use crate::python;
use crate::rust;
use crate::tree::Tree;

/// Bytes of a file that is read; a longer one offers what nobody knows.
const LARGEST: usize = 600_000;

/// Modules that a name is followed through: `from .a import *`, `export * from "./b"`.
const DEEPEST: usize = 8;

pub struct Resolver<'c> {
    tree: Tree<'c>,
    outlines: RefCell<BTreeMap<String, Option<Rc<Module>>>>,
    python_roots: RefCell<BTreeMap<String, Vec<String>>>,
    pub(crate) rust: rust::Crates,
    pub(crate) javascript: javascript::Settings,
    pub(crate) go: go::Modules,
}

impl<'c> Resolver<'c> {
    pub fn new(change: &'c Change, side: Side) -> Self {
        let (outlines, python_roots, rust, javascript, go) = Default::default();
        Resolver { tree: Tree::new(change, side), outlines, python_roots, rust, javascript, go }
    }

    pub fn tree(&self) -> &Tree<'c> {
        &self.tree
    }

    /// What a file of Python, JavaScript, TypeScript or Go imports and offers; None when it is not there or cannot be parsed.
    pub fn outline(&self, path: &str) -> Option<Rc<Module>> {
        if let Some(known) = self.outlines.borrow().get(path) {
            return known.clone();
        }
        let each = match Language::of(path) {
            Some(Language::Python) => 800,
            Some(Language::JavaScript) => 500,
            Some(Language::Rust | Language::Go) | None => 50,
        };
        let text = self.tree.text(path).filter(|text| text.len() <= LARGEST && self.tree.may_parse(text.len(), each));
        let outline = text.and_then(|text| match Language::of(path)? {
            Language::Python => python::outline(&text),
            Language::JavaScript => javascript::outline(path, &text),
            Language::Go => go::outline(&text),
            Language::Rust => None,
        });
        let outline = outline.map(Rc::new);
        self.outlines.borrow_mut().insert(path.to_owned(), outline.clone());
        outline
    }

    /// What a file in any of the languages imports; None when it cannot be parsed.
    pub fn imports(&self, path: &str) -> Option<Vec<Import>> {
        match Language::of(path)? {
            Language::Rust => self.rust.file(&self.tree, path).map(|file| file.imports.clone()),
            Language::Python | Language::JavaScript | Language::Go => {
                self.outline(path).map(|module| module.imports.clone())
            }
        }
    }

    /// The module that an import names, whatever it takes out of it. Of Rust, where a path does not show which of its parts is the
    /// last module, the file that the item of the path stands in.
    pub fn module(&self, importer: &str, import: &Import) -> Meaning {
        match Language::of(importer) {
            Some(Language::Python) => python::module(self, importer, import),
            Some(Language::JavaScript) => javascript::module(self, importer, import),
            Some(Language::Rust) => rust::meaning(self, importer, import),
            Some(Language::Go) => go::meaning(self, importer, import),
            None => Meaning::Unknown,
        }
    }

    /// The whole import: its module, and in it its name.
    pub fn meaning(&self, importer: &str, import: &Import) -> Meaning {
        match Language::of(importer) {
            Some(Language::Python) => python::meaning(self, importer, import),
            Some(Language::JavaScript) => javascript::meaning(self, importer, import),
            Some(Language::Rust) => rust::meaning(self, importer, import),
            Some(Language::Go) => go::meaning(self, importer, import),
            None => Meaning::Unknown,
        }
    }

    /// Whether a file of Python, JavaScript or TypeScript has a name that others may import.
    pub fn offers(&self, path: &str, name: &str) -> Offer {
        match Language::of(path) {
            Some(Language::Python) => python::offers(self, path, name),
            Some(Language::JavaScript) => javascript::offers(self, path, name),
            Some(Language::Rust | Language::Go) | None => Offer::Unknown,
        }
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

    /// Folders anywhere in the tree in which a Python module of that name stands.
    pub(crate) fn python_roots(&self, top: &str) -> Vec<String> {
        let know = || python::anywhere(&self.tree, top);
        self.python_roots.borrow_mut().entry(top.to_owned()).or_insert_with(know).clone()
    }
}
