pub mod objects;
pub mod text;
