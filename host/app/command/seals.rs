//! The digests of votes, on disk before the next voter is asked.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use guardhost_core::error::{Context, Fault, FaultKind, Result};

const SEALS: &str = "seals.jsonl";

/// A line for each vote, before the next voter is asked.
pub struct Seals {
    file: File,
    failed: Option<std::io::Error>,
}

impl Seals {
    /// In the folder of a run.
    ///
    /// # Errors
    /// The file cannot be made, or is there already.
    pub fn create(dir: &Path) -> Result<Self> {
        let file = File::options().append(true).create_new(true).open(dir.join(SEALS));
        Ok(Seals { file: file.with_context(|| Fault::new(FaultKind::Git, "cannot record the votes"))?, failed: None })
    }

    pub fn write(&mut self, voter: &str, digest: &str) {
        let line = serde_json::json!({ "voter": voter, "seal": digest }).to_string() + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        self.failed = written.err();
    }

    /// # Errors
    /// A vote could not be recorded, so that nothing may be asked any more.
    pub fn check(&mut self) -> Result<()> {
        match self.failed.take() {
            None => Ok(()),
            Some(error) => Err(error).with_context(|| Fault::new(FaultKind::Git, "cannot record the votes")),
        }
    }
}
