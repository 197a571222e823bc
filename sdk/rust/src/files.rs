//! What the paths of a repository say. Every guard may ask, without a grant.

use guard_files::Kinds;
pub use guard_files::{EXAMPLES, Globs, Kind, Language, TEST_DATA, TESTS, join, runs_as_test};

/// What the file at a path is to the repository. Of a kind that this version does not know, what the built-in rules say.
///
/// In a test, which may have no host, it is what the built-in rules say and the `paths.json` of the case adds.
pub fn kind_of(path: &str) -> Kind {
    #[cfg(not(feature = "testing"))]
    let known = Kind::from_word(&crate::bindings::guardhost::files::kinds::kind_of(path));
    #[cfg(feature = "testing")]
    let known = Some(crate::testing::kind_of(path));
    known.unwrap_or_else(|| Kinds::default().of(path))
}
