//! Symbolic links in the place of files.

use guardhost_core::change::{Blob, FileChange, FileMode, RepoPath, TreeEntry};

use crate::facts::is_source;
use crate::judge::change_view::{ChangeView, NoContent, TreeSide};
use crate::limits::GuardStop;

/// Extensions of documents. Names without an extension (`LICENSE`, `.cursorrules`) are taken for documents too, unless they are source.
const DOCUMENTS: [&str; 9] = ["adoc", "asciidoc", "markdown", "md", "mdc", "mdown", "mdx", "rst", "txt"];

/// Whether the link that now stands at the file's path leads to what stood there: to a file of the candidate with the same bytes, or
/// from one document to another, as agents' instructions and licenses are shared.
pub fn keeps_content(change: &ChangeView, file: &FileChange) -> Result<bool, GuardStop> {
    let (Some(before), Some(after)) = (file.before, file.after) else { return Ok(false) };
    let Some(target) = target(change, &file.path, after)? else { return Ok(false) };
    let Some(entry) = change.entry(TreeSide::After, &target)? else { return Ok(false) };
    let is_file = matches!(entry.mode, FileMode::File | FileMode::Executable);
    let old_path = file.old_path.as_ref().unwrap_or(&file.path);
    // A script needs no extension.
    let is_script = before.mode == FileMode::Executable
        || change.blob(TreeEntry { oid: before.oid, mode: before.mode }).is_ok_and(|bytes| bytes.starts_with(b"#!"));
    Ok(is_file && (entry.oid == before.oid || (!is_script && is_document(old_path) && is_document(&target))))
}

/// The path in the repository that a link of the candidate means. None when it leads out of it.
pub fn target(change: &ChangeView, path: &RepoPath, link: Blob) -> Result<Option<RepoPath>, GuardStop> {
    match change.blob(TreeEntry { oid: link.oid, mode: link.mode }) {
        Ok(target) => Ok(resolve(path, &target)),
        Err(NoContent::Stop(stop)) => Err(stop),
        Err(NoContent::Absent | NoContent::NotText(_) | NoContent::TooLarge(_)) => Ok(None),
    }
}

/// The same, for the text of a link.
fn resolve(path: &RepoPath, target: &[u8]) -> Option<RepoPath> {
    if target.starts_with(b"/") {
        return None;
    }
    let mut parts: Vec<&[u8]> = path.parts().collect();
    parts.pop();
    for part in target.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(RepoPath::new(parts.join(&b'/')))
}

fn is_document(path: &RepoPath) -> bool {
    let name = String::from_utf8_lossy(path.file_name()).to_ascii_lowercase();
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => DOCUMENTS.contains(&extension),
        Some(_) | None => !is_source(path),
    }
}
