//! One place where a file is not what its schema asks.

use std::ops::Range;

use crate::table::Types;

#[derive(Debug, Clone)]
pub struct Violation {
    /// For people: `jobs.build.steps[2].with`; empty at the top.
    pub path: String,
    /// The same in every version of the file: without the numbers of items.
    pub place: String,
    /// How many steps the path has.
    pub depth: usize,
    /// From 1.
    pub line: u32,
    /// The bytes of the value that is wrong, as [`crate::value::Value::span`]; empty when it is no value.
    pub span: Range<usize>,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// Another type, or none of the values that are taken.
    Shape {
        types: Types,
        values: Vec<String>,
        found: String,
        is: Types,
    },
    Unknown {
        key: String,
        known: Vec<&'static str>,
    },
    /// Any one of them would do.
    Missing {
        keys: Vec<&'static str>,
    },
    /// `key` asks for `needed`.
    Needs {
        key: &'static str,
        needed: &'static str,
    },
    /// They exclude one another.
    Clash {
        keys: Vec<&'static str>,
    },
    /// Does not match a pattern; a key when `name` is set.
    Form {
        found: String,
        pattern: &'static str,
        name: bool,
    },
    /// What must be, such as "at least 1".
    Bounds {
        must: String,
        found: String,
    },
    /// An item that stands there before.
    Twice {
        found: String,
    },
    /// No single thing to name.
    Misfit,
}

impl Problem {
    pub fn rule(&self) -> &'static str {
        match self {
            Problem::Shape { types, .. } if *types == Types::NONE => "wrong-value",
            Problem::Shape { types, is, .. } if types.has(*is) => "wrong-value",
            Problem::Shape { values, is, .. } if !values.is_empty() && is.has(Types::STRING) => "wrong-value",
            Problem::Shape { .. } => "wrong-type",
            Problem::Unknown { .. } => "unknown-key",
            Problem::Missing { .. } | Problem::Needs { .. } => "missing-key",
            Problem::Clash { .. } => "clashing-keys",
            Problem::Form { .. } | Problem::Bounds { .. } | Problem::Twice { .. } | Problem::Misfit => "wrong-value",
        }
    }

    /// Whether a key is wrong, and not the value that has it.
    pub fn is_of_a_key(&self) -> bool {
        matches!(self, Problem::Unknown { .. } | Problem::Form { name: true, .. })
    }

    /// What makes it the same in both sides of a change, beside its place and rule.
    pub fn detail(&self) -> String {
        match self {
            Problem::Shape { found, .. }
            | Problem::Form { found, .. }
            | Problem::Bounds { found, .. }
            | Problem::Twice { found } => found.clone(),
            Problem::Unknown { key, .. } => key.clone(),
            Problem::Missing { keys } | Problem::Clash { keys } => keys.join(","),
            Problem::Needs { key, needed } => format!("{key},{needed}"),
            Problem::Misfit => String::new(),
        }
    }
}
