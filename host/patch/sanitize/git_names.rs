//! Names of files that configure git, in every spelling that some file system reads as such.
//!
//! The rules are git's own (`verify_path`, `is_ntfs_dotgit`, `is_hfs_dotgit` in read-cache.c, path.c and utf8.c).

use super::names::folded;

/// Whether this part of a path is `.git`, or a file at any depth that configures git across repositories.
pub(super) fn is_reserved(part: &[u8]) -> bool {
    let name = folded(part);
    // Windows ends a name at a colon and drops blanks and dots at its end; a backslash ends a part.
    let name = name.split([':', '\\']).next().unwrap_or_default().trim_end_matches([' ', '.']);
    name == ".git" || name == ".gitmodules" || short_of(name, "git") || short_of(name, "gitmod") || hashed(name)
}

/// `git~1`, `gitmod~2`
fn short_of(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem)
        .and_then(|rest| rest.strip_prefix('~'))
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// When four short names are taken, Windows makes one from a hash: for `.gitmodules` it begins with `gi7eba`.
fn hashed(name: &str) -> bool {
    name.starts_with("gi7eba~") || name.starts_with("gi7eb~") || name.starts_with("gi7e~") || name.starts_with("gi7~")
}
