//! Paths are text. Of bytes that are none, or that Windows would read as another path, a name is made that no file can have: whatever is
//! asked about it fails.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::windows_names::{self, absolute_path, in_work_tree, text};

/// Between the paths of a list, such as libgit2's search path.
pub const PATH_LIST_SEPARATOR: u8 = b';';

/// A name or a path that git or a file holds as bytes.
pub fn os_str(bytes: &[u8]) -> &OsStr {
    OsStr::new(text(bytes))
}

/// The same, owned.
pub fn os_string(bytes: Vec<u8>) -> OsString {
    os_str(&bytes).to_owned()
}

/// A path of a repository, below its work tree.
pub fn path_in_work_tree(bytes: &[u8]) -> PathBuf {
    PathBuf::from(in_work_tree(bytes))
}

/// A relative path as git holds it, with `/` between its parts.
pub fn slashed(path: &Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect()
}

/// The path of an address `file:///C:/…`, which begins with `/`.
pub fn absolute(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(absolute_path(text(&bytes)))
}

/// An absolute path as the shell takes it that comes with git. None: it is not UTF-8.
pub fn shell_path(path: &Path) -> Option<String> {
    path.to_str().map(windows_names::shell_path)
}
