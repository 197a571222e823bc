//! Reads Python, JavaScript, TypeScript and Rust by parsers that are written in Rust, and the imports of Go: a language component, and a
//! library for native tests.
//!
//! What it says depends on its arguments alone, so that the host can keep an answer for as long as it keeps this component.

mod claims;
mod modules;
mod names;
mod outline;
mod problems;
mod scopes;
mod texts;

use guard_sdk::language::{Claim, Questions, Reader, Reading, Source, Unread};

use claims::Language;

pub struct Parsers;

impl Reader for Parsers {
    fn claims() -> Vec<Claim> {
        claims::all()
    }

    fn read(Source { language, dialect, is_test, text }: Source, wanted: Questions) -> Reading {
        let unsupported = || texts::unread(wanted, &Unread::Unsupported);
        match Language::from_name(&language) {
            Some(Language::Python) => texts::python::read(&dialect, is_test, &text, wanted),
            Some(Language::JavaScript | Language::TypeScript) => {
                texts::javascript::read(&dialect, is_test, &text, wanted)
            }
            Some(Language::Rust) => texts::rust::read(&text, wanted),
            Some(Language::Go) => {
                let surface = || modules::go::read(&text).map(modules::Module::into_surface).ok_or(Unread::Broken);
                Reading { surface: wanted.surface.then(surface), ..unsupported() }
            }
            None => unsupported(),
        }
    }
}

guard_sdk::language!(Parsers);
