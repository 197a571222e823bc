//! A path inside a repository, as git holds it: bytes, `/` between parts, no leading `/`.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::schema_of;

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

    /// The path that [`Display`](fmt::Display) writes so. A backslash that does not begin `\xNN` stands for itself.
    pub fn from_form(text: &str) -> Self {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let [first, tail @ ..] = rest {
            let digits = rest.strip_prefix(b"\\x").and_then(|tail| std::str::from_utf8(tail.get(..2)?).ok());
            match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                Some(byte) => (bytes.push(byte), rest = &rest[4..]),
                None => (bytes.push(*first), rest = tail),
            };
        }
        RepoPath(bytes)
    }

    /// The parts between slashes; empty parts are kept, so that `a//b` has three.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/')
    }

    /// The last part.
    pub fn file_name(&self) -> &[u8] {
        self.parts().next_back().unwrap_or_default()
    }

    /// The path as the operating system takes it. On Unix it may hold any bytes but NUL. Of a path that means another one to Windows, and
    /// of one that is no text, it makes a path that no file can have there.
    pub fn to_os(&self) -> std::path::PathBuf {
        guardhost_os::path_in_work_tree(&self.0)
    }
}

impl AsRef<[u8]> for RepoPath {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for RepoPath {
    fn from(text: &str) -> Self {
        RepoPath(text.as_bytes().to_vec())
    }
}

/// Bytes that are not UTF-8, control characters and the backslash stand as `\xNN`, so that every path has one form: the same that
/// guards see. [`RepoPath::from_form`] reads it.
impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                if c.is_control() || c == '\\' {
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
        String::deserialize(deserializer).map(|text| RepoPath::from_form(&text))
    }
}

schema_of!(RepoPath, String);

#[cfg(test)]
mod tests {
    use super::RepoPath;

    #[test]
    fn every_path_has_one_form() {
        for (bytes, form) in [
            (&b"a/b.rs"[..], "a/b.rs"),
            (b"a\xff", "a\\xff"),
            (b"a\\xff", "a\\x5cxff"),
            (b"a\\b", "a\\x5cb"),
            (b"a\nb", "a\\x0ab"),
            ("\u{85}ä".as_bytes(), "\\xc2\\x85ä"),
        ] {
            let path = RepoPath::new(bytes);
            assert_eq!(path.to_string(), form);
            assert_eq!(RepoPath::from_form(form), path);
        }
        assert_eq!(RepoPath::from_form("a\\x1"), RepoPath::new(&b"a\\x1"[..]));
    }
}
