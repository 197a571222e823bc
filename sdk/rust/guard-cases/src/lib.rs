//! Test cases of guards: a folder of files, or one file `NAME.case` that holds the same files as text.
//!
//! The format is txtar (of the Go tools): a comment, then each file as a line `-- PATH --` and its text.
//!
//! ```text
//! Why this case is here; optional.
//! -- before/a.py --
//! x = 1
//! -- after/a.py --
//! x = 1  # FIXME: why one?
//! -- expect.json --
//! {"verdict": "reject"}
//! ```
//!
//! A file without lines is empty. A folder without files, as an empty `before/`, is left out. Stricter than txtar: a text that might
//! be taken for another one is an error. These need a folder: carriage returns, byte order marks, NUL, what is not UTF-8, a last line
//! without a line feed, a line that looks like a marker, links, executable files.

mod archive;
mod find;
mod read;
mod write;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use find::{Location, find};
pub use write::updating;

/// The extension of a case in a single file.
pub const EXTENSION: &str = "case";

/// Set: tests write what they find as what is expected.
pub const UPDATE: &str = "GUARD_TEST_UPDATE";

/// A case in memory.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its folder, or its `.case` file.
    path: PathBuf,
    /// By path.
    files: Vec<File>,
}

/// One file of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// From the case's folder, with `/`: `before/src/a.py`.
    pub path: PathBuf,
    pub mode: Mode,
    /// A link's target, if it is one.
    pub bytes: Vec<u8>,
    /// In a `.case` file, the line of the file's first line, from 1.
    pub line: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    File,
    Executable,
    Link,
}

/// Displayed as `PATH:LINE: what is wrong`.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    line: Option<usize>,
    what: String,
    cause: Option<io::Error>,
}

impl Case {
    /// Sorted by path, compared byte by byte.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The file at `name`, if there is one.
    pub fn file(&self, name: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == Path::new(name))
    }

    /// The text of the file at `name`, if there is one. Err: it is not UTF-8.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Error> {
        let Some(file) = self.file(name) else { return Ok(None) };
        match std::str::from_utf8(&file.bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(Error::at(&self.path.join(name), None, error.to_string())),
        }
    }

    /// What is below `folder`, each with its path from there. None of it: the folder is empty or is not there.
    pub fn below(&self, folder: &str) -> impl Iterator<Item = (&Path, &File)> {
        self.files.iter().filter_map(move |file| Some((file.path.strip_prefix(folder).ok()?, file)))
    }

    /// Where line `line` (from 1) of the file at `name` is, for messages: `cases/one.case:14 (expect.json)`.
    pub fn place(&self, name: &str, line: usize) -> String {
        let first = self.file(name).and_then(|file| Some((file, file.line?)));
        match first {
            Some((file, first)) => {
                // Parsers name the line behind the last one where more was to come.
                let lines = file.bytes.iter().filter(|byte| **byte == b'\n').count();
                format!("{}:{} ({name})", self.path.display(), first + line.min(lines).saturating_sub(1))
            }
            None if self.path.is_dir() => format!("{}:{}", self.path.join(name).display(), line.max(1)),
            None => format!("{} ({name})", self.path.display()),
        }
    }
}

impl Error {
    fn io(path: &Path, cause: io::Error) -> Self {
        Error { path: path.to_path_buf(), line: None, what: cause.to_string(), cause: Some(cause) }
    }

    fn at(path: &Path, line: Option<usize>, what: impl Into<String>) -> Self {
        Error { path: path.to_path_buf(), line, what: what.into(), cause: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        write!(f, "{}{line}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().and_then(std::error::Error::source)
    }
}
