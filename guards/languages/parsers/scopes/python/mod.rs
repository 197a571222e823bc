//! Python, by ruff's parser.

mod bind;
mod dynamic;
mod names;
mod quoted;
mod visit;

use std::mem::ManuallyDrop;

use ruff_python_ast::{Mod, ModModule};
use ruff_python_parser::Parsed;

pub use names::{BindingKind, Names, ScopeKind, Use};

/// A parsed file.
pub struct Source<'t> {
    pub text: &'t str,
    /// A chain of ten thousand operators is a tree as deep, and dropping it recurses. The memory goes with the call.
    parsed: ManuallyDrop<Parsed<Mod>>,
}

impl<'t> Source<'t> {
    /// None when it does not parse.
    pub fn new(text: &'t str, parsed: ManuallyDrop<Parsed<Mod>>) -> Option<Self> {
        (parsed.errors().is_empty() && parsed.syntax().is_module()).then_some(Source { text, parsed })
    }

    pub fn parsed(&self) -> &Parsed<Mod> {
        &self.parsed
    }

    pub fn module(&self) -> &ModModule {
        self.parsed.syntax().as_module().expect("parse checked it")
    }

    /// None when an expression nests too deep to be walked.
    pub fn names(&self) -> Option<Names<'_>> {
        visit::names(self.text, &self.module().body)
    }
}
