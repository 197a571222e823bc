//! `paths.json`: what `[paths]` of guards.toml says.

use std::cell::RefCell;

use guard_files::{Kind, Kinds, PathGlobs};

thread_local! {
    /// Of the case that runs in this thread: a guard asks with a path alone.
    static KINDS: RefCell<Kinds> = RefCell::default();
}

pub(super) fn read(paths: PathGlobs) -> Result<Kinds, String> {
    Kinds::new(paths).map_err(|wrong| format!("paths.json: {}: {}", wrong.key, wrong.why))
}

pub(super) fn set(kinds: Kinds) {
    KINDS.set(kinds);
}

/// What the built-in rules say of a path, and the `paths.json` of the case that runs in this thread.
pub fn kind_of(path: &str) -> Kind {
    KINDS.with_borrow(|kinds| kinds.kind(path))
}
