//! Reads a tree's text files, also by paths relative to a manifest.

use bstr::ByteSlice;

use guardhost_core::change::{FileMode, Objects, Oid, RepoPath};
use guardhost_core::error::Result;

/// Bytes of the largest manifest that is read. (A large monorepo's package.json has some 100 KiB.)
const MAX_MANIFEST: u64 = 1 << 20;

pub struct FactsFiles<'a> {
    objects: &'a dyn Objects,
    tree: Oid,
}

impl<'a> FactsFiles<'a> {
    pub fn new(objects: &'a dyn Objects, tree: Oid) -> Self {
        FactsFiles { objects, tree }
    }

    /// The inner result says why a blob is not readable text.
    pub fn text(&self, oid: Oid) -> Result<Result<String, String>> {
        let size = self.objects.blob_size(oid)?;
        if size > MAX_MANIFEST {
            return Ok(Err(format!("{size} bytes are more than the {MAX_MANIFEST} that are read of a manifest")));
        }
        Ok(decode(&self.objects.blob(oid)?))
    }

    /// None when there is no such file.
    pub fn find(&self, path: &RepoPath) -> Result<Option<Oid>> {
        let entry = self.objects.entry(self.tree, path)?;
        Ok(entry.filter(|entry| matches!(entry.mode, FileMode::File | FileMode::Executable)).map(|entry| entry.oid))
    }
}

/// Decodes UTF-8, or UTF-16 with a byte order mark (PowerShell writes requirements files so).
fn decode(bytes: &[u8]) -> Result<String, String> {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].as_chunks().0.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16(&units).map_err(|_| "not valid UTF-16".to_owned())
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| format!("not UTF-8: {error}"))
        }
    }
}

/// The directory of a path, without a slash at its end; empty for the root.
pub fn dir(path: &RepoPath) -> &[u8] {
    path.as_bytes().rsplit_once_str("/").map_or(b"", |(dir, _)| dir)
}

/// `relative` as seen from a directory; None when it is absolute or leads out of the repository.
pub fn join(dir: &[u8], relative: &str) -> Option<RepoPath> {
    if relative.starts_with(['/', '\\']) {
        return None;
    }
    let mut parts: Vec<&[u8]> = dir.split_str("/").filter(|part| !part.is_empty()).collect();
    for part in relative.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part.as_bytes()),
        }
    }
    Some(RepoPath::new(parts.join(&b'/')))
}
