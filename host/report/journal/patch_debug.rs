//! `.git/ai-rules-debug/`: the reply and the patches of `host patch`, in the place where tools of the older pipeline look
//! for them.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bstr::ByteSlice;

use super::artifact::Artifact;
use super::retention::Keep;
use super::run_folder::{cannot_write, private_dir};
use guardhost_core::change::RepoPath;
use guardhost_core::error::{Context, Result};
use guardhost_os::Private;

/// Maximum bytes of the target's path in a file name.
const MAX_STEM: usize = 200;

/// The files of one `host patch`: `{target with underscores}-{pid}.{raw.out|clean.diff|sanitized.diff|final.diff|fixed.diff}`, from the second attempt on
/// `{…}-{pid}-{attempt}.{…}`.
#[derive(Clone)]
pub struct DebugFolder {
    dir: PathBuf,
    stem: String,
    /// Number of attempts of an earlier process with the same process id.
    earlier: u32,
}

impl DebugFolder {
    /// Makes the folder in `git_dir`, and removes files in it that are too old.
    pub fn open(git_dir: &Path, target: &RepoPath, pid: u32, keep: Keep, now: SystemTime) -> Result<Self> {
        let dir = git_dir.join("ai-rules-debug");
        private_dir().recursive(true).create(&dir).map_err(|error| cannot_write(&dir, error))?;
        prune(&dir, keep, now).with_context(|| format!("cannot remove old files in {}", dir.display()))?;
        let name = target.as_bytes().replace(b"/", b"_").to_str_lossy().into_owned();
        // File names have at most 255 bytes on most systems. The end of a path says more than its beginning.
        let stem = format!("{}-{pid}", &name[name.ceil_char_boundary(name.len().saturating_sub(MAX_STEM))..]);
        let taken = |attempt: &u32| dir.join(file_name(&stem, *attempt, "raw.out")).exists();
        let earlier = (1..).take_while(taken).count() as u32;
        Ok(DebugFolder { dir, stem, earlier })
    }

    pub(super) fn keep(&self, attempt: u32, artifact: Artifact, bytes: &[u8]) -> Result<()> {
        let ending = match artifact {
            Artifact::Prompt
            | Artifact::Repaired
            | Artifact::Account
            | Artifact::Around
            | Artifact::FixDiffs
            | Artifact::Part
            | Artifact::Feedback
            | Artifact::Plan
            | Artifact::LayeredPlan
            | Artifact::Audit
            | Artifact::AuditAfter
            | Artifact::Refined
            | Artifact::Votes
            | Artifact::Issues
            | Artifact::Attempt => return Ok(()),
            Artifact::Reply => "raw.out",
            Artifact::Extracted => "clean.diff",
            Artifact::Sanitized => "sanitized.diff",
            Artifact::FinalDiff => "final.diff",
            Artifact::FixedDiff => "fixed.diff",
        };
        let path = self.dir.join(file_name(&self.stem, self.earlier + attempt, ending));
        let file = OpenOptions::new().write(true).create(true).truncate(true).private().open(&path);
        file.and_then(|mut file| file.write_all(bytes)).map_err(|error| cannot_write(&path, error))
    }

    /// The files of this process, sorted by name.
    pub fn files(&self) -> Vec<PathBuf> {
        let ours = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&self.stem));
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(ours).collect();
        files.sort();
        files
    }
}

fn file_name(stem: &str, attempt: u32, ending: &str) -> String {
    if attempt > 1 { format!("{stem}-{attempt}.{ending}") } else { format!("{stem}.{ending}") }
}

/// Removes old files with the endings above. Other files in the folder are not the host's.
fn prune(dir: &Path, keep: Keep, now: SystemTime) -> io::Result<()> {
    let ours = |name: &str| [".raw.out", ".diff"].iter().any(|ending| name.ends_with(ending));
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if !ours(&entry.file_name().to_string_lossy()) || !entry.file_type()?.is_file() {
            continue;
        }
        let removed = match entry.metadata()?.modified()? {
            changed if keep.is_too_old(changed, now) => fs::remove_file(entry.path()),
            _ => Ok(()),
        };
        // Another process removed it first.
        removed.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
    }
    Ok(())
}
