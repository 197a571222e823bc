//! What the tests of this crate share.

#[allow(dead_code, reason = "the other test binaries use all of it")]
pub mod objects;
pub mod stored;
pub mod text;
