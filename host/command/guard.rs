//! `host guard …`: what authors do with guards.

mod componentize;

pub use componentize::componentize;
