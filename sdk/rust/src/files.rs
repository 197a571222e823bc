//! What the paths of a repository say. Every guard may ask, without a grant.

pub use guard_files::{
    CODE, EXAMPLES, Globs, Kind, Language, TEST_DATA, TESTS, is_tooling, join, relative, runs_as_test, syntax,
};

/// What the file at a path is to the repository; [`Kind::Other`] for a kind that this version does not know.
///
/// In a test, which may have no host, it is what the built-in rules say and the `paths.json` of the case adds.
#[cfg(not(feature = "testing"))]
pub fn kind_of(path: &str) -> Kind {
    // A guard links no table of folders: the host has it.
    Kind::from_name(&crate::bindings::guardhost::files::kinds::kind_of(path)).unwrap_or(Kind::Other)
}

#[cfg(feature = "testing")]
pub use crate::testing::kind_of;
