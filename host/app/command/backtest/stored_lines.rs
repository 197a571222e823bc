//! Files of JSON lines in the host's own folder of the git directory, to which lines are added one write at a time: a process that is killed leaves
//! whole lines, or one at the end that is not read.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use guardhost_core::error::{Context, Result};
use guardhost_os::make_private;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file that is open to be written on.
pub struct StoredLines<T> {
    file: Mutex<File>,
    line: PhantomData<fn(T)>,
}

impl<T: Serialize + DeserializeOwned> StoredLines<T> {
    /// With the lines that are there, unless `fresh`; what is none is left out.
    ///
    /// # Errors
    /// Of the disk.
    pub fn open(path: &Path, fresh: bool) -> Result<(Self, Vec<T>)> {
        let folder = path.parent().unwrap_or(path);
        fs::create_dir_all(folder).and_then(|()| make_private(folder)).context("cannot make its folder")?;
        let bytes = fs::read(path).unwrap_or_default();
        let mut file = OpenOptions::new().create(true).append(true).open(path).context("cannot write its file")?;
        // After a line that was cut off.
        if bytes.last().is_some_and(|last| *last != b'\n') {
            file.write_all(b"\n").context("cannot write its file")?;
        }
        let text = String::from_utf8_lossy(if fresh { &[] } else { &bytes });
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok((StoredLines { file: Mutex::new(file), line: PhantomData }, lines))
    }

    /// What cannot be written is found again by another run.
    pub fn add(&self, line: &T) {
        if let Ok(mut line) = serde_json::to_vec(line) {
            line.push(b'\n');
            let _ = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
        }
    }
}
