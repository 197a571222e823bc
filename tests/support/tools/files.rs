//! Folders with properties that the usual temporary folder lacks.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Missing;

/// Temporary folders, where they ignore letter case: macOS, and ext4 or tmpfs with `casefold`.
pub fn ignoring_case() -> Result<PathBuf, Missing> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a"), "").expect("written");
    match folder.path().join("A").exists() {
        true => Ok(std::env::temp_dir()),
        false => Err(Missing::Unsupported(format!("letter case matters in {}", std::env::temp_dir().display()))),
    }
}

/// The memory of Linux, where temporary folders are on a disk.
pub fn elsewhere() -> Result<PathBuf, Missing> {
    let memory = Path::new("/dev/shm");
    let device = |path: &Path| fs::metadata(path).map(|data| data.dev());
    match (device(memory), device(&std::env::temp_dir())) {
        (Ok(one), Ok(other)) if one != other => Ok(memory.to_path_buf()),
        (Ok(_), _) => Err(Missing::Unsupported("temporary folders are in memory too".to_owned())),
        (Err(error), _) => Err(Missing::Unsupported(format!("{}: {error}", memory.display()))),
    }
}
