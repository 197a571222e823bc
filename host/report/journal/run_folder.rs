//! Where runs lie below the state directory, and how their files are made: folders 0700, files 0600, since replies may
//! quote private code.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_os::Private;

/// The objects of a run.
pub const RECORDS: &str = "records.jsonl";
/// The events of a run.
pub const TRACE: &str = "trace.jsonl";

/// The folder that holds the folders of runs; each is named by its run's id.
pub fn runs_dir(state_dir: &Path) -> PathBuf {
    state_dir.join("runs")
}

/// The folders of all runs, in no order; none when there is no state directory yet. Files and links are skipped: the host
/// made neither, and following a link could remove files elsewhere.
pub fn run_folders(state_dir: &Path) -> Result<Vec<PathBuf>> {
    let dir = runs_dir(state_dir);
    let entries = match fs::read_dir(&dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| format!("cannot read the records in {}", dir.display()))?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read the records in {}", dir.display()))?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders.push(entry.path());
        }
    }
    Ok(folders)
}

/// The id of the run whose folder this is.
pub fn run_id(dir: &Path) -> String {
    dir.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn private_dir() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.private();
    builder
}

pub fn append_to(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().append(true).create(true).private().open(path)
}

pub fn cannot_write(path: &Path, error: std::io::Error) -> Error {
    let what = Fault::new(FaultKind::Git, format!("cannot write the record {}", path.display()))
        .hint("records lie in the repository's git directory; check its permissions and the free space");
    Error::new(error).context(what)
}
