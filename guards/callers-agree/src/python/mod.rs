//! Python.

mod calls;
mod functions;

use scopes::Lines;
use scopes::python::Source;

use crate::outline::Outline;

pub fn outline(text: &str) -> Option<Outline> {
    let source = Source::parse(text)?;
    let names = source.names()?;
    if names.is_dynamic {
        return Some(Outline::default());
    }
    let lines = Lines::of(text);
    let body = &source.module().body;
    Some(Outline {
        functions: functions::of(body, &names, &lines),
        calls: calls::of(text, body, &names, &lines),
        exports: Default::default(),
    })
}
