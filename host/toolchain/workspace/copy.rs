//! Copies a build folder.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use guardhost_os::{Private, symlink_at};

/// Folders in one another. Build tools stay below 50.
const DEPTH: usize = 128;

/// Keeps modification times, by which build tools recognise changed files. The kernel shares the blocks where the file system can.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    copy_folder(from, to, DEPTH)
}

fn copy_folder(from: &Path, to: &Path, depth: usize) -> io::Result<()> {
    let deeper = depth.checked_sub(1).ok_or(io::ErrorKind::QuotaExceeded)?;
    fs::DirBuilder::new().recursive(true).private().create(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_folder(&source, &target, deeper)?;
        } else if kind.is_symlink() {
            symlink_at(&fs::read_link(&source)?, &target)?;
        } else if kind.is_file() {
            copy_file(&source, &target)?;
        }
    }
    Ok(())
}

fn copy_file(source: &Path, target: &Path) -> io::Result<()> {
    fs::copy(source, target)?;
    let modified = fs::metadata(source)?.modified()?;
    File::options().append(true).open(target)?.set_modified(modified)
}
