//! A folder that holds the files of one tree. Checking out another tree writes only the files that differ.
//!
//! Changes that tests made are undone. A list holds every file's stat data from when it was written: a file with other stat data is
//! written again, and a file that the tree lacks is removed. The list is written last, so that a kill at any step costs time and
//! never leaves a wrong file.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsStr};
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, MetadataExt as _, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use super::files::{Trash, make_accessible, open_folder};

use guardhost_core::change::{FileMode, Objects, Oid, TreeEntry};
use guardhost_core::error::{Context, Fault, FaultKind, Result};

pub struct JobWorkTree {
    root: PathBuf,
    list: PathBuf,
    trash: Trash,
}

/// What a checkout did, in files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CheckoutStats {
    pub written: usize,
    pub removed: usize,
}

type Files = BTreeMap<Vec<u8>, TreeEntry>;
type Listed = BTreeMap<Vec<u8>, WrittenFile>;

/// A file when it was written.
struct WrittenFile {
    oid: String,
    mode: u32,
    stat: Stat,
    /// It was written so long before the list that a later write must have changed its stat data.
    stat_is_proof: bool,
}

/// Contains `ctime`, which the kernel changes with every write and no program can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stat {
    inode: u64,
    size: u64,
    changed: (i64, i64),
    mode: u32,
}

/// The list's file. Paths are hexadecimal, because they are bytes and JSON has only text.
#[derive(Serialize, Deserialize)]
struct List {
    files: Vec<(String, String, u32, Stat)>,
}

/// File systems' clocks tick a hundred times a second or more. A file that was written within a tick of the list could be written again
/// without a change of its stat data, so its content is compared (as git does with its index).
const TICK_NANOS: i64 = 20_000_000;

impl JobWorkTree {
    /// `folder` must hold nothing else.
    pub fn new(folder: &Path) -> Self {
        let trash = Trash::new(folder.join("trash"));
        JobWorkTree { root: folder.join("tree"), list: folder.join("tree.json"), trash }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes the folder hold exactly `tree`. Submodules become empty folders. A folder that cannot be cleaned is thrown away, and made
    /// again.
    pub fn check_out(&self, objects: &dyn Objects, tree: Oid) -> Result<CheckoutStats> {
        let wanted = files(objects, tree)?;
        let stats = match self.update(objects, &wanted) {
            Ok(stats) => stats,
            Err(_) => {
                self.throw_away()?;
                self.update(objects, &wanted)?
            }
        };
        // What cannot be deleted now is tried again by the next run.
        let _ = self.trash.empty();
        Ok(stats)
    }

    /// The next checkout makes a new folder: another inode, to which a process that outlived its sandbox has no rights.
    pub fn throw_away(&self) -> Result<()> {
        remove_file(&self.list)?;
        self.trash.take(&self.root).with_context(|| cannot("move away", &self.root))
    }

    fn update(&self, objects: &dyn Objects, wanted: &Files) -> Result<CheckoutStats> {
        let listed = self.listed();
        // Removed first: it would be wrong about files that are about to change, if this process were killed.
        remove_file(&self.list)?;
        fs::create_dir_all(&self.root).with_context(|| cannot("make", &self.root))?;
        fs::set_permissions(&self.root, fs::Permissions::from_mode(0o700))
            .with_context(|| cannot("open", &self.root))?;
        let root =
            Dir::open_ambient_dir(&self.root, ambient_authority()).with_context(|| cannot("open", &self.root))?;
        let mut sweep = Sweep::new(&self.trash, wanted, listed);
        sweep.folder(&root, &mut Vec::new()).with_context(|| cannot("clean", &self.root))?;
        let Sweep { mut kept, removed, .. } = sweep;
        let mut stats = CheckoutStats { removed, written: 0 };
        for (path, entry) in wanted {
            if kept.contains_key(path) {
                continue;
            }
            let name = Path::new(OsStr::from_bytes(path));
            write(&root, name, *entry, objects).with_context(|| cannot("write", name))?;
            stats.written += 1;
            if entry.mode != FileMode::Submodule {
                let stat = stat(&root, name).with_context(|| cannot("look at", name))?;
                let (oid, mode) = (entry.oid.to_string(), entry.mode.raw());
                kept.insert(path.clone(), WrittenFile { oid, mode, stat, stat_is_proof: false });
            }
        }
        self.save_list(kept)?;
        Ok(stats)
    }

    /// Empty when there is no list, or none that can be read: then every file is written.
    fn listed(&self) -> Listed {
        let Ok(bytes) = fs::read(&self.list) else { return Listed::new() };
        let Ok(List { files }) = serde_json::from_slice(&bytes) else { return Listed::new() };
        let written = fs::metadata(&self.list).map_or(0, |meta| nanos(meta.ctime(), meta.ctime_nsec()));
        let entry = |(path, oid, mode, stat): (String, String, u32, Stat)| {
            let stat_is_proof = nanos(stat.changed.0, stat.changed.1) + TICK_NANOS < written;
            Some((unhex(&path)?, WrittenFile { oid, mode, stat, stat_is_proof }))
        };
        files.into_iter().filter_map(entry).collect()
    }

    fn save_list(&self, files: Listed) -> Result<()> {
        let files = files.into_iter().map(|(path, then)| (hex(&path), then.oid, then.mode, then.stat)).collect();
        let partial = self.list.with_extension("partial");
        fs::write(&partial, serde_json::to_vec(&List { files })?).with_context(|| cannot("write", &partial))?;
        fs::rename(&partial, &self.list).with_context(|| cannot("write", &self.list))
    }
}

/// Every file of the tree. Errors: a path that leads out of the folder or into `.git`. Git makes no such tree; this is a second check.
fn files(objects: &dyn Objects, tree: Oid) -> Result<Files> {
    let mut files = Files::new();
    let mut forbidden = None;
    objects.walk(tree, &mut |path, entry| {
        let is_forbidden = |part: &[u8]| matches!(part, b"" | b"." | b"..") || part.eq_ignore_ascii_case(b".git");
        if path.parts().any(is_forbidden) {
            forbidden = Some(path.clone());
        }
        files.insert(path.as_bytes().to_vec(), entry);
        forbidden.is_none()
    })?;
    match forbidden {
        None => Ok(files),
        Some(path) => Err(Fault::new(FaultKind::Git, format!("{path}: no file of a work tree has such a name")).into()),
    }
}

/// What [`Sweep::folder`] compares a work tree with, and what it finds.
struct Sweep<'a> {
    trash: &'a Trash,
    /// The folders that the tree has. No other one is looked into: a test may have made it as deep as it liked.
    folders: BTreeSet<Vec<u8>>,
    listed: Listed,
    kept: Listed,
    removed: usize,
}

impl<'a> Sweep<'a> {
    fn new(trash: &'a Trash, wanted: &Files, mut listed: Listed) -> Self {
        listed.retain(|path, then| {
            wanted.get(path).is_some_and(|entry| entry.oid.to_string() == then.oid && entry.mode.raw() == then.mode)
        });
        let mut folders = BTreeSet::new();
        for (path, entry) in wanted {
            let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
            folders.extend(ends.map(|end| path[..end].to_vec()));
            if entry.mode == FileMode::Submodule {
                folders.insert(path.clone());
            }
        }
        Sweep { trash, folders, listed, kept: Listed::new(), removed: 0 }
    }

    /// Removes what is not as listed, and moves the rest of the list to `kept`. `prefix` is the folder's path, with a `/` at its end.
    fn folder(&mut self, folder: &Dir, prefix: &mut Vec<u8>) -> std::io::Result<()> {
        for entry in folder.entries()? {
            let entry = entry?;
            let (name, length) = (entry.file_name(), prefix.len());
            prefix.extend_from_slice(name.as_bytes());
            if entry.file_type()?.is_dir() && self.folders.contains(prefix.as_slice()) {
                let name = CString::new(name.as_bytes())?;
                make_accessible(folder, &name)?;
                let inner = Dir::from_std_file(open_folder(folder, &*name)?.into());
                prefix.push(b'/');
                self.folder(&inner, prefix)?;
            } else if !self.keeps(folder, &name, prefix)? {
                self.trash.take_from(folder, &CString::new(name.as_bytes())?)?;
                self.removed += 1;
            }
            prefix.truncate(length);
        }
        Ok(())
    }

    fn keeps(&mut self, folder: &Dir, name: &OsStr, path: &[u8]) -> std::io::Result<bool> {
        let Some(then) = self.listed.remove(path) else { return Ok(false) };
        let is_same = then.stat == stat(folder, name)? && (then.stat_is_proof || has_content(folder, name, &then.oid));
        if is_same {
            self.kept.insert(path.to_vec(), then);
        }
        Ok(is_same)
    }
}

/// Whether a file's content is the blob's; false when it cannot be read.
fn has_content(folder: &Dir, name: &OsStr, oid: &str) -> bool {
    let link = folder.read_link_contents(name).map(|target| target.into_os_string().into_encoded_bytes());
    let bytes = link.or_else(|_| {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file = fs::File::from(rustix::fs::openat(folder, name, flags, rustix::fs::Mode::empty())?);
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map(|_| bytes)
    });
    let hash = bytes.ok().and_then(|bytes| Oid::hash_object(git2::ObjectType::Blob, &bytes).ok());
    hash.is_some_and(|hash| hash.to_string() == oid)
}

/// Stays below `root`: cap-std follows no symbolic link that leads out of it.
fn write(root: &Dir, name: &Path, entry: TreeEntry, objects: &dyn Objects) -> Result<()> {
    if let Some(parent) = name.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        root.create_dir_all(parent)?;
    }
    match entry.mode {
        FileMode::Submodule => Ok(root.create_dir_all(name)?),
        FileMode::Symlink => {
            let target = objects.blob(entry.oid)?;
            Ok(root.symlink_contents(Path::new(OsStr::from_bytes(&target)), name)?)
        }
        FileMode::File | FileMode::Executable => {
            let mode = if entry.mode == FileMode::Executable { 0o755 } else { 0o644 };
            let bytes = objects.blob(entry.oid)?;
            let mut file = root.open_with(name, OpenOptions::new().write(true).create_new(true).mode(mode))?;
            file.write_all(&bytes)?;
            // Regardless of this process's umask.
            let mode = cap_std::fs::PermissionsExt::from_mode(mode);
            Ok(file.set_permissions(mode)?)
        }
    }
}

fn stat(folder: &Dir, name: impl AsRef<Path>) -> std::io::Result<Stat> {
    let meta = folder.symlink_metadata(name)?;
    Ok(Stat { inode: meta.ino(), size: meta.size(), changed: (meta.ctime(), meta.ctime_nsec()), mode: meta.mode() })
}

fn nanos(seconds: i64, nanos: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

fn remove_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error).with_context(|| cannot("remove", path)),
        _ => Ok(()),
    }
}

fn cannot(what: &str, path: &Path) -> Fault {
    Fault::new(FaultKind::GuardRun, format!("cannot {what} {} for a build or a test run", path.display()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
