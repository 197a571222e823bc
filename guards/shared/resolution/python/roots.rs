//! Folders anywhere in the tree in which a module or package of a name stands.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::tree::Tree;

/// Of each name that was asked for.
#[derive(Default)]
pub struct Roots(RefCell<BTreeMap<String, Vec<String>>>);

impl Roots {
    pub fn holding(&self, tree: &Tree, top: &str) -> Vec<String> {
        self.0.borrow_mut().entry(top.to_owned()).or_insert_with(|| find(tree, top)).clone()
    }
}

fn find(tree: &Tree, top: &str) -> Vec<String> {
    let globs = [
        format!("{top}.py"),
        format!("{top}.pyi"),
        format!("{top}.pyx"),
        format!("{top}.so"),
        format!("{top}.c"),
        format!("**/{top}/*.py"),
        format!("**/{top}/*/*.py"),
    ];
    let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
    let mut roots = Vec::new();
    for path in tree.find(&globs, 400).iter() {
        let parts: Vec<&str> = path.split('/').collect();
        let Some(index) = parts.iter().position(|part| *part == top || part.split('.').next() == Some(top)) else {
            continue;
        };
        roots.push(parts[..index].join("/"));
    }
    roots.sort();
    roots.dedup();
    roots
}
