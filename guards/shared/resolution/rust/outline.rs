//! The modules that a Rust file holds, and what stands in them.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::Import;

/// What is told from the tokens of a file; bodies of functions are read for their `use` alone.
#[derive(Debug, Default)]
pub struct RustFile {
    pub imports: Vec<Import>,
    pub root: Mod,
    /// Names that functions define for themselves.
    pub local: BTreeSet<String>,
}

/// A module, in a file of its own or inside of another's.
#[derive(Debug, Default)]
pub struct Mod {
    /// Written here.
    pub inline: BTreeMap<String, Mod>,
    /// `mod x;`, with the file of its `#[path]`.
    pub declared: BTreeMap<String, Option<String>>,
    /// `use a::b as c`, by what it is called here.
    pub uses: BTreeMap<String, Vec<String>>,
    /// Paths of `use a::*`.
    pub globs: Vec<Vec<String>>,
    /// Enums, with their variants; None when an attribute may change them.
    pub enums: BTreeMap<String, Option<BTreeSet<String>>>,
    /// Every other item.
    pub items: BTreeSet<String>,
    /// Items from which a macro may make others that are named after them.
    pub seeds: Vec<String>,
    /// Macros that are called where items stand.
    pub calls: BTreeSet<String>,
    /// Names in what is handed to them.
    pub handed: BTreeSet<String>,
    /// It may hold anything.
    pub open: bool,
}

impl Mod {
    /// The module inside of this one, by the names that lead to it.
    pub fn at(&self, inside: &[String]) -> Option<&Mod> {
        inside.iter().try_fold(self, |module, name| module.inline.get(name))
    }

    /// Whether an attribute or a derive may have made an item of that name: `FooBuilder` of `Foo`.
    pub fn may_derive(&self, name: &str) -> bool {
        let bare = |name: &str| name.replace('_', "").to_lowercase();
        let name = bare(name);
        self.open
            || self.seeds.iter().map(|seed| bare(seed)).any(|seed| name.len() > seed.len() + 2 && name.contains(&seed))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        let modules = self.inline.keys().chain(self.declared.keys());
        modules.chain(self.uses.keys()).chain(self.enums.keys()).chain(&self.items).map(String::as_str)
    }
}
