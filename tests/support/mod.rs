pub mod objects;
pub mod stored;
pub mod text;
