//! How much of a disk some folders use.

use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType};

use super::open_folder;

/// Folders in one another. Build tools stay below 50; a path of `a/a/a/…` ends at 2,048.
const DEPTH: usize = 256;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiskUsage {
    /// Blocks on disk, in bytes.
    pub bytes: u64,
    pub files: u64,
    /// There are folders below [`DEPTH`], which are not counted.
    pub too_deep: bool,
}

/// Counts until `most` is exceeded. What cannot be read is not counted: it vanished, or a program took away the rights to it.
pub fn usage(folders: &[PathBuf], most: DiskUsage) -> DiskUsage {
    let mut usage = DiskUsage::default();
    for folder in folders {
        add(folder, most, &mut usage);
    }
    usage
}

fn add(folder: &Path, most: DiskUsage, usage: &mut DiskUsage) {
    let Ok(top) = open_folder(CWD, folder).and_then(Dir::new) else { return };
    let mut stack: Vec<Dir> = vec![top];
    while let Some(dir) = stack.last_mut() {
        let Some(Ok(entry)) = dir.read() else {
            stack.pop();
            continue;
        };
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let Ok(at) = dir.fd() else { continue };
        let Ok(stat) = rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        usage.files += 1;
        usage.bytes += u64::try_from(stat.st_blocks).unwrap_or(0) * 512;
        if usage.bytes > most.bytes || usage.files > most.files {
            return;
        }
        if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
            let inner = open_folder(at, name).and_then(Dir::new);
            match stack.len() < DEPTH {
                true => stack.extend(inner),
                false => usage.too_deep = true,
            }
        }
    }
}
