pub mod diff;
pub mod objects;
pub mod stored;
pub mod text;
