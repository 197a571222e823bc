//! Python, by ruff's parser and the newest grammar: what an older interpreter would refuse is not for a reader to say.

use std::mem::ManuallyDrop;

use guard_nesting::python as depth;
use guard_sdk::language::{Questions, Reading, Unread};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use scopes::python::Source;

use super::unread;
use crate::{modules, outline, problems};

pub fn read(is_test: bool, text: &str, wanted: Questions) -> Reading {
    if depth::depth(text) > depth::MAX {
        return unread(wanted, &Unread::TooDeep);
    }
    // A chain of ten thousand operators is a tree as deep, and dropping it recurses. The memory goes with the call.
    let parsed = ManuallyDrop::new(parse_unchecked(text, ParseOptions::from(Mode::Module)));
    if !parsed.errors().is_empty() {
        let broken = unread(wanted, &Unread::Broken);
        return Reading { problems: wanted.problems.then(|| Ok(problems::python::of(text, &parsed))), ..broken };
    }
    let Some(source) = Source::of(text, parsed) else { return unread(wanted, &Unread::Broken) };
    Reading {
        problems: wanted.problems.then(|| Ok(Vec::new())),
        outline: wanted.outline.then(|| Ok(outline::python::outline(is_test, text, source.parsed()))),
        surface: wanted.surface.then(|| Ok(modules::python::surface::read(text, &source.module().body))),
        signatures: wanted.signatures.then(|| modules::python::signatures(&source).ok_or(Unread::TooDeep)),
    }
}
