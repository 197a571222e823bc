//! The files: where a line goes, and what is removed.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use guardhost_core::error::{Context, Error, Result};
use jiff::{SignedDuration, Timestamp};

use super::PastRuling;
use crate::journal::{append_to, cannot_write, private_dir};

/// Bytes of a segment, from which another one is begun.
const SEGMENT: u64 = 512 << 10;
/// Segments that are kept: 8 MiB, about ten thousand rulings.
const SEGMENTS: usize = 16;
/// Days from which on another segment is begun.
const SPAN: i64 = 30;
/// Days after which a ruling is not shown, and its segment removed when the next is begun.
const AGE: i64 = 400;

/// # Errors
/// The line cannot be written.
pub(super) fn append(state_dir: &Path, past: &PastRuling, now: Timestamp) -> Result<()> {
    let folder = folder(state_dir);
    // The folder above is private as well, whoever makes it first.
    private_dir().recursive(true).create(&folder).map_err(|error| cannot_write(&folder, error))?;
    let known = segments(state_dir)?;
    let is_open = |segment: &&Segment| {
        let is_young = segment.begun + SignedDuration::from_hours(24 * SPAN) > now;
        is_young && fs::metadata(&segment.path).is_ok_and(|data| data.len() < SEGMENT)
    };
    let path = match known.last().filter(is_open) {
        Some(segment) => segment.path.clone(),
        None => {
            remove_surplus(&known, now);
            folder.join(format!("{:013}.{ENDING}", now.as_millisecond()))
        }
    };
    let line = serde_json::to_string(past).context("a ruling cannot be written as JSON")?;
    let write = || append_to(&path)?.write_all(format!("\n{line}\n").as_bytes());
    write().map_err(|error| cannot_write(&path, error))
}

/// Before another segment is begun.
fn remove_surplus(known: &[Segment], now: Timestamp) {
    let surplus = (known.len() + 1).saturating_sub(SEGMENTS);
    // A segment ends where the next begins.
    let ends = known.iter().skip(1).map(|next| next.begun).chain([now]);
    for (at, (segment, end)) in known.iter().zip(ends).enumerate() {
        if at < surplus || is_too_old(end, now) {
            // Another process may have removed it; one that cannot be removed is tried again with the next segment.
            let _ = fs::remove_file(&segment.path);
        }
    }
}

pub(super) fn is_too_old(time: Timestamp, now: Timestamp) -> bool {
    time + SignedDuration::from_hours(24 * AGE) < now
}

/// A file of rulings.
pub(super) struct Segment {
    begun: Timestamp,
    pub path: PathBuf,
}

const ENDING: &str = "jsonl";

fn folder(state_dir: &Path) -> PathBuf {
    state_dir.join("rulings")
}

/// Oldest first. What has another name was not made by the host.
pub(super) fn segments(state_dir: &Path) -> Result<Vec<Segment>> {
    let folder = folder(state_dir);
    let cannot = |error: std::io::Error| Error::new(error).context(format!("cannot read {}", folder.display()));
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(cannot)?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(cannot)?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
        let begun = stem.and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok());
        if let (Some(begun), true) = (begun, path.extension().is_some_and(|ending| ending == ENDING)) {
            found.push(Segment { begun, path });
        }
    }
    found.sort_by_key(|segment| segment.begun);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use guardhost_core::change::{RememberedRuling, RememberedVerdict, RulingMemory};

    use super::super::{RulingLog, read};
    use super::*;

    fn log(dir: &std::path::Path) -> RulingLog {
        RulingLog { state_dir: dir.join("guardhost"), agent: Some("claude".to_owned()) }
    }

    fn ruling(tree: &str) -> RememberedRuling {
        RememberedRuling { tree: tree.to_owned(), verdict: RememberedVerdict::Accepted, ..RememberedRuling::default() }
    }

    #[test]
    fn lines_of_several_writers_do_not_mix_and_a_cut_one_costs_no_other() {
        let dir = tempfile::tempdir().expect("a folder");
        let log = log(dir.path());
        log.remember(&ruling("first")).expect("written");
        let only = &segments(&log.state_dir).expect("read")[0].path;
        // As a process leaves it that is killed in the middle of its line.
        fs::OpenOptions::new()
            .append(true)
            .open(only)
            .and_then(|mut file| file.write_all(b"\n{\"time\":\"20"))
            .expect("cut");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let log = &log;
                scope.spawn(move || {
                    (0..50).for_each(|n| log.remember(&ruling(&format!("{writer}-{n}"))).expect("written"))
                });
            }
        });
        let found = read(&log.state_dir, Timestamp::now()).expect("read");
        assert_eq!((found.rulings.len(), found.unread), (401, 1));
        assert!(found.rulings.iter().all(|past| past.ruling.agent.as_deref() == Some("claude")));
        assert!(found.rulings.is_sorted_by_key(|past| past.time.clone()));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_them() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a folder");
        let log = log(dir.path());
        log.remember(&ruling("one")).expect("written");
        let mode = |path: &std::path::Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&segments(&log.state_dir).expect("read")[0].path), 0o600);
        assert_eq!((mode(&folder(&log.state_dir)), mode(&log.state_dir)), (0o700, 0o700));
    }

    #[test]
    fn bytes_and_age_are_bounded() {
        let dir = tempfile::tempdir().expect("a folder");
        let state = dir.path().join("guardhost");
        let begun: Timestamp = "2026-01-05T10:00:00Z".parse().expect("a time");
        let large = RememberedRuling { files: vec!["x".repeat(64 << 10)], ..ruling("large") };
        let at = |minutes: i64| begun + SignedDuration::from_mins(minutes);
        for n in 0..400 {
            let past = PastRuling { time: format!("{:.3}", at(n)), ruling: large.clone() };
            append(&state, &past, at(n)).expect("written");
        }
        let sizes: Vec<u64> =
            segments(&state).expect("read").iter().map(|one| fs::metadata(&one.path).expect("there").len()).collect();
        assert_eq!(sizes.len(), SEGMENTS);
        assert!(sizes.iter().all(|size| *size < SEGMENT + (128 << 10)), "{sizes:?}");
        // The newest are there.
        let found = read(&state, at(400)).expect("read");
        assert_eq!(found.rulings.last().map(|past| past.time.clone()), Some(format!("{:.3}", at(399))));
        // What is too old is not shown, and is gone when the next segment is begun.
        let later = at(400) + SignedDuration::from_hours(24 * (AGE + 1));
        assert!(read(&state, later).expect("read").rulings.is_empty());
        append(&state, &PastRuling { time: format!("{later:.3}"), ruling: ruling("new") }, later).expect("written");
        append(&state, &PastRuling { time: format!("{later:.3}"), ruling: ruling("new") }, later).expect("written");
        let left = segments(&state).expect("read");
        assert!(left.len() <= 2, "{} segments", left.len());
    }
}
