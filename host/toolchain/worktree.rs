//! A folder that holds one tree, and becomes another by what differs.
//!
//! What tests did to it is undone: a list says how every file lay on the disk when it was written, and what does not lie so any more is
//! written anew, what the tree does not have goes. The list is written last, so that a kill at any step costs work and never truth.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt, PermissionsExt};
use serde::{Deserialize, Serialize};

use guardhost_core::change::{FileMode, Objects, Oid, TreeEntry};
use guardhost_core::error::{Context, Fault, Kind, Result};

pub struct WorkTree {
    root: PathBuf,
    list: PathBuf,
}

/// How many files were written and how many removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExtraFiles {
    pub written: usize,
    pub removed: usize,
}

type Files = BTreeMap<Vec<u8>, TreeEntry>;
type Listed = BTreeMap<Vec<u8>, Written>;

/// A file as it was written.
struct Written {
    oid: String,
    mode: u32,
    stat: Stat,
    /// It was written so long before the list that whoever writes it again leaves a trace.
    sure: bool,
}

/// What the kernel changes with every write, whatever a program claims (`ctime`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stat {
    inode: u64,
    size: u64,
    changed: (i64, i64),
    mode: u32,
}

/// The list, as it is kept: paths are bytes, which JSON does not have.
#[derive(Serialize, Deserialize)]
struct List {
    files: Vec<(String, String, u32, Stat)>,
}

/// The clock of file systems ticks a hundred times a second or more: what was written within a tick of the list could be written again
/// without a trace, so that it is read and compared (git's own way with its index).
const TICK_NANOS: i64 = 20_000_000;

impl WorkTree {
    /// In `folder`, which is there for this alone.
    pub fn new(folder: &Path) -> Self {
        WorkTree { root: folder.join("tree"), list: folder.join("tree.json") }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes the folder hold exactly `tree`: submodules are empty folders.
    pub fn bring(&self, objects: &dyn Objects, tree: Oid) -> Result<ExtraFiles> {
        let wanted = files(objects, tree)?;
        let mut listed = self.listed();
        // Until the new list is there, none is: what it says of a file that is about to change would be wrong.
        remove_file(&self.list)?;
        fs::create_dir_all(&self.root).with_context(|| cannot("make", &self.root))?;
        let mut brought = ExtraFiles::default();
        listed.retain(|path, then| {
            wanted.get(path).is_some_and(|entry| entry.oid.to_string() == then.oid && entry.mode.raw() == then.mode)
        });
        let mut kept = Listed::new();
        sweep(&self.root, &mut Vec::new(), &mut listed, &mut kept, &wanted, &mut brought)?;
        let root =
            Dir::open_ambient_dir(&self.root, ambient_authority()).with_context(|| cannot("open", &self.root))?;
        for (path, entry) in &wanted {
            if kept.contains_key(path) {
                continue;
            }
            let name = Path::new(OsStr::from_bytes(path));
            write(&root, name, *entry, objects).with_context(|| cannot("write", name))?;
            brought.written += 1;
            if entry.mode != FileMode::Submodule {
                let stat = stat(&self.root.join(name)).with_context(|| cannot("look at", name))?;
                let (oid, mode) = (entry.oid.to_string(), entry.mode.raw());
                kept.insert(path.clone(), Written { oid, mode, stat, sure: false });
            }
        }
        self.keep(kept)?;
        Ok(brought)
    }

    /// Nothing when there is no list, or none that can be read: then everything is written.
    fn listed(&self) -> Listed {
        let Ok(bytes) = fs::read(&self.list) else { return Listed::new() };
        let Ok(List { files }) = serde_json::from_slice(&bytes) else { return Listed::new() };
        let written = fs::metadata(&self.list).map_or(0, |meta| nanos(meta.ctime(), meta.ctime_nsec()));
        let entry = |(path, oid, mode, stat): (String, String, u32, Stat)| {
            let sure = nanos(stat.changed.0, stat.changed.1) + TICK_NANOS < written;
            Some((unhex(&path)?, Written { oid, mode, stat, sure }))
        };
        files.into_iter().filter_map(entry).collect()
    }

    fn keep(&self, files: Listed) -> Result<()> {
        let files = files.into_iter().map(|(path, then)| (hex(&path), then.oid, then.mode, then.stat)).collect();
        let partial = self.list.with_extension("partial");
        fs::write(&partial, serde_json::to_vec(&List { files })?).with_context(|| cannot("write", &partial))?;
        fs::rename(&partial, &self.list).with_context(|| cannot("write", &self.list))
    }
}

/// Every file of the tree. A name that leaves the folder, or that git would take for its own, cannot come from git; it is refused again.
fn files(objects: &dyn Objects, tree: Oid) -> Result<Files> {
    let mut files = Files::new();
    let mut odd = None;
    objects.walk(tree, &mut |path, entry| {
        let is_odd = |part: &[u8]| matches!(part, b"" | b"." | b"..") || part.eq_ignore_ascii_case(b".git");
        if path.parts().any(is_odd) {
            odd = Some(path.clone());
        }
        files.insert(path.as_bytes().to_vec(), entry);
        odd.is_none()
    })?;
    match odd {
        None => Ok(files),
        Some(path) => Err(Fault::new(Kind::Git, format!("{path}: no file of a work tree has such a name")).into()),
    }
}

/// Removes what is not as listed; fills `kept`. Returns whether the folder is empty now.
fn sweep(
    folder: &Path,
    prefix: &mut Vec<u8>,
    listed: &mut Listed,
    kept: &mut Listed,
    wanted: &Files,
    brought: &mut ExtraFiles,
) -> Result<bool> {
    let mut empty = true;
    for entry in fs::read_dir(folder).with_context(|| cannot("read", folder))? {
        let entry = entry.with_context(|| cannot("read", folder))?;
        let (path, length) = (entry.path(), prefix.len());
        prefix.extend_from_slice(entry.file_name().as_bytes());
        let is_dir = entry.file_type().with_context(|| cannot("look at", &path))?.is_dir();
        let stays = if is_dir {
            open_up(&path)?;
            prefix.push(b'/');
            let emptied = sweep(&path, prefix, listed, kept, wanted, brought)?;
            prefix.pop();
            let is_module = wanted.get(prefix).is_some_and(|entry| entry.mode == FileMode::Submodule);
            if emptied && !is_module {
                fs::remove_dir(&path).with_context(|| cannot("remove", &path))?;
            }
            !emptied || is_module
        } else {
            let now = stat(&path).with_context(|| cannot("look at", &path))?;
            match listed
                .remove(prefix.as_slice())
                .filter(|then| then.stat == now && (then.sure || holds(&path, &then.oid)))
            {
                Some(as_listed) => kept.insert(prefix.clone(), as_listed).is_none(),
                None => {
                    remove_file(&path)?;
                    brought.removed += 1;
                    false
                }
            }
        };
        empty &= !stays;
        prefix.truncate(length);
    }
    Ok(empty)
}

/// Whether a file's content is the blob's. What cannot be read is not.
fn holds(path: &Path, oid: &str) -> bool {
    let link = fs::read_link(path).map(|target| target.into_os_string().into_encoded_bytes());
    let bytes = link.or_else(|_| fs::read(path));
    let hash = bytes.ok().and_then(|bytes| Oid::hash_object(git2::ObjectType::Blob, &bytes).ok());
    hash.is_some_and(|hash| hash.to_string() == oid)
}

/// A test may have locked a folder.
fn open_up(folder: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::symlink_metadata(folder).with_context(|| cannot("look at", folder))?.permissions().mode();
    if mode & 0o700 == 0o700 {
        return Ok(());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).with_context(|| cannot("open", folder))
}

/// Below `root` whatever links stand in the way: cap-std follows none that leaves it.
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
            // Whatever this process's mask is.
            Ok(file.set_permissions(cap_std::fs::Permissions::from_mode(mode))?)
        }
    }
}

fn stat(path: &Path) -> std::io::Result<Stat> {
    let meta = fs::symlink_metadata(path)?;
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
    Fault::new(Kind::GuardRun, format!("cannot {what} {} for a build or a test run", path.display()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
