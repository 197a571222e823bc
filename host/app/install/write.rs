//! Writes the files, each as a whole or not at all.

use std::fs;
use std::io::Write;
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
    Delete {
        path: PathBuf,
    },
}

pub(super) fn perform(change: FileChangeToWrite) -> Result<()> {
    let fault = |path: &Path| Fault::new(FaultKind::Git, format!("cannot write {}", path.display()));
    match &change {
        FileChangeToWrite::Write { path, text, is_program } => {
            write(path, text, *is_program).with_context(|| fault(path))
        }
        FileChangeToWrite::Move { from, to } => fs::rename(from, to).with_context(|| fault(to)),
        FileChangeToWrite::Delete { path } => {
            fs::remove_file(path).with_context(|| fault(path))?;
            // Folders that nothing else is in were made for the file.
            let made = |folder: &&Path| {
                let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                [".claude", ".codex", ".cursor", ".gemini", ".github", "workflows"].contains(&name.as_str())
            };
            for folder in path.ancestors().skip(1).take_while(made) {
                if fs::remove_dir(folder).is_err() {
                    break;
                }
            }
            Ok(())
        }
    }
}

/// A link stays one: what it names is replaced.
fn write(path: &Path, text: &str, is_program: bool) -> Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().context("it has no folder")?;
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".guardhost-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    guardhost_os::inherit_mode(file.as_file(), path, is_program)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
