//! Reading what is remembered.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use guardhost_core::error::{Context, Result};
use jiff::Timestamp;

use super::PastRuling;
use super::store::{is_too_old, segments};

/// What a repository remembers.
#[derive(Debug, Clone, Default)]
pub struct Rulings {
    /// Oldest first.
    pub rulings: Vec<PastRuling>,
    /// Lines that could not be read: cut by the end of a process, or of a newer version.
    pub unread: usize,
}

/// Everything that is not too old.
///
/// # Errors
/// The files cannot be read.
pub fn read(state_dir: &Path, now: Timestamp) -> Result<Rulings> {
    let mut found: Vec<(Timestamp, PastRuling)> = Vec::new();
    let mut unread = 0;
    for segment in segments(state_dir)? {
        let bytes = match fs::read(&segment.path) {
            // Another process began a segment meanwhile, and removed this one.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            bytes => bytes.with_context(|| format!("cannot read {}", segment.path.display()))?,
        };
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let past = serde_json::from_slice::<PastRuling>(line).ok();
            match past.and_then(|past| Some((past.time.parse().ok()?, past))) {
                Some((time, _)) if is_too_old(time, now) => {}
                Some(past) => found.push(past),
                None => unread += 1,
            }
        }
    }
    // Of several processes, and of segments that were begun at once.
    found.sort_by_key(|(time, _)| *time);
    Ok(Rulings { rulings: found.into_iter().map(|(_, past)| past).collect(), unread })
}
