//! One look at the files of a repository, and what differs between two.
//!
//! The kernel sets the time of a file's last change, and no program can set it back. But a write through shared memory is stamped by some
//! file systems only, and a clock has ticks. So files are compared by content too, where the file system is not known to stamp such a
//! write, and where the last change was right before the first look.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use guardhost_os::{Links, Stat, device_of, is_no_file, is_special, open_without_waiting, stamps_every_write};

/// Bytes of a file that is read whole: more than a million packed refs.
const LARGEST: u64 = 128 << 20;

/// More than a tick of the clock by which a kernel stamps files.
const TICKS: Duration = Duration::from_millis(100);

/// What was found, by the names that a person would use: `HEAD`, `refs/heads/main`, `.git/config`, `src/lib.rs`.
pub(super) type LookState = BTreeMap<PathBuf, LookStamp>;

#[derive(PartialEq, Eq)]
pub(super) enum LookStamp {
    /// What HEAD or a ref says.
    Text(Vec<u8>),
    /// The hash of what an index says.
    Staged(u64),
    /// A regular file or a symbolic link.
    File {
        mode: u32,
        size: u64,
        /// Device and inode.
        identity: (u64, u64),
        /// Seconds and nanoseconds.
        changed: (i64, i64),
        /// Its hash. None: the stamp is enough.
        content: Option<u64>,
    },
    Folder {
        mode: u32,
    },
    /// A FIFO, a socket or a device.
    Special {
        mode: u32,
        identity: (u64, u64),
        device: u64,
    },
}

/// What is not as it was, sorted; with `(new)` or `(removed)`.
pub(super) fn changes(before: &LookState, mut after: LookState) -> Vec<String> {
    let mut found = Vec::new();
    for (path, stamp) in before {
        match after.remove(path) {
            Some(now) if now == *stamp => {}
            Some(_) => found.push(path.display().to_string()),
            None => found.push(format!("{} (removed)", path.display())),
        }
    }
    found.extend(after.into_keys().map(|path| format!("{} (new)", path.display())));
    found.sort();
    found
}

pub(super) struct Look<'a> {
    pub(super) found: LookState,
    pub(super) hasher: &'a RandomState,
    moment: LookMoment<'a>,
    /// Whether the file system of a device stamps every write.
    devices: HashMap<u64, bool>,
}

enum LookMoment<'a> {
    /// Files that changed since (in seconds and nanoseconds) are compared by content.
    First {
        recent: (i64, i64),
    },
    Second {
        before: &'a LookState,
    },
}

impl<'a> Look<'a> {
    pub(super) fn first(hasher: &'a RandomState) -> Self {
        let recent = SystemTime::now() - TICKS;
        let recent = recent.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let recent = (recent.as_secs().cast_signed(), i64::from(recent.subsec_nanos()));
        Look { found: LookState::new(), hasher, moment: LookMoment::First { recent }, devices: HashMap::new() }
    }

    pub(super) fn second(hasher: &'a RandomState, before: &'a LookState) -> Self {
        Look { found: LookState::new(), hasher, moment: LookMoment::Second { before }, devices: HashMap::new() }
    }

    /// Everything at and below a path; a folder's entries only if `enters` says so of its name.
    pub(super) fn tree(&mut self, path: &Path, name: &Path, enters: &dyn Fn(&Path) -> bool) -> io::Result<()> {
        // Folders may nest deeper than a stack allows.
        let mut waiting = vec![(path.to_owned(), name.to_owned())];
        while let Some((path, name)) = waiting.pop() {
            let Some(data) = or_none(fs::symlink_metadata(&path))? else { continue };
            if data.is_dir() && enters(&name) {
                for entry in or_none(fs::read_dir(&path))?.into_iter().flatten() {
                    let entry = entry?.file_name();
                    waiting.push((path.join(&entry), name.join(&entry)));
                }
            }
            let stamp = self.stamp(&path, &name, &data)?;
            self.found.insert(name, stamp);
        }
        Ok(())
    }

    /// What a small file says, without white space around it; of anything but a regular file, its stamp.
    pub(super) fn text(&mut self, path: &Path, name: &Path) -> io::Result<()> {
        match read_regular(path)? {
            Some(text) => {
                self.found.insert(name.to_owned(), LookStamp::Text(text.trim_ascii().to_owned()));
                Ok(())
            }
            None => self.tree(path, name, &|_| false),
        }
    }

    fn stamp(&mut self, path: &Path, name: &Path, data: &Metadata) -> io::Result<LookStamp> {
        let (mode, identity) = (data.mode(), (data.dev(), data.ino()));
        let kind = data.file_type();
        if kind.is_dir() {
            return Ok(LookStamp::Folder { mode });
        }
        if is_special(kind) {
            return Ok(LookStamp::Special { mode, identity, device: device_of(data) });
        }
        let (size, changed) = (data.size(), (data.ctime(), data.ctime_nsec()));
        let file = |content| LookStamp::File { mode, size, identity, changed, content };
        let is_compared = kind.is_file()
            && match &self.moment {
                LookMoment::First { recent } => changed >= *recent || !self.stamps_every_write(path, data.dev()),
                // With another stamp it has changed anyway, and may have any size.
                LookMoment::Second { before } => match before.get(name) {
                    Some(before @ LookStamp::File { content: content @ Some(_), .. }) => *before == file(*content),
                    _ => false,
                },
            };
        let content = if is_compared { self.content(path)? } else { None };
        Ok(file(content))
    }

    /// False also for a file system that cannot be asked.
    fn stamps_every_write(&mut self, path: &Path, device: u64) -> bool {
        *self.devices.entry(device).or_insert_with(|| stamps_every_write(path))
    }

    /// None for what cannot be read, and so not be mapped for writing either.
    fn content(&self, path: &Path) -> io::Result<Option<u64>> {
        let mut file = match open(path, Links::Refuse) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut hasher = self.hasher.build_hasher();
        let mut chunk = vec![0; 64 << 10];
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(Some(hasher.finish())),
                read => hasher.write(&chunk[..read]),
            }
        }
    }
}

/// Nothing waits for another end, as it would at a FIFO. None for what is not there, and for anything but a regular file.
fn open(path: &Path, links: Links) -> io::Result<Option<File>> {
    match or_none(open_without_waiting(path, links)) {
        Ok(Some(file)) => Ok(file.metadata()?.is_file().then_some(file)),
        Err(error) if is_no_file(&error) => Ok(None),
        other => other,
    }
}

/// None for what is not there, for anything but a regular file, and for one that is larger than any that git writes.
pub(super) fn read_regular(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(path, Links::Follow)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= LARGEST))
}

/// None for what is not there, or is gone by now.
pub(super) fn or_none<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
