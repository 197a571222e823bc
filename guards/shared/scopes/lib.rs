//! Which binding a name refers to, in Python, JavaScript, TypeScript and Rust. Guards that ask this share the code here.

pub mod javascript;
mod lines;
mod material;
pub mod python;
pub mod rust;
mod spelling;

pub use lines::Lines;
pub use material::is_material;
pub use spelling::nearest;
