//! JavaScript and TypeScript.

mod calls;
mod functions;
pub mod surface;

use guard_sdk::modules::{Call, Function};
use scopes::{Lines, javascript};

/// None when it does not parse.
pub fn signatures(path: &str, text: &str) -> Option<(Vec<Function>, Vec<Call>)> {
    javascript::with(path, text, |source| {
        let lines = Lines::of(text);
        (functions::of(&source, &lines), calls::of(&source, &lines))
    })
}
