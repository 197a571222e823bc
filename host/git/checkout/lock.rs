//! The right to change files of a work tree, and the folder of what is prepared for that.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use guardhost_os::{Private, check_regular, is_at, mount, set_file_mode, slashed, sync_folder};
use uuid::Uuid;

use super::work_tree::{WorkTree, parents};
use crate::Repo;
use guardhost_core::change::{DiskStep, Event, Observer, RepoPath};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

/// How long a host waits for another one that changes files of the same work tree.
const PATIENCE: Duration = Duration::from_secs(60);

/// The names of staging folders in a work tree begin so, and go on with 32 hexadecimal digits.
const PREFIX: &str = ".guardhost-";

/// Held by the one host that changes files of a work tree. The kernel releases it when the process ends, however it ends, so that
/// whatever lies in its folder while nobody holds it was left by a process that was killed.
///
/// All temporary files are in that folder, `guardhost/place` of the work tree's own git directory (linked work trees have one
/// each). For a directory of the work tree that is mounted from elsewhere, where a file cannot be renamed to from there, a second
/// staging folder is made at the top of that mount, with a `.gitignore` that covers it.
pub struct WorkTreeLock<'a> {
    file: PathBuf,
    _held: File,
    folder: PathBuf,
    work_tree: WorkTree,
    workdir: PathBuf,
    staging: Vec<Staging>,
    recovery: Option<String>,
    observer: &'a dyn Observer,
}

/// A folder from which files can be renamed to some of the work tree's directories.
pub(super) struct Staging {
    pub dir: Dir,
    pub path: PathBuf,
    mount: MountId,
}

/// A device, and the mount of it: renames work within one mount only.
type MountId = (u64, u64);

/// Finishes or undoes an interrupted change, and says what was done; None when there was none.
pub(super) type FinishCheckout = fn(&WorkTreeLock<'_>, &dyn Observer) -> Result<Option<String>>;

impl<'a> WorkTreeLock<'a> {
    /// Waits while another host changes files. Then calls `finish` if a host that was killed left something, which `observer` sees as a
    /// notice.
    ///
    /// Errors ([`FaultKind::Git`]): a bare repository, a git directory that cannot be written, those of `finish`.
    pub(super) fn wait(repo: &Repo, observer: &'a dyn Observer, finish: FinishCheckout) -> Result<Self> {
        let workdir = super::workdir(repo)?.to_path_buf();
        let state = repo.work_tree_state_dir()?;
        let (file, folder) = (state.join(LOCK), state.join(FOLDER));
        let held = wait_for(&file)?;
        let lock_failed = || Fault::new(FaultKind::Git, format!("cannot prepare {}", folder.display()));
        let work_tree = WorkTree::open(&workdir)?;
        let mut lock = WorkTreeLock {
            file,
            _held: held,
            folder: folder.clone(),
            work_tree,
            workdir,
            staging: Vec::new(),
            recovery: None,
            observer,
        };
        if folder.exists() {
            lock.open_staging().with_context(lock_failed)?;
            let recovered = finish(&lock, observer)?;
            recovered.iter().for_each(|text| observer.see(&Event::Notice { text: text.clone() }));
            lock.recovery =
                Some(recovered.unwrap_or_else(|| "temporary files of a killed host are removed".to_owned()));
            lock.sweep().with_context(lock_failed)?;
        }
        fs::DirBuilder::new().private().create(&folder).with_context(lock_failed)?;
        lock.open_staging().with_context(lock_failed)?;
        Ok(lock)
    }

    /// What was done about a killed host's work when the lock was taken; None when there was nothing to do.
    pub(super) fn recovery(&self) -> Option<&str> {
        self.recovery.as_deref()
    }

    /// A folder from which a file can be renamed to `path`. What is left in it is removed with the lock.
    pub fn staging_dir(&mut self, path: &RepoPath) -> Result<Dir> {
        let number = self.staging_for(path)?;
        let opened = self.staging[number].dir.try_clone();
        opened.with_context(|| Fault::new(FaultKind::Git, format!("cannot prepare {path}")))
    }

    /// Writes a file whole: a reader sees the old content or the new one. Makes its directories, and syncs it.
    pub fn write(&mut self, path: &RepoPath, bytes: &[u8]) -> Result<()> {
        let staging = self.staging_dir(path)?;
        let write = || -> io::Result<()> {
            let name = Path::new("file");
            let mut file = staging.create(name)?;
            file.write_all(bytes)?;
            set_file_mode(&file, 0o644)?;
            file.sync_all()?;
            self.observer.disk(&DiskStep::Changed);
            if let Some(parent) = parents(path).next_back() {
                self.work_tree.root.create_dir_all(parent.to_os())?;
            }
            let (dir, _) = self.work_tree.open_parent(path)?;
            staging.rename(name, &self.work_tree.root, path.to_os())?;
            self.observer.disk(&DiskStep::Changed);
            sync_folder(&dir)
        };
        write().with_context(|| Fault::new(FaultKind::Git, format!("cannot write {path}")))
    }

    pub(super) fn staging(&self) -> &[Staging] {
        &self.staging
    }

    pub(super) fn work_tree(&self) -> &WorkTree {
        &self.work_tree
    }

    /// The folder in the git directory.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }

    /// The number of the staging folder for `path`.
    pub(super) fn staging_for(&mut self, path: &RepoPath) -> Result<usize> {
        self.find_staging(path).with_context(|| Fault::new(FaultKind::Git, format!("cannot prepare {path}")))
    }

    fn find_staging(&mut self, path: &RepoPath) -> io::Result<usize> {
        let mut above = vec![(RepoPath::from(""), mount(&self.work_tree.root)?)];
        for parent in parents(path) {
            match self.work_tree.root.symlink_metadata(parent.to_os()) {
                Ok(data) if data.is_dir() => {
                    let dir = self.work_tree.root.open_dir(parent.to_os())?;
                    above.push((parent, mount(&dir)?));
                }
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::NotFound => break,
                Err(error) => return Err(error),
            }
        }
        let target = above.last().map(|(_, mount)| *mount).unwrap_or_default();
        if let Some(number) = self.staging.iter().position(|staging| staging.mount == target) {
            return Ok(number);
        }
        let top = above.iter().find(|(_, mount)| *mount == target).map(|(dir, _)| dir.to_os()).unwrap_or_default();
        let dir = top.join(format!("{PREFIX}{}", Uuid::now_v7().simple()));
        // The list first: what it names is removed, also when this process is killed.
        let mut list = File::options().create(true).append(true).open(self.elsewhere())?;
        list.write_all(&[slashed(&dir).as_slice(), b"\0"].concat())?;
        list.sync_all()?;
        self.work_tree.root.create_dir(&dir)?;
        self.work_tree.root.write(dir.join(".gitignore"), "*\n")?;
        self.staging.push(Staging::open(&self.workdir.join(&dir))?);
        Ok(self.staging.len() - 1)
    }

    /// Lists the staging folders in the work tree, relative to its root, each with a NUL.
    fn elsewhere(&self) -> PathBuf {
        self.folder.join("elsewhere")
    }

    fn elsewhere_dirs(&self) -> io::Result<Vec<PathBuf>> {
        let bytes = match fs::read(self.elsewhere()) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let whole = bytes.rsplitn(2, |byte| *byte == 0).nth(1).unwrap_or_default();
        let dirs = whole.split(|byte| *byte == 0).map(|dir| RepoPath::new(dir).to_os());
        Ok(dirs.filter(|dir| dir.file_name().is_some_and(|name| is_staging_name(name.as_encoded_bytes()))).collect())
    }

    fn open_staging(&mut self) -> io::Result<()> {
        let mut staging = vec![Staging::open(&self.folder)?];
        for dir in self.elsewhere_dirs()? {
            match self.work_tree.root.create_dir(&dir) {
                // Named before it is made, so it may be missing. The journal knows each by its number in the list.
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => staging.push(Staging::open(&self.workdir.join(dir))?),
            }
        }
        self.staging = staging;
        Ok(())
    }

    /// Removes the staging folders with all that is in them.
    fn sweep(&mut self) -> io::Result<()> {
        let gone = |removed: io::Result<()>| match removed {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            other => other,
        };
        self.staging.clear();
        for dir in self.elsewhere_dirs()? {
            gone(self.work_tree.root.remove_dir_all(&dir))?;
        }
        gone(fs::remove_dir_all(&self.folder))
    }
}

impl Drop for WorkTreeLock<'_> {
    fn drop(&mut self) {
        // With a journal, the change is in the middle: the next host needs the folder to undo it.
        if !self.journal().exists() {
            // What cannot be removed is removed by the next host.
            let _ = self.sweep();
        }
        let _ = fs::remove_file(&self.file);
    }
}

/// The names of the lock file and of the folder, below the state of the work tree.
pub(super) const LOCK: &str = "place.lock";
pub(super) const FOLDER: &str = "place";

/// Whether a part of a path is the name of a staging folder.
pub(crate) fn is_staging_name(name: &[u8]) -> bool {
    let digits = name.strip_prefix(PREFIX.as_bytes()).unwrap_or_default();
    digits.len() == 32 && digits.iter().all(u8::is_ascii_hexdigit)
}

impl Staging {
    fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())?;
        Ok(Staging { mount: mount(&dir)?, dir, path: path.to_path_buf() })
    }
}

/// Opens and locks the file. A host removes it before it releases the lock, so another one may wait for a file that is gone.
fn wait_for(path: &Path) -> Result<File> {
    let begun = Instant::now();
    let try_lock = || -> io::Result<Option<File>> {
        check_regular(path)?;
        let file = File::options().create(true).append(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Ok(None),
            Err(fs::TryLockError::Error(error)) => return Err(error),
        }
        let same = is_at(&file, path);
        Ok(same.then_some(file))
    };
    loop {
        let cannot = || Fault::new(FaultKind::Git, format!("cannot lock {}", path.display()));
        if let Some(file) = try_lock().with_context(cannot)? {
            return Ok(file);
        }
        if begun.elapsed() > PATIENCE {
            return Err(Fault::new(FaultKind::Git, "another host is changing files of this work tree")
                .hint("try again when it has ended")
                .into());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
