//! Answers about a base, kept in the repository's state folder: a baseline is taken once, whatever number of candidates it is compared to.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::report::Report;
use guardhost_core::error::{Context, Result};

/// Newest first; a repository has few bases that are still judged on.
const MOST: usize = 64;

pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// Below the repository's state folder.
    pub fn new(state: &Path) -> Self {
        Kept { folder: state.join("baselines") }
    }

    /// None when there is no answer, or none that can be read.
    pub fn get<R: Report>(&self, key: &[&str]) -> Option<R> {
        serde_json::from_slice(&fs::read(self.file(key)).ok()?).ok()
    }

    pub fn put<R: Report>(&self, key: &[&str], report: &R) -> Result<()> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        let file = self.file(key);
        let partial = file.with_extension(format!("partial-{}", std::process::id()));
        let kept = fs::write(&partial, serde_json::to_vec(report)?).and_then(|()| fs::rename(&partial, &file));
        kept.with_context(|| format!("cannot keep {}", file.display()))?;
        self.prune()
    }

    fn prune(&self) -> Result<()> {
        let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            // Another run may have pruned it meanwhile.
            if let Ok(modified) = entry.metadata().and_then(|meta| meta.modified()) {
                files.push((modified, entry.path()));
            }
        }
        files.sort();
        for (_, file) in files.iter().rev().skip(MOST) {
            match fs::remove_file(file) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    fn file(&self, key: &[&str]) -> PathBuf {
        let mut digest = Sha256::new();
        for part in key {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        let name: String = digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name).with_extension("json")
    }
}
