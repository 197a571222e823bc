//! JavaScript and TypeScript.

mod calls;
mod functions;
pub mod surface;

use guard_sdk::language::Signatures;
use oxc_parser::ParserReturn;
use scopes::{Lines, javascript};

use crate::modules::module::sorted;

/// None when it nests too deep to be walked.
pub fn signatures(text: &str, parsed: &ParserReturn) -> Option<Signatures> {
    javascript::with_parsed(text, parsed, |source| {
        let lines = Lines::of(text);
        sorted(functions::of(&source, &lines), calls::of(&source, &lines))
    })
}
