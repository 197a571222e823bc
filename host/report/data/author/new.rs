//! `host guard new`: a guard's project, made from a template.

use std::path::PathBuf;

use guardhost_core::written::PathText;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "newGuard")]
pub struct NewGuard {
    #[serde(rename = "id")]
    pub name: String,
    pub language: String,
    #[serde(with = "PathText")]
    pub folder: PathBuf,
    /// Relative to `folder`.
    pub files: Vec<String>,
}
