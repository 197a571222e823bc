//! A path inside a repository, as git holds it: bytes, `/` between parts, no leading `/`.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Any bytes at all: a model or a hostile index may write anything. Only `sanitize` says which paths are safe.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Vec<u8>);

impl RepoPath {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        RepoPath(bytes.into())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// None when the bytes are not UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The parts between slashes; empty parts are kept, so that `a//b` has three.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/')
    }

    /// The last part.
    pub fn file_name(&self) -> &[u8] {
        self.parts().next_back().unwrap_or_default()
    }

    /// The path as the operating system takes it. (Unix: any bytes but NUL.)
    pub fn to_os(&self) -> std::path::PathBuf {
        use std::os::unix::ffi::OsStrExt;
        std::ffi::OsStr::from_bytes(&self.0).into()
    }
}

impl From<&str> for RepoPath {
    fn from(text: &str) -> Self {
        RepoPath(text.as_bytes().to_vec())
    }
}

/// Bytes that are not UTF-8, and control characters, stand as `\xNN`: the same form that guards see.
impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                if c.is_control() {
                    let mut bytes = [0; 4];
                    for byte in c.encode_utf8(&mut bytes).bytes() {
                        write!(f, "\\x{byte:02x}")?;
                    }
                } else {
                    fmt::Write::write_char(f, c)?;
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for RepoPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RepoPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| RepoPath(text.into_bytes()))
    }
}
