//! Which binding a name refers to, in Python, JavaScript and TypeScript.

pub mod javascript;
mod lines;
pub mod python;

pub use lines::Lines;
