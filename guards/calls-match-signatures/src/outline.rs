//! The functions that a file defines, and the calls in it.

use std::collections::BTreeMap;

use guard_sdk::modules::{self, Member};

use crate::signature::{Arguments, Parameter, Signature};

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
    /// The line of a comment by which the compiler or linters are to accept it.
    pub excused_by: Option<u32>,
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
    pub fn new(functions: Vec<modules::Function>, calls: Vec<modules::Call>) -> Outline {
        let calls = calls.into_iter().filter_map(Call::from_reading).collect();
        let mut outline = Outline { calls, ..Outline::default() };
        for function in functions {
            let name = function.key.strip_prefix("new ").unwrap_or(&function.key).to_owned();
            outline.exports.extend(function.exported_as.iter().map(|exported| (exported.clone(), name.clone())));
            outline.functions.insert(function.key.clone(), function.into());
        }
        outline
    }
}

impl From<modules::Function> for Function {
    fn from(function: modules::Function) -> Self {
        let parameters = |all: Vec<modules::Parameter>| all.into_iter().map(Parameter::from).collect();
        let signature = Signature {
            positional: parameters(function.positional),
            keyword_only: parameters(function.keyword_only),
            takes_more: function.takes_more,
            takes_keywords: function.takes_keywords,
        };
        Function { signature, line: function.line, is_open: function.is_open }
    }
}

impl Call {
    /// None for a target that this guard has no word for.
    fn from_reading(call: modules::Call) -> Option<Self> {
        let target = match call.target {
            modules::Target::SameFile(key) => Target::Own(key),
            modules::Target::Imported(name) => Target::Imported(name),
            modules::Target::Member(Member { module, name }) => Target::Member { module, name },
            modules::Target::Other(_) => return None,
        };
        let arguments = Arguments {
            positional: call.positional as usize,
            keywords: call.keywords,
            spreads: call.spreads,
            spreads_keywords: call.spreads_keywords,
        };
        let lines = (call.lines.first, call.lines.last);
        Some(Call { target, arguments, lines, excused_by: call.excused_by })
    }
}
