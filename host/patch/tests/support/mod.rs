//! What the tests of this crate share.

pub mod allocations;
#[allow(dead_code, reason = "the other test binaries use all of it")]
pub mod objects;
#[path = "../../../../tests/support/random.rs"]
pub mod random;
pub mod stored;
pub mod text;
