//! JavaScript and TypeScript.

mod calls;
mod functions;
pub mod surface;

use crate::scopes::Lines;
use crate::scopes::javascript::Source;
use guard_sdk::language::Signatures;

use crate::modules::module::sorted;

pub fn signatures(source: &Source) -> Signatures {
    let lines = Lines::new(source.text);
    sorted(functions::collect(source, &lines), calls::collect(source, &lines))
}
