//! Python.

mod calls;
mod functions;
pub mod surface;

use guard_sdk::modules::{Call, Function};
use scopes::Lines;
use scopes::python::Source;

/// None when it does not parse.
pub fn signatures(text: &str) -> Option<(Vec<Function>, Vec<Call>)> {
    let source = Source::parse(text)?;
    let names = source.names()?;
    if names.is_dynamic {
        return Some(Default::default());
    }
    let lines = Lines::of(text);
    let body = &source.module().body;
    Some((functions::of(body, &names, &lines), calls::of(text, body, &names, &lines)))
}
