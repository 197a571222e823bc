//! One parse of a text, and all that is wanted of it.

pub mod javascript;
pub mod python;
pub mod rust;

use guard_sdk::language::{Questions, Reading, Unread};

/// The same reason for all that is wanted.
pub fn unread(wanted: Questions, why: &Unread) -> Reading {
    Reading {
        problems: wanted.problems.then(|| Err(why.clone())),
        outline: wanted.outline.then(|| Err(why.clone())),
        surface: wanted.surface.then(|| Err(why.clone())),
        signatures: wanted.signatures.then(|| Err(why.clone())),
        names: wanted.names.then(|| Err(why.clone())),
    }
}
