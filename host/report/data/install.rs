//! `host install`: what was written, or what is there.

use std::path::PathBuf;

use guardhost_core::serialized_names;
use guardhost_core::written::PathText;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[schemars(rename = "install")]
pub struct InstallReport {
    pub dry_run: bool,
    pub files: Vec<InstalledFile>,
    pub notices: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "installedFile")]
pub struct InstalledFile {
    /// As on the command line.
    pub target: &'static str,
    /// Absolute.
    #[serde(with = "PathText")]
    pub path: PathBuf,
    pub state: FileState,
}

/// Or would in a dry run; with `--status`: what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "fileState")]
pub enum FileState {
    Created,
    Changed,
    Unchanged,
    /// Our lines are gone.
    Restored,
    Deleted,
    Installed,
    /// `host install` updates it.
    Outdated,
    Absent,
}

serialized_names!(FileState);
