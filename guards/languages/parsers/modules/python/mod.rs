//! Python.

mod calls;
mod functions;
pub mod surface;

use crate::modules::module::sorted;
use crate::scopes::Lines;
use crate::scopes::python::{Names, Source};
use guard_sdk::language::Signatures;

pub fn signatures(source: &Source, names: &Names) -> Signatures {
    if names.is_dynamic {
        return Signatures { functions: Vec::new(), calls: Vec::new() };
    }
    let (lines, text) = (Lines::new(source.text), source.text);
    let body = &source.module().body;
    sorted(functions::collect(body, names, &lines), calls::collect(text, body, names, &lines))
}
