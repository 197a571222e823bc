//! Paths are bytes; any but NUL.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Between the paths of a list, such as libgit2's search path.
pub const PATH_LIST_SEPARATOR: u8 = b':';

/// A name or a path that git or a file holds as bytes.
pub fn os_str(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

/// The same, owned.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    OsString::from_vec(bytes)
}

/// A path of a repository, below its work tree.
pub fn path_in_work_tree(bytes: &[u8]) -> PathBuf {
    os_str(bytes).into()
}

/// A relative path as git holds it, with `/` between its parts.
pub fn slashed(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

/// The path of an address `file://…`, which begins with `/`.
pub fn absolute(bytes: Vec<u8>) -> PathBuf {
    os_string(bytes).into()
}

/// An absolute path as a shell of POSIX takes it. None: it is not UTF-8.
pub fn shell_path(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}
