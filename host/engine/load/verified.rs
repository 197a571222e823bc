//! Which entries of the cache were read and authenticated since this machine was started. Hashing the compiled code of ten guards takes
//! longer than all the rest of a check; a file that kept its inode and its times since it was hashed has the same bytes.
//!
//! This trusts what `git status` trusts. Other users cannot write in the folder; whoever can runs code as this user without it. A loss of
//! power, after which a file may be there without its bytes, begins a new start of the machine.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use guardhost_os::{STAMPS_CHANGES, Stat};

/// Files that begin with a dot are never pruned. Rewritten whole.
pub(super) const FILE: &str = ".verified";

/// A file that was changed so lately may be changed again without another time; it is hashed again by the next process.
const SETTLED: Duration = Duration::from_secs(2);

/// Entries that are remembered: more than fit into the folder.
const MOST: usize = 4096;

/// What changes with every write to a file, as text: device, inode, size, time of change of its content and of its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp(String);

impl Stamp {
    /// None for a file that may be changed without a trace.
    pub fn from_metadata(data: &Metadata) -> Option<Self> {
        let changed =
            UNIX_EPOCH + Duration::new(u64::try_from(data.ctime()).ok()?, u32::try_from(data.ctime_nsec()).ok()?);
        let settled = SystemTime::now().duration_since(changed).is_ok_and(|age| age > SETTLED);
        (STAMPS_CHANGES && settled).then(|| {
            Stamp(format!(
                "{} {} {} {}.{:09} {}.{:09}",
                data.dev(),
                data.ino(),
                data.size(),
                data.mtime(),
                data.mtime_nsec(),
                data.ctime(),
                data.ctime_nsec()
            ))
        })
    }
}

/// The stamps that entries had when they were hashed, by name.
#[derive(Debug, Default)]
pub(super) struct Verified(BTreeMap<String, Stamp>);

impl Verified {
    /// `text` is authenticated. Nothing of another start of the machine counts.
    pub fn read(text: &str) -> Self {
        let mut lines = text.lines();
        if boot().is_none_or(|boot| lines.next() != Some(boot.as_str())) {
            return Verified::default();
        }
        let stamp = |line: &str| line.split_once(' ').map(|(name, stamp)| (name.to_owned(), Stamp(stamp.to_owned())));
        Verified(lines.filter_map(stamp).collect())
    }

    pub fn has(&self, name: &str, stamp: &Stamp) -> bool {
        self.0.get(name) == Some(stamp)
    }

    pub fn add(&mut self, name: &str, stamp: Stamp) {
        self.0.insert(name.to_owned(), stamp);
    }

    /// What [`Verified::read`] reads, of the entries that are still in `folder`; None when the machine does not tell its starts apart.
    pub fn text(&self, folder: &Path) -> Option<String> {
        let mut text = boot()? + "\n";
        let there = self.0.iter().filter(|(name, _)| fs::symlink_metadata(folder.join(name)).is_ok());
        there.take(MOST).for_each(|(name, Stamp(stamp))| text.push_str(&format!("{name} {stamp}\n")));
        Some(text)
    }
}

/// Linux makes another at each start.
fn boot() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}
