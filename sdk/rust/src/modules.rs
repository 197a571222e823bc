//! What the modules of a tree import, offer, define and call. Whoever uses this imports `modules`.
//!
//! The host reads each text once for all guards, in a sandbox, so a guard that asks here needs no parser of its own.
//!
//! ```
//! # use guard_sdk::{Change, Side};
//! fn offers(change: &Change, path: &str, name: &str) -> bool {
//!     match change.modules(Side::After).offers(path) {
//!         Ok(offered) => offered.is_open || offered.names.iter().any(|known| known == name),
//!         // What is not known is no mistake.
//!         Err(_) => true,
//!     }
//! }
//! ```

pub use crate::bindings::guardhost::modules::modules::Unknown;
pub use crate::bindings::guardhost::modules::outline::{
    Call, Function, Imported, Lines, Member, Need, Offered, Parameter, Target,
};
use crate::{Change, Side};

/// The modules of one side. The file is given by its path.
#[derive(Clone, Copy)]
pub struct Modules<'c> {
    change: &'c Change,
    side: Side,
}

impl<'c> Modules<'c> {
    pub(crate) fn new(change: &'c Change, side: Side) -> Self {
        Modules { change, side }
    }

    /// What it imports, in the order of the text. Of Python, JavaScript, TypeScript and Go.
    pub fn imports(&self, path: &str) -> Result<Vec<Imported>, Unknown> {
        self.noting(path, self.change.source.imports(self.side, path))
    }

    /// What it offers to those that import it. Of Python, JavaScript and TypeScript.
    pub fn offers(&self, path: &str) -> Result<Offered, Unknown> {
        self.noting(path, self.change.source.offers(self.side, path))
    }

    /// Its functions whose parameters are certain, sorted by key. Of Python, TypeScript and Rust.
    pub fn functions(&self, path: &str) -> Result<Vec<Function>, Unknown> {
        self.noting(path, self.change.source.functions(self.side, path))
    }

    /// The calls in it whose function is certain, in the order of the text. Of Python, TypeScript and Rust.
    pub fn calls(&self, path: &str) -> Result<Vec<Call>, Unknown> {
        self.noting(path, self.change.source.calls(self.side, path))
    }

    fn noting<T>(&self, path: &str, answer: Result<T, Unknown>) -> Result<T, Unknown> {
        if matches!(answer, Err(Unknown::NotGranted)) {
            self.change.withheld.get_or_init(|| path.to_owned());
        }
        answer
    }
}
