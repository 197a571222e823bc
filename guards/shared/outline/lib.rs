//! What the guards of definitions and tests share beside the outlines that the host reads.

mod names;
mod paths;
mod wishes;

pub use names::name_words;
pub use paths::{FileKind, is_run, is_test, kind_of_file};
pub use wishes::TestWishes;
