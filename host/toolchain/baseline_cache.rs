//! Reports of base trees, kept in the repository's state folder: a base is built and tested once, however many candidates are compared
//! with it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use guardhost_os::Private;
use sha2::{Digest, Sha256};

use super::report::ToolReport;
use guardhost_core::error::{Context, Result};

/// Reports that are kept, newest first; a repository has few bases on which candidates are still judged.
const MOST: usize = 64;

pub struct BaselineCache {
    folder: PathBuf,
}

impl BaselineCache {
    /// Below the repository's state folder.
    pub fn new(state: &Path) -> Self {
        BaselineCache { folder: state.join("baselines") }
    }

    /// None when there is no report, or none that can be read.
    pub fn get<R: ToolReport>(&self, key: &[String]) -> Option<R> {
        serde_json::from_slice(&fs::read(self.file(key)).ok()?).ok()
    }

    pub fn put<R: ToolReport>(&self, key: &[String], report: &R) -> Result<()> {
        fs::DirBuilder::new()
            .recursive(true)
            .private()
            .create(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        let file = self.file(key);
        let partial = file.with_extension(format!("partial-{}", std::process::id()));
        let written = fs::write(&partial, serde_json::to_vec(report)?).and_then(|()| fs::rename(&partial, &file));
        written.with_context(|| format!("cannot keep {}", file.display()))?;
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

    /// The parts' lengths are hashed too, so that no two keys run together to the same bytes.
    fn file(&self, key: &[String]) -> PathBuf {
        let mut digest = Sha256::new();
        for part in key {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        let name: String = digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name).with_extension("json")
    }
}
