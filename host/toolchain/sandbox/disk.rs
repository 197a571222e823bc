//! The limit on what a command writes. Counting files takes long where there are many, so they are counted only after the file system
//! has lost much of its free space.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::fs::StatVfs;

use super::limits::SandboxLimits;
use crate::files::{DiskUsage, usage};

/// Of the time that passes, the part that may be spent on counting is one in this many.
const SHARE: u32 = 20;

pub struct DiskWatch<'a> {
    folders: &'a [PathBuf],
    most: DiskUsage,
    /// When the command started.
    free: Option<Free>,
    not_before: Instant,
}

#[derive(Clone, Copy)]
struct Free {
    bytes: u64,
    files: u64,
}

impl<'a> DiskWatch<'a> {
    pub fn new(folders: &'a [PathBuf], limits: &SandboxLimits) -> Self {
        let most = DiskUsage { bytes: limits.disk, files: limits.files, too_deep: false };
        let mut watch = DiskWatch { folders, most, free: None, not_before: Instant::now() };
        watch.free = watch.free_now();
        watch
    }

    /// What was exceeded.
    pub fn exceeded(&mut self) -> Option<String> {
        let (then, now) = self.free.zip(self.free_now())?;
        let lost = |then: u64, now: u64, most: u64| then.saturating_sub(now) > most / 8;
        let suspicious = lost(then.bytes, now.bytes, self.most.bytes) || lost(then.files, now.files, self.most.files);
        if !suspicious || Instant::now() < self.not_before {
            return None;
        }
        let begun = Instant::now();
        let used = usage(self.folders, self.most);
        self.not_before = Instant::now() + begun.elapsed().max(Duration::from_millis(5)) * SHARE;
        if used.bytes > self.most.bytes {
            return Some(format!("its files took more than {} MiB of the disk", self.most.bytes >> 20));
        }
        if used.files > self.most.files {
            return Some(format!("it made more than {} files", self.most.files));
        }
        used.too_deep.then(|| "it made folders too deep in one another to be counted".to_owned())
    }

    fn free_now(&self) -> Option<Free> {
        let StatVfs { f_bavail, f_frsize, f_favail, .. } = rustix::fs::statvfs(self.folders.first()?).ok()?;
        Some(Free { bytes: f_bavail.saturating_mul(f_frsize), files: f_favail })
    }
}
