//! `host guard new`: a guard's project, made from a template.

use std::path::PathBuf;

use guardhost_core::written::PathText;
use schemars::JsonSchema;
use serde::Serialize;

/// What `host guard new` made.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "newGuard")]
pub struct NewGuard {
    #[serde(rename = "id")]
    pub name: String,
    pub language: String,
    /// The new folder.
    #[serde(with = "PathText")]
    pub folder: PathBuf,
    /// Relative to that folder, sorted.
    pub files: Vec<String>,
}
