//! One file as the prompt shows it.

use guardhost_core::change::{FileMode, RepoPath, Tree, TreeEntry};
use guardhost_core::error::Result;
use guardhost_core::sensitive::hidden;

/// The file under its name, in a fence that is longer than any in it. Without an `entry` it does not exist yet.
pub(super) fn show(tree: Option<&Tree>, path: &RepoPath, entry: Option<TreeEntry>) -> Result<String> {
    let note = |what: &str| Ok(format!("### {path}\n\n({what})\n\n"));
    let (Some(entry), Some(tree)) = (entry, tree) else { return note("does not exist yet") };
    if entry.mode == FileMode::Submodule {
        return note("a submodule: cannot be changed here");
    }
    let bytes = tree.objects.blob(entry.oid)?;
    if let Some(why) = hidden(path, &bytes) {
        return note(&format!("{why}: not shown"));
    }
    let text = match std::str::from_utf8(&bytes) {
        _ if bytes.is_empty() => return note("an empty file"),
        Ok(text) if entry.mode == FileMode::Symlink => return note(&format!("a symbolic link to `{text}`")),
        Ok(text) if !text.contains('\0') => text,
        _ => return note(&format!("{} bytes that are not UTF-8 text, not shown", bytes.len())),
    };
    let fence = "`".repeat(3.max(1 + text.split(|c| c != '`').map(str::len).max().unwrap_or_default()));
    let executable = if entry.mode == FileMode::Executable { " (executable)" } else { "" };
    let crlf = if text.contains("\r\n") { " (lines end in CR LF)" } else { "" };
    let (open, end) = if text.ends_with('\n') { ("", "") } else { (" (no newline at end of file)", "\n") };
    Ok(format!("### {path}{executable}{crlf}{open}\n\n{fence}\n{text}{end}{fence}\n\n"))
}
