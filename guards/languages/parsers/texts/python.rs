//! Python, by ruff's parser and the newest grammar: what an older interpreter would refuse is not for a reader to say.

use std::mem::ManuallyDrop;

use super::unread;
use crate::scopes::python::Source;
use crate::{modules, names, outline, problems};
use guard_nesting::python as depth;
use guard_sdk::language::{Questions, Reading, Unread};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};

pub fn read(dialect: &str, is_test: bool, text: &str, wanted: Questions) -> Reading {
    if depth::depth(text) > depth::MAX {
        return unread(wanted, &Unread::TooDeep);
    }
    // A chain of ten thousand operators is a tree as deep, and dropping it recurses. The memory goes with the call.
    let parsed = ManuallyDrop::new(parse_unchecked(text, ParseOptions::from(Mode::Module)));
    if !parsed.errors().is_empty() {
        let broken = unread(wanted, &Unread::Broken);
        return Reading { problems: wanted.problems.then(|| Ok(problems::python::collect(text, &parsed))), ..broken };
    }
    let Some(source) = Source::new(text, parsed) else { return unread(wanted, &Unread::Broken) };
    // None where an expression nests too deep to be walked.
    let scopes = if wanted.signatures || wanted.names { source.names() } else { None };
    let scopes = scopes.as_ref().ok_or(Unread::TooDeep);
    let of_scopes = || scopes.clone();
    Reading {
        problems: wanted.problems.then(|| Ok(Vec::new())),
        outline: wanted.outline.then(|| Ok(outline::python::outline(is_test, text, source.parsed()))),
        surface: wanted.surface.then(|| Ok(modules::python::surface::read(text, &source.module().body))),
        signatures: wanted.signatures.then(|| match dialect.ends_with("pyi") {
            true => Err(Unread::Other("a stub makes no calls".to_owned())),
            false => of_scopes().map(|scopes| modules::python::signatures(&source, scopes)),
        }),
        names: wanted.names.then(|| of_scopes().map(|scopes| names::python::names(&source, scopes))),
    }
}
