//! `host install`: what was written, or what is there.

use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InstallReport {
    pub dry_run: bool,
    pub files: Vec<InstalledFile>,
    /// What a person should know or do.
    pub notices: Vec<String>,
}

/// One file of one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledFile {
    /// The word of the command line.
    pub target: &'static str,
    pub path: PathBuf,
    pub state: FileState,
}

/// What happened to a file, or, in a dry run, what would; for `--status`, what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// The file is new.
    Created,
    /// The file was there, and has our lines now.
    Changed,
    /// Everything was as it should be.
    Unchanged,
    /// Our lines are gone, and the rest stays.
    Restored,
    /// The file held nothing else, and is gone.
    Deleted,
    Installed,
    /// Installed by another version, or for another program file: `host install` brings it up to date.
    Outdated,
    Absent,
}

impl FileState {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            FileState::Created => "created",
            FileState::Changed => "changed",
            FileState::Unchanged => "unchanged",
            FileState::Restored => "restored",
            FileState::Deleted => "deleted",
            FileState::Installed => "installed",
            FileState::Outdated => "outdated",
            FileState::Absent => "absent",
        }
    }
}
