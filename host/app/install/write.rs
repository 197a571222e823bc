//! Writes the files, each as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use guardhost_core::error::{Context, Fault, FaultKind, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileChangeToWrite {
    Write {
        path: PathBuf,
        text: String,
        is_program: bool,
    },
    /// Replaces what is at `to`.
    Move {
        from: PathBuf,
        to: PathBuf,
    },
    /// With those of these folders above it that nothing else is in.
    Delete {
        path: PathBuf,
        made: &'static [&'static str],
    },
    /// Stays where anything is in it.
    DeleteEmptyFolder {
        path: PathBuf,
    },
}

pub(super) fn perform(change: FileChangeToWrite) -> Result<()> {
    match &change {
        FileChangeToWrite::Write { path, text, is_program } => write_file(path, text.as_bytes(), *is_program),
        FileChangeToWrite::Move { from, to } => fs::rename(from, to).with_context(|| fault(to)),
        FileChangeToWrite::Delete { path, made } => {
            fs::remove_file(path).with_context(|| fault(path))?;
            let is_made = |folder: &&Path| made.iter().any(|made| folder.ends_with(made));
            for folder in path.ancestors().skip(1).take_while(is_made) {
                if fs::remove_dir(folder).is_err() {
                    break;
                }
            }
            Ok(())
        }
        FileChangeToWrite::DeleteEmptyFolder { path } => match fs::remove_dir(path) {
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(error).with_context(|| fault(path)),
            Ok(()) | Err(_) => Ok(()),
        },
    }
}

/// The folders in which targets have their files, and which the host makes where they are not.
pub(super) const MADE: [&str; 15] = [
    ".claude",
    ".codex",
    ".config/opencode/plugins",
    ".copilot",
    ".copilot/hooks",
    ".cursor",
    ".forgejo",
    ".forgejo/workflows",
    ".gemini",
    ".github",
    ".github/hooks",
    ".github/workflows",
    ".opencode",
    ".opencode/plugins",
    ".qwen",
];

fn fault(path: &Path) -> Fault {
    Fault::new(FaultKind::Git, format!("cannot write {}", path.display()))
}

/// Writes a file as a whole or not at all, and the folders above it. A link stays one: what it names is replaced.
///
/// # Errors
/// The disk fails, or the file or a folder may not be written.
pub(crate) fn write_file(path: &Path, content: &[u8], is_program: bool) -> Result<()> {
    write(path, content, is_program).with_context(|| fault(path))
}

fn write(path: &Path, content: &[u8], is_program: bool) -> Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().context("it has no folder")?;
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".guardhost-").tempfile_in(folder)?;
    file.write_all(content)?;
    guardhost_os::inherit_mode(file.as_file(), path, is_program)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
