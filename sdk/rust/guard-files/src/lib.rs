//! What the path of a file says: its [`Kind`], its [`Language`], and whether [`Globs`] name it. The host and the guards ask here, so that a
//! folder is the same to all of them; each guard decides only what it does with a kind. And what a commit says of who made it:
//! [`makers`].
//!
//! ```
//! use guard_files::{Kind, Language};
//!
//! assert_eq!(Kind::from_path("tests/fixtures/broken.py"), Kind::TestData);
//! assert_eq!(Kind::from_path("src/data/table.py"), Kind::Code);
//! assert_eq!(Language::from_path("src/data/table.py"), Some(Language::Python));
//! ```

mod folders;
pub mod globs;
mod kind;
mod kinds;
mod language;
pub mod makers;
mod names;
pub mod relative;
pub mod syntax;

pub use folders::{EXAMPLES, TEST_DATA, TESTS, is_tooling};
pub use globs::Globs;
pub use kind::Kind;
pub use kinds::{Kinds, PathGlobs, WrongGlob};
pub use language::{CODE, Language, join};
pub use names::runs_as_test;
