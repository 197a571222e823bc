//! Python, by the newest grammar: what an older interpreter would refuse is not this guard's to say.

use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;

use super::{Problem, Trouble};

mod depth;

pub fn read(text: &str) -> Result<(), Trouble> {
    if depth::depth(text) > depth::MAX {
        return Err(Trouble::TooDeep);
    }
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let outcome = match parsed.errors().first() {
        None => Ok(()),
        Some(error) => Err(Problem::at(text, error.range().start().to_usize(), error.error.to_string()).into()),
    };
    // A chain of ten thousand operators is a tree as deep, and dropping it recurses. The memory goes with the call.
    std::mem::forget(parsed);
    outcome
}
