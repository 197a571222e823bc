//! For guards that ask models about a change. A model's opinion counts only where it names a line that is there; which severity it has is
//! the model's own word.

mod agree;
mod change_text;
mod lines;
mod opinion;

pub use agree::agreed;
pub use change_text::{ChangeText, about};
pub use lines::Lines;
pub use opinion::{Importance, Opinion, Read, finding, findings_schema, read};
