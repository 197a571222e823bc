//! What the modules of a file bind, and which names are used in them.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::language::BindingKind;

/// Scopes inside of a function are not told apart: a name that is bound anywhere in the file may be bound where it is used.
#[derive(Default)]
pub struct Modules {
    /// The file itself is the first.
    pub modules: Vec<Module>,
    /// Every name that a pattern, a parameter, an item or an inner `use` binds.
    pub bound: BTreeSet<String>,
    /// Names in calls of macros that may define items.
    pub in_macros: BTreeSet<String>,
    /// `include!`: other text stands here too.
    pub includes: bool,
}

#[derive(Default)]
pub struct Module {
    /// Of modules that are written inside the file, outermost first.
    pub path: Vec<String>,
    /// Imports and items of the module itself.
    pub bound: BTreeMap<String, Bound>,
    /// `use name::*`.
    pub has_glob: bool,
    /// An attribute that is none of the language's own may rewrite the module.
    pub is_rewritten: bool,
    pub uses: Vec<Use>,
}

#[derive(Clone, Copy)]
pub struct Bound {
    pub kind: BindingKind,
    pub line: u32,
}

pub struct Use {
    pub name: String,
    pub line: u32,
    pub position: Position,
}

/// Where a name stands: that decides what may bind it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// `name::rest`.
    Head,
    Type,
    Value,
    /// A value that is no function: `name.field`, `name + 1`.
    Operand,
    /// `name(...)`.
    Callee,
    /// In `#[derive(name)]`.
    Derive,
    /// In the arguments of a macro of the standard library.
    Macro,
}
