//! The lines before the hunks: the extended headers of git, and the two names.

use super::super::Notes;
use super::super::lines::{Lines, malformed, quote};
use super::names::{self, Name};
use guardhost_core::change::{FileMode, NoPatch};

#[derive(Default)]
pub(super) struct DiffHead {
    pub git: Option<(Vec<u8>, Vec<u8>)>,
    pub is_git: bool,
    pub old: Option<Name>,
    pub new: Option<Name>,
    pub created: bool,
    pub deleted: bool,
    pub mode: Option<FileMode>,
    pub renamed: (Option<Vec<u8>>, Option<Vec<u8>>),
    pub copied: (Option<Vec<u8>>, Option<Vec<u8>>),
    pub claimed_blob: Option<String>,
    /// The `index` line says that the new file is not empty.
    pub has_content: bool,
}

/// Reads the headers that begin at `start`, and gives the line after them.
pub(super) fn read(lines: &Lines, start: usize, notes: &mut Notes) -> Result<(DiffHead, usize), NoPatch> {
    let mut head = DiffHead::default();
    let mut at = start;
    if let Some(pair) = lines[at].strip_prefix(b"diff --git ") {
        head.is_git = true;
        head.git = names::pair(pair);
        at += 1;
        while let Some(line) = lines.get(at) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !extended(&mut head, line).map_err(|why| malformed(at, why))? {
                break;
            }
            at += 1;
        }
    } else if lines[at].starts_with(b"diff --c") {
        return Err(malformed(at, "combined diffs of merges are not accepted; send a diff against one version"));
    }
    let mut side = |mark: &[u8]| -> Option<Name> {
        let line = lines.get(at)?;
        let (name, odd) = names::side(line.strip_prefix(mark)?);
        at += 1;
        if odd {
            notes.add("file-name", format_args!("{} has more than a file name after it", quote(line)));
        }
        Some(name)
    };
    head.old = side(b"--- ");
    head.new = side(b"+++ ");
    if head.old.is_some() != head.new.is_some() {
        notes.add("half-header", format_args!("{}: one of --- and +++ is missing", quote(lines[start])));
        let other = head.old.clone().or(head.new.clone());
        (head.old, head.new) = (other.clone(), other);
    }
    Ok((head, at))
}

/// One line between `diff --git` and `---`; false when it is none.
fn extended(head: &mut DiffHead, line: &[u8]) -> Result<bool, String> {
    let mode = |text: &[u8]| {
        let raw = std::str::from_utf8(text.trim_ascii()).ok().and_then(|text| u32::from_str_radix(text, 8).ok());
        raw.and_then(FileMode::from_raw)
            .ok_or_else(|| format!("{} is not a mode that git stores; use 100644 or 100755", quote(text)))
    };
    let text = |key: &[u8]| line.strip_prefix(key);
    if let Some(text) = text(b"new file mode ") {
        (head.created, head.mode) = (true, Some(mode(text)?));
    } else if let Some(text) = text(b"deleted file mode ") {
        head.deleted = true;
        // Of a deleted file's mode only a gitlink matters: `sanitize` refuses it.
        head.mode = Some(mode(text)?).filter(|mode| *mode == FileMode::Submodule);
    } else if let Some(text) = text(b"new mode ") {
        head.mode = Some(mode(text)?);
    } else if let Some(text) = text(b"rename from ").or(text(b"rename old ")) {
        head.renamed.0 = Some(names::bare(text));
    } else if let Some(text) = text(b"rename to ").or(text(b"rename new ")) {
        head.renamed.1 = Some(names::bare(text));
    } else if let Some(text) = text(b"copy from ") {
        head.copied.0 = Some(names::bare(text));
    } else if let Some(text) = text(b"copy to ") {
        head.copied.1 = Some(names::bare(text));
    } else if let Some(text) = text(b"index ") {
        index(head, text);
    } else if line.starts_with(b"GIT binary patch") || line.starts_with(b"Binary files ") {
        return Err("binary patches are not accepted; leave binary files alone".into());
    } else {
        return Ok([&b"old mode "[..], b"similarity index ", b"dissimilarity index "]
            .iter()
            .any(|key| line.starts_with(key)));
    }
    Ok(true)
}

/// The id of the empty blob.
const EMPTY_BLOB: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// `index 3f1a2b..9c8d7e 100644`
fn index(head: &mut DiffHead, text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (ids, mode) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let old = ids.split("..").next().unwrap_or_default();
    let real =
        (4..=64).contains(&old.len()) && old.bytes().all(|b| b.is_ascii_hexdigit()) && old.bytes().any(|b| b != b'0');
    let new = ids.rsplit("..").next().unwrap_or_default();
    head.has_content = new.bytes().any(|b| b != b'0') && !EMPTY_BLOB.starts_with(new);
    head.claimed_blob = real.then(|| old.to_ascii_lowercase());
    if mode.trim() == "160000" {
        head.mode = Some(FileMode::Submodule);
    }
}
