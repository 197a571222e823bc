//! What the tests of this crate share.

pub mod objects;
pub mod stored;
pub mod text;
