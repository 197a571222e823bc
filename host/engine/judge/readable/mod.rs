//! The host's own rule that a change makes no file unreadable to the guards. It is decided here, once, because a guard that cannot read
//! a file passes it by: without the rule, one byte in a comment would switch every guard off for that file.

mod link;
mod rename;
mod watchers;

use std::cell::OnceCell;

use guardhost_core::change::{Blob, Evidence, FileChange, FileMode, Finding, HostRule, RepoPath, Severity};

use crate::judge::change_view::{ChangeView, NoContent, Side};
use crate::limits::{BLOB, Stop};
use crate::set::GuardSet;
use crate::text::escape::escape_line;
use watchers::Watchers;

/// Bytes at the beginning of a pointer of Git LFS: a text that stands for a file which need not be one.
const LFS_POINTER: &str = "version https://git-lfs.github.com/spec/";

/// How a change takes a file away from the guards.
enum Loss {
    /// Why the bytes are not text.
    NotText(String),
    /// Bytes.
    TooLarge(u64),
    Link,
    Submodule,
    /// To a name that no guard of the old one's language asks for.
    Renamed,
}

/// The rejection of the files that an enforced guard could judge in the base and cannot judge in the candidate. None when there are none.
pub fn files_readable(set: &GuardSet, change: &ChangeView) -> Option<Evidence> {
    match losses(set, change) {
        Ok(findings) if findings.is_empty() => None,
        Ok(findings) => Some(HostRule::FilesReadable.rejection(findings)),
        Err(stop) => Some(HostRule::FilesReadable.failure(stop.to_string())),
    }
}

fn losses(set: &GuardSet, change: &ChangeView) -> Result<Vec<Finding>, Stop> {
    // Descriptions of guards that are not embedded have to be loaded: only when a file calls for it.
    let watchers = OnceCell::new();
    let watchers = || watchers.get_or_init(|| Watchers::of(set));
    let mut findings = Vec::new();
    for (index, file) in change.candidate.files.iter().enumerate() {
        let old_path = file.old_path.as_ref().unwrap_or(&file.path);
        let (Some(before), Some(after)) = (file.before, file.after) else { continue };
        if !is_regular(before) || set.may_become_unreadable.matches(&file.path) {
            continue;
        }
        let loss = match after.mode {
            FileMode::Submodule => Some(Loss::Submodule),
            FileMode::Symlink if link::keeps_content(change, file)? => None,
            FileMode::Symlink => Some(Loss::Link),
            FileMode::File | FileMode::Executable => match change.text(index, Side::After) {
                Ok(text) if rename::leaves_its_guards(file, &text, &watchers) => Some(Loss::Renamed),
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
fn had_text(change: &ChangeView, file: usize) -> Result<bool, Stop> {
    match change.text(file, Side::Before) {
        Ok(text) => Ok(!text.trim().is_empty() && !text.starts_with(LFS_POINTER)),
        Err(NoContent::Stop(stop)) => Err(stop),
        Err(NoContent::Absent | NoContent::NotText(_) | NoContent::TooLarge(_)) => Ok(false),
    }
}

fn finding(file: &FileChange, loss: Loss) -> Finding {
    let path = shown(&file.path);
    let (rule, what, instead) = match loss {
        Loss::NotText(why) => (
            "no-longer-text",
            format!("{path} was text, and no guard can read it any more: {why}"),
            format!("Write {path} as UTF-8 text without NUL bytes."),
        ),
        Loss::TooLarge(size) => (
            "too-large",
            format!("{path} has {size} bytes now, and guards read files of at most {BLOB} bytes"),
            format!("Keep {path} smaller, or put the data into another file."),
        ),
        Loss::Link => (
            "replaced-by-link",
            format!("a symbolic link stands in the place of {path}, and no guard can read what it shows"),
            format!("Keep {path} as a file of its own."),
        ),
        Loss::Submodule => (
            "replaced-by-submodule",
            format!("a submodule stands in the place of {path}, and no guard can read it"),
            format!("Keep {path} as a file of its own."),
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
