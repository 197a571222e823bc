//! What was derived from the record of a run, in a file of its own in the run's folder, so that lists and figures of many runs need not read
//! all of their records.
//!
//! Such a file is never trusted over the record: it counts only for the record that it was made of, by that record's size, time of change and
//! last seal, which is a digest of all its lines (`seal.rs`), and only as it was written, by a digest of its own. A record without an end,
//! without seals or with a broken one is read each time.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;

use guardhost_core::canonical::sha256;
use guardhost_core::error::Result;
use guardhost_os::{open_regular, read_regular};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::history::{LARGEST, State};
use super::run_folder::RECORDS;
use super::seal::{self, SealState};

/// Bytes of a file that are read; of a longer one the record is read instead.
const MOST: u64 = 16 << 20;

/// A kind of such files.
pub struct DerivedFile {
    /// In the folder of the run.
    pub name: &'static str,
    /// A file of another version is made anew. It is raised whenever something else is derived of the same record.
    pub version: u32,
}

/// The first line of the file. What was derived is the rest.
#[derive(Serialize, Deserialize)]
struct DerivedHeader {
    version: u32,
    of: RecordMark,
    /// Of the rest: `sha256:…`.
    digest: String,
}

/// Which record something was derived from.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RecordMark {
    bytes: u64,
    /// Nanoseconds since 1970 at which the file was changed.
    changed: u64,
    /// The seal of its last line.
    seal: String,
}

impl DerivedFile {
    /// What is stored in the folder of a run; or else what is derived now, with the state of the run, which is stored if the run has ended.
    ///
    /// # Errors
    /// Those of `derive`. That nothing can be stored is none: lists also work where nothing may be written.
    pub fn read<T: Serialize + DeserializeOwned>(
        &self,
        dir: &Path,
        derive: impl FnOnce() -> Result<(T, State)>,
    ) -> Result<T> {
        // Before the record is read: what is appended meanwhile makes the mark that of an older record.
        let mark = RecordMark::read(dir);
        if let Some(stored) = mark.as_ref().and_then(|mark| self.stored(dir, mark)) {
            return Ok(stored);
        }
        let (derived, state) = derive()?;
        if let Some(of) = mark.filter(|_| state == State::Ended && is_whole(dir)) {
            let _ = self.write(dir, of, &derived);
        }
        Ok(derived)
    }

    fn stored<T: DeserializeOwned>(&self, dir: &Path, mark: &RecordMark) -> Option<T> {
        let bytes = read_regular(&dir.join(self.name), MOST).ok()?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (header, derived) = (&bytes[..end], &bytes[end + 1..]);
        let header: DerivedHeader = serde_json::from_slice(header).ok()?;
        let counts = header.version == self.version && header.of == *mark && header.digest == sha256(derived);
        counts.then(|| serde_json::from_slice(derived).ok()).flatten()
    }

    /// Whole or not at all.
    fn write<T: Serialize>(&self, dir: &Path, of: RecordMark, derived: &T) -> std::io::Result<()> {
        let derived = serde_json::to_vec(derived)?;
        let header = DerivedHeader { version: self.version, of, digest: sha256(&derived) };
        // Temporary files are 0600, and a rename within a folder is atomic.
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(&[&serde_json::to_vec(&header)?[..], b"\n", &derived].concat())?;
        file.persist(dir.join(self.name)).map_err(|error| error.error)?;
        Ok(())
    }
}

impl RecordMark {
    /// None of a record whose last line has no seal. Only the end of the file is read.
    fn read(dir: &Path) -> Option<Self> {
        let mut record = open_regular(&dir.join(RECORDS)).ok()?;
        let data = record.metadata().ok()?;
        let seal = seal::last(&tail(&mut record, data.len()).ok()?)?;
        Some(RecordMark { bytes: data.len(), changed: changed(&data)?, seal })
    }
}

fn tail(record: &mut File, bytes: u64) -> std::io::Result<Vec<u8>> {
    record.seek(SeekFrom::Start(bytes.saturating_sub(seal::TAIL)))?;
    let mut tail = Vec::new();
    record.take(seal::TAIL).read_to_end(&mut tail)?;
    Ok(tail)
}

fn changed(data: &Metadata) -> Option<u64> {
    u64::try_from(data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos()).ok()
}

fn is_whole(dir: &Path) -> bool {
    read_regular(&dir.join(RECORDS), LARGEST).is_ok_and(|bytes| seal::check(&bytes) == SealState::Kept)
}
