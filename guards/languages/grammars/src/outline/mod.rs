//! What a text defines, uses and imports, which of its functions are tests, and which of those do not run.

mod annotations;
mod body;
mod calls;
mod comments;
mod definitions;
mod imports;
mod marks;
mod names;
mod nodes;
mod swallowed;
mod tests;
mod uses;
mod walk;

use guard_sdk::language::Outline;

use crate::Parsed;

/// `is_test`: by its path, the file is run as tests.
pub fn outline(parsed: &Parsed, is_test: bool) -> Outline {
    walk::Walk::new(parsed, is_test).run()
}
