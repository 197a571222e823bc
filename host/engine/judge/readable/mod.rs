//! The host's own rule that a change makes no file unreadable to the guards. It is decided here, once, because a guard that cannot read
//! a file passes it by: without the rule, one byte in a comment would switch every guard off for that file.

mod folder;
mod link;
mod rename;
pub mod watchers;

use std::cell::OnceCell;

use guardhost_core::change::{Blob, Evidence, FileChange, FileMode, Finding, HostRule, RepoPath, Severity};

use crate::facts::is_source;
use crate::judge::change_view::{ChangeView, NoContent, TreeSide};
use crate::limits::{BLOB, GuardStop};
use crate::set::GuardSet;
use crate::text::escape::escape_line;
use folder::FolderLinks;
use watchers::Watchers;

/// Bytes at the beginning of a pointer of Git LFS: a text that stands for a file which need not be one.
const LFS_POINTER: &str = "version https://git-lfs.github.com/spec/";

/// How a change takes a file away from the guards.
enum Loss {
    /// Why the bytes are not text.
    NotText(String),
    /// UTF-8 became UTF-16. Guards read both, but what runs the file may not.
    OtherEncoding,
    /// Bytes.
    TooLarge(u64),
    Link(Place),
    Submodule(Place),
    /// To a name that no guard of the old one's language asks for.
    Renamed,
}

/// What something else stands in the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    File,
    Folder,
}

impl Place {
    fn as_str(self) -> &'static str {
        match self {
            Place::File => "file",
            Place::Folder => "folder",
        }
    }
}

/// The rejection of the files that an enforced guard could judge in the base and cannot judge in the candidate. None when there are none.
pub fn files_readable(set: &GuardSet, change: &ChangeView) -> Option<Evidence> {
    match losses(set, change) {
        Ok(findings) if findings.is_empty() => None,
        Ok(findings) => Some(HostRule::FilesReadable.rejection(findings)),
        Err(stop) => Some(HostRule::FilesReadable.failure(stop.to_string())),
    }
}

fn losses(set: &GuardSet, change: &ChangeView) -> Result<Vec<Finding>, GuardStop> {
    // Descriptions of guards that are not embedded have to be loaded: only when a file calls for it.
    let watchers = OnceCell::new();
    let watchers = || watchers.get_or_init(|| Watchers::new(set));
    let mut findings = Vec::new();
    let folder_links = FolderLinks::new(change);
    for (index, file) in change.candidate.files.iter().enumerate() {
        let old_path = file.old_path.as_ref().unwrap_or(&file.path);
        if file.before.is_none()
            && is_source(&file.path)
            && is_utf16(change, index, TreeSide::After)
            && !takes_utf16(&file.path)
            && !set.may_become_unreadable.matches(&file.path)
        {
            findings.push(finding(file, Loss::OtherEncoding));
        }
        let may = |path: &RepoPath| set.may_become_unreadable.matches(path);
        if let Some(before) = file.before.filter(|before| is_regular(*before))
            && let Some((place, loss)) = folder_links.loss(change, old_path, before, set.kinds())?
            && !may(old_path)
            && !may(&place.path)
            && had_text(change, index)?
            && watchers().read(old_path)
        {
            let found = finding(place, loss);
            if !findings.contains(&found) {
                findings.push(found);
            }
            continue;
        }
        let (Some(before), Some(after)) = (file.before, file.after) else { continue };
        if !is_regular(before) || (may(&file.path) && may(old_path)) {
            continue;
        }
        let loss = match after.mode {
            FileMode::Submodule => Some(Loss::Submodule(Place::File)),
            FileMode::Symlink if link::keeps_content(change, file)? => None,
            FileMode::Symlink => Some(Loss::Link(Place::File)),
            FileMode::File | FileMode::Executable => match change.text(index, TreeSide::After) {
                Ok(text) if rename::leaves_its_guards(file, &text, set.kinds(), &watchers) => Some(Loss::Renamed),
                Ok(_)
                    if is_utf16(change, index, TreeSide::After)
                        && !is_utf16(change, index, TreeSide::Before)
                        && !takes_utf16(&file.path) =>
                {
                    Some(Loss::OtherEncoding)
                }
                Ok(_) | Err(NoContent::Absent) => None,
                Err(NoContent::NotText(why)) => Some(Loss::NotText(why)),
                Err(NoContent::TooLarge(size)) => Some(Loss::TooLarge(size)),
                Err(NoContent::Stop(stop)) => return Err(stop),
            },
        };
        if let Some(loss) = loss
            && had_text(change, index)?
            && watchers().read(old_path)
        {
            findings.push(finding(file, loss));
        }
    }
    Ok(findings)
}

fn is_regular(blob: Blob) -> bool {
    matches!(blob.mode, FileMode::File | FileMode::Executable)
}

/// Whether there was something to judge: an empty file, or a pointer to a file elsewhere, is a placeholder.
fn had_text(change: &ChangeView, file: usize) -> Result<bool, GuardStop> {
    match change.text(file, TreeSide::Before) {
        Ok(text) => Ok(!text.trim().is_empty() && !is_lfs_pointer(&text)),
        Err(NoContent::Stop(stop)) => Err(stop),
        Err(NoContent::Absent | NoContent::NotText(_) | NoContent::TooLarge(_)) => Ok(false),
    }
}

/// A whole one, as `git lfs` writes it, of at most 1,024 bytes (git-lfs, docs/spec.md).
fn is_lfs_pointer(text: &str) -> bool {
    let mut lines = text.lines();
    text.len() <= 1_024
        && lines.next().is_some_and(|line| line.starts_with(LFS_POINTER) && line.len() <= LFS_POINTER.len() + 2)
        && lines.all(|line| line.starts_with("oid sha256:") || line.starts_with("size ") || line.starts_with("ext-"))
}

fn is_utf16(change: &ChangeView, file: usize, side: TreeSide) -> bool {
    change.bytes(file, side).is_ok_and(|bytes| bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff"))
}

/// Extensions of files that their programs read as UTF-16 too.
const TAKES_UTF16: [&str; 15] =
    ["cs", "csv", "inf", "ini", "ps1", "psd1", "psm1", "rc", "reg", "resx", "sln", "sql", "strings", "tsv", "txt"];

fn takes_utf16(path: &RepoPath) -> bool {
    let name = String::from_utf8_lossy(path.file_name()).to_ascii_lowercase();
    name.rsplit_once('.').is_some_and(|(_, extension)| TAKES_UTF16.contains(&extension))
}

fn finding(file: &FileChange, loss: Loss) -> Finding {
    let path = shown(&file.path);
    let (rule, what, instead) = match loss {
        Loss::NotText(why) => (
            "no-longer-text",
            format!("{path} was text, and no guard can read it any more: {why}"),
            format!("Write {path} as UTF-8 text without NUL bytes."),
        ),
        Loss::OtherEncoding => (
            "other-encoding",
            format!(
                "a mark at the beginning of {path} makes it UTF-16, which what runs it need not read as the guards do"
            ),
            format!("Write {path} as UTF-8."),
        ),
        Loss::TooLarge(size) => (
            "too-large",
            format!("{path} has {size} bytes now, and guards read files of at most {BLOB} bytes"),
            format!("Keep {path} smaller, or put the data into another file."),
        ),
        Loss::Link(place) => (
            "replaced-by-link",
            format!("a symbolic link replaces {path}, and no guard can read what it shows"),
            format!("Keep {path} as a {} of its own.", place.as_str()),
        ),
        Loss::Submodule(place) => (
            "replaced-by-submodule",
            format!("a submodule replaces {path}, and no guard can read it"),
            format!("Keep {path} as a {} of its own.", place.as_str()),
        ),
        Loss::Renamed => {
            let old = file.old_path.as_ref().map(shown).unwrap_or_default();
            (
                "renamed-out-of-sight",
                format!("{old} is renamed to {path}, a name by which no guard of its language judges it"),
                format!(
                    "Keep the name {old}, or a name with the same extension. If the code is to go, delete the file."
                ),
            )
        }
    };
    let allowed = "A person who means it lists the path under `allow_unreadable` of `[policy]` in guards.toml.";
    Finding {
        path: Some(path),
        help: Some(format!("{instead} {allowed}")),
        ..Finding::new(rule, Severity::Error, what)
    }
}

fn shown(path: &RepoPath) -> String {
    escape_line(&path.to_string(), usize::MAX)
}
