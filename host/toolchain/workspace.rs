//! Where builds and tests run: a folder of the user's cache for each repository, with one slot for each run.
//!
//! It is not inside the repository: cargo, node and pytest search parent folders for manifests, and would find the user's own.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use sha2::{Digest, Sha256};

use super::worktree::WorkTree;
use guardhost_core::error::{Context, Fault, Kind, Result};

/// Runs that build or test one repository at the same time.
const SLOTS: usize = 16;

pub struct Workspace {
    folder: PathBuf,
    pub tree: WorkTree,
    /// The kernel releases the lock when this process ends, however it ends.
    _lock: File,
}

/// The folders of one command.
pub struct JobDirs {
    /// Deleted before the next command.
    pub home: PathBuf,
    pub temp: PathBuf,
    /// Where a runner writes its report.
    pub out: PathBuf,
    /// The tool's build folder. That of the base is kept for the next run.
    pub built: PathBuf,
}

impl Workspace {
    /// Takes the first free slot. `cache` is the user's cache folder, `repository` is hashed to name the repository's folder in it.
    pub fn take(cache: &Path, repository: &Path) -> Result<Self> {
        let digest = Sha256::digest(repository.as_os_str().as_bytes());
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        for slot in 0..SLOTS {
            let folder = cache.join("worktrees").join(&name).join(slot.to_string());
            create(&folder)?;
            let lock = File::create(folder.join("lock")).with_context(|| cannot("lock", &folder))?;
            match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Workspace { tree: WorkTree::new(&folder), folder, _lock: lock }),
                Err(rustix::io::Errno::WOULDBLOCK) => {}
                Err(error) => return Err(error).with_context(|| cannot("lock", &folder)),
            }
        }
        let what = format!("{SLOTS} runs build or test this repository already");
        Err(Fault::new(Kind::GuardRun, what).hint("wait for one of them to end").into())
    }

    /// Empty folders for one command. A candidate builds in a copy of the base's build folder, so that no candidate sees another's
    /// build.
    pub fn dirs(&self, tool: &str, of_base: bool) -> Result<JobDirs> {
        let scratch = self.folder.join("scratch");
        remove(&scratch)?;
        let [home, temp, out] = ["home", "tmp", "out"].map(|name| scratch.join(name));
        for folder in [&home, &temp, &out] {
            create(folder)?;
        }
        let base = self.folder.join("built-base").join(tool);
        create(&base)?;
        let built = if of_base {
            base
        } else {
            let built = self.folder.join("built").join(tool);
            remove(&built)?;
            copy(&base, &built)?;
            built
        };
        Ok(JobDirs { home, temp, out, built })
    }
}

fn create(folder: &Path) -> Result<()> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.with_context(|| cannot("make", folder))
}

/// Recursively, including folders whose permissions a test has taken away.
pub fn remove(folder: &Path) -> Result<()> {
    let removed = fs::remove_dir_all(folder).or_else(|error| match error.kind() {
        ErrorKind::PermissionDenied => {
            make_accessible(folder)?;
            fs::remove_dir_all(folder)
        }
        ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    });
    removed.with_context(|| cannot("remove", folder))
}

fn make_accessible(folder: &Path) -> std::io::Result<()> {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            make_accessible(&entry.path())?;
        }
    }
    Ok(())
}

/// Keeps modification times, by which build tools recognise changed files. The kernel shares the blocks where the file system can.
fn copy(from: &Path, to: &Path) -> Result<()> {
    create(to)?;
    for entry in fs::read_dir(from).with_context(|| cannot("read", from))? {
        let entry = entry.with_context(|| cannot("read", from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().with_context(|| cannot("look at", &source))?;
        if kind.is_dir() {
            copy(&source, &target)?;
        } else if kind.is_symlink() {
            let link = fs::read_link(&source).and_then(|link| std::os::unix::fs::symlink(link, &target));
            link.with_context(|| cannot("copy", &source))?;
        } else if kind.is_file() {
            copy_file(&source, &target).with_context(|| cannot("copy", &source))?;
        }
    }
    Ok(())
}

fn copy_file(source: &Path, target: &Path) -> std::io::Result<()> {
    fs::copy(source, target)?;
    let modified = fs::metadata(source)?.modified()?;
    File::options().append(true).open(target)?.set_modified(modified)
}

fn cannot(what: &str, path: &Path) -> Fault {
    Fault::new(Kind::GuardRun, format!("cannot {what} {} for a build or a test run", path.display()))
}
