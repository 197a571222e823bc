//! JavaScript and TypeScript.

mod calls;
mod functions;
pub mod surface;

use crate::scopes::Lines;
use crate::scopes::javascript::Source;
use guard_sdk::language::Signatures;

use crate::modules::module::sorted;

pub fn signatures(source: &Source) -> Signatures {
    let lines = Lines::of(source.text);
    sorted(functions::of(source, &lines), calls::of(source, &lines))
}
