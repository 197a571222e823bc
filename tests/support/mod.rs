pub mod diff;
pub mod objects;
