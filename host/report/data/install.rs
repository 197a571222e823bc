//! `host install`: what was written, or what is there.

use std::path::PathBuf;

use guardhost_core::serialized_names;
use guardhost_core::written::PathText;
use schemars::JsonSchema;
use serde::Serialize;

/// The files of hooks and workflows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(rename = "install")]
pub struct InstallReport {
    /// Nothing was written.
    pub dry_run: bool,
    pub files: Vec<InstalledFile>,
    pub notices: Vec<String>,
}

/// One file of one target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "installedFile")]
pub struct InstalledFile {
    /// The word of the command line.
    pub target: &'static str,
    /// Absolute.
    #[serde(with = "PathText")]
    pub path: PathBuf,
    pub state: FileState,
}

/// What happened to a file, or would in a dry run; for `--status`, what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "fileState")]
pub enum FileState {
    /// The file is new.
    Created,
    /// It has our lines now.
    Changed,
    /// Everything was as it should be.
    Unchanged,
    /// Our lines are gone, and the rest stays.
    Restored,
    /// It held nothing else.
    Deleted,
    Installed,
    /// Of another version or program file: `host install` updates it.
    Outdated,
    Absent,
}

serialized_names!(FileState);
