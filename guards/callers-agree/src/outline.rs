//! The functions that a file defines, and the calls in it.

use std::collections::BTreeMap;

use crate::language::Language;
use crate::signature::{Arguments, Signature};
use crate::{python, rust, typescript};

#[derive(Default)]
pub struct Outline {
    /// Functions, constructors under the name of their class, and methods as `Class.method`: those that are defined once, and that
    /// no decorator changes.
    pub functions: BTreeMap<String, Function>,
    pub calls: Vec<Call>,
    /// What other files import it as, and its name here. Of Python and Rust, all names are.
    pub exports: BTreeMap<String, String>,
}

pub struct Function {
    pub signature: Signature,
    pub line: u32,
    /// A subclass may define it anew, with other parameters.
    pub is_open: bool,
}

pub struct Call {
    pub target: Target,
    pub arguments: Arguments,
    /// First and last.
    pub lines: (u32, u32),
}

/// What is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A function of the same file, by its key.
    Own(String),
    /// What an import binds.
    Imported(String),
    /// A function of the module that an import binds.
    Member { module: String, name: String },
}

impl Outline {
    /// None when it does not parse.
    pub fn of(path: &str, text: &str) -> Option<Outline> {
        match Language::of(path)? {
            Language::Python => python::outline(text),
            Language::TypeScript => typescript::outline(path, text),
            Language::Rust => rust::outline(text),
        }
    }
}
