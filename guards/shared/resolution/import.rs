//! What a file imports, and what it offers to those that import it.

use std::collections::BTreeSet;

use guard_sdk::modules::{self, Imported, Offered};

/// One name out of one module, or a module as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module as written: `a.b`, `..c`, `./x.js`, `example.com/m/pkg`. Of Rust's `use`, the whole path: `crate::a::B`; of `mod x;`, `x`.
    pub module: String,
    /// The name that is taken out of the module; None for the module itself, for all its names, and in Rust.
    pub name: Option<String>,
    /// What it is called in the file; empty when it binds nothing.
    pub local: String,
    /// Of the name, from 1.
    pub line: u32,
    /// First and last line of the statement that it stands in.
    pub statement: (u32, u32),
    pub need: Need,
    /// Of Rust: the modules written inside the file that the `use` or `mod` stands in, outermost first.
    pub inside: Vec<String>,
    /// Of Rust: `mod x;`, not `use`.
    pub declares: bool,
    /// It stands inside of a function.
    pub is_local: bool,
}

/// What becomes of the program when the import finds nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It fails.
    Required,
    /// It goes on: inside of `try`, or behind a `cfg`.
    Optional,
    /// Only a type checker reads it.
    Type,
}

impl From<Imported> for Import {
    fn from(found: Imported) -> Self {
        let need = match found.need {
            modules::Need::Required => Need::Required,
            modules::Need::Optional => Need::Optional,
            modules::Need::ForTypes => Need::Type,
        };
        Import {
            module: found.module,
            name: found.name,
            local: found.local,
            line: found.line,
            statement: (found.statement.first, found.statement.last),
            need,
            inside: Vec::new(),
            declares: false,
            is_local: found.is_local,
        }
    }
}

impl Import {
    pub(crate) fn new(module: &str, name: Option<&str>, local: &str, line: u32, need: Need) -> Self {
        Import {
            module: module.to_owned(),
            name: name.map(str::to_owned),
            local: local.to_owned(),
            line,
            statement: (line, line),
            need,
            inside: Vec::new(),
            declares: false,
            is_local: false,
        }
    }
}

/// What a file offers to those that import it, in Python, JavaScript or TypeScript.
#[derive(Debug)]
pub struct Module {
    /// Names that others may import from it.
    pub offered: BTreeSet<String>,
    /// Modules, as written, all of whose names it offers as well.
    pub globs: BTreeSet<String>,
    /// It may offer names that its text does not show: `__getattr__`, `module.exports = f()`.
    pub open: bool,
    /// Of Python: it changes where its submodules are looked for.
    pub moves_path: bool,
}

impl From<Offered> for Module {
    fn from(Offered { names, all_of, is_open, moves_path }: Offered) -> Self {
        let (offered, globs) = (names.into_iter().collect(), all_of.into_iter().collect());
        Module { offered, globs, open: is_open, moves_path }
    }
}
