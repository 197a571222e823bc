//! Where builds and tests run: a folder of the user's cache for each repository, with one slot for each run.
//!
//! It is not inside the repository: cargo, node and pytest search parent folders for manifests, and would find the user's own.
//!
//! A slot has one lock of the host's and one of the sandbox's supervisor. A slot whose supervisor still kills processes is not free,
//! also after the host has ended. A slot whose supervisor ended before its processes did is emptied before it is used again.

mod copy;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use guardhost_os::Private;
use sha2::{Digest, Sha256};

use super::files::{SandboxLock, Trash, try_lock};
use super::job_dirs::{BuildCache, JobDirs};
use super::worktree::JobWorkTree;
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// Runs that build or test one repository at the same time.
const SLOTS: usize = 16;

/// The supervisor's lock.
const BUSY: &str = "busy";

/// Build folders of the base, which are kept.
const BUILT_BASE: &str = "built-base";

pub struct Workspace {
    folder: PathBuf,
    pub tree: JobWorkTree,
    trash: Trash,
    /// The kernel releases the lock when this process ends, however it ends.
    _lock: File,
}

impl Workspace {
    /// Takes the first free slot. `cache` is the user's cache folder, `repository` is hashed to name the repository's folder in it.
    pub fn take(cache: &Path, repository: &Path) -> Result<Self> {
        let digest = Sha256::digest(repository.as_os_str().as_encoded_bytes());
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        for slot in 0..SLOTS {
            let folder = cache.join("worktrees").join(&name).join(slot.to_string());
            create(&folder)?;
            let Some(lock) = try_lock(&folder.join("lock")).with_context(|| cannot("lock", &folder))? else { continue };
            let busy = SandboxLock::take(&folder.join(BUSY)).with_context(|| cannot("lock", &folder))?;
            let Some(mut busy) = busy else { continue };
            let (tree, trash) = (JobWorkTree::new(&folder), Trash::new(folder.join("trash")));
            let workspace = Workspace { folder, tree, trash, _lock: lock };
            if busy.is_unclean()? {
                workspace.throw_away()?;
                busy.all_ended()?;
            }
            return Ok(workspace);
        }
        let what = format!("{SLOTS} runs build or test this repository already");
        Err(Fault::new(FaultKind::GuardRun, what).hint("wait for one of them to end").into())
    }

    /// Empty folders for one command.
    pub fn dirs(&self, tool: &str, cache: BuildCache, reporters: &[(&str, &str)]) -> Result<JobDirs> {
        let scratch = self.folder.join("scratch");
        self.remove(&scratch)?;
        let [home, temp] = ["home", "tmp"].map(|name| scratch.join(name));
        for folder in [&home, &temp] {
            create(folder)?;
        }
        let base = self.folder.join(BUILT_BASE).join(tool);
        create(&base)?;
        let built = match cache {
            BuildCache::Update => base,
            BuildCache::Copy => {
                let built = self.folder.join("built").join(tool);
                self.remove(&built)?;
                if copy::copy(&base, &built).is_err() {
                    // A test of the base left something that cannot be copied. Building from nothing takes longer and is right.
                    self.remove(&base)?;
                    self.remove(&built)?;
                    create(&built)?;
                }
                built
            }
        };
        // What cannot be deleted now is tried again by the next run.
        let _ = self.trash.empty();
        Ok(JobDirs { home, temp, built, reporters: self.reporters(reporters)? })
    }

    fn reporters(&self, files: &[(&str, &str)]) -> Result<PathBuf> {
        let folder = self.folder.join("reporters");
        create(&folder)?;
        for (name, text) in files {
            fs::write(folder.join(name), text).with_context(|| cannot("write in", &folder))?;
        }
        Ok(folder)
    }

    /// The file that a sandbox's supervisor locks while there are processes.
    pub fn busy(&self) -> PathBuf {
        self.folder.join(BUSY)
    }

    /// Gives back the disk that a command used; the base's build folders stay.
    pub fn remove_work(&self) -> Result<()> {
        self.tree.throw_away()?;
        for name in ["scratch", "built"] {
            self.remove(&self.folder.join(name))?;
        }
        let _ = self.trash.empty();
        Ok(())
    }

    /// The next command finds new folders: other inodes, to which a process that outlived its sandbox has no rights.
    fn throw_away(&self) -> Result<()> {
        self.remove(&self.folder.join(BUILT_BASE))?;
        self.remove_work()
    }

    fn remove(&self, path: &Path) -> Result<()> {
        self.trash.take(path).with_context(|| cannot("remove", path))
    }
}

fn create(folder: &Path) -> Result<()> {
    let made = fs::DirBuilder::new().recursive(true).private().create(folder);
    made.with_context(|| cannot("make", folder))
}

fn cannot(what: &str, path: &Path) -> Fault {
    Fault::new(FaultKind::GuardRun, format!("cannot {what} {} for a build or a test run", path.display()))
}
