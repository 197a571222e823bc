//! What is read of one module's surface.

use std::collections::BTreeSet;

use guard_sdk::language::{Signatures, Surface};
use guard_sdk::modules::{Call, Function, Imported, Lines, Need, Offered};

/// The fields are those of the contract's `imported` and `offered`.
#[derive(Debug, Default)]
pub struct Module {
    pub imports: Vec<Imported>,
    pub names: BTreeSet<String>,
    pub all_of: BTreeSet<String>,
    pub is_open: bool,
    pub moves_path: bool,
}

impl Module {
    pub fn into_surface(self) -> Surface {
        let Module { imports, names, all_of, is_open, moves_path } = self;
        let (names, all_of) = (names.into_iter().collect(), all_of.into_iter().collect());
        Surface { imports, offered: Offered { names, all_of, is_open, moves_path } }
    }
}

/// An import on one line, outside of functions.
pub fn imported(module: &str, name: Option<&str>, local: &str, line: u32, need: Need) -> Imported {
    Imported {
        module: module.to_owned(),
        name: name.map(str::to_owned),
        local: local.to_owned(),
        line,
        statement: Lines { first: line, last: line },
        need,
        is_local: false,
    }
}

/// Functions in the order of their keys.
pub fn sorted(mut functions: Vec<Function>, calls: Vec<Call>) -> Signatures {
    functions.sort_by(|a, b| a.key.cmp(&b.key));
    Signatures { functions, calls }
}
