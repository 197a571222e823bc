//! Python.

mod calls;
mod functions;
pub mod surface;

use crate::modules::module::sorted;
use guard_sdk::language::Signatures;
use scopes::Lines;
use scopes::python::Source;

/// None when it nests too deep to be walked.
pub fn signatures(source: &Source) -> Option<Signatures> {
    let names = source.names()?;
    if names.is_dynamic {
        return Some(Signatures { functions: Vec::new(), calls: Vec::new() });
    }
    let (lines, text) = (Lines::of(source.text), source.text);
    let body = &source.module().body;
    Some(sorted(functions::of(body, &names, &lines), calls::of(text, body, &names, &lines)))
}
