//! `host guard build`: a component, made from a guard's project.

use std::path::PathBuf;

use guardhost_core::written::PathText;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "built")]
pub struct BuiltReport {
    pub id: String,
    pub version: String,
    /// The file.
    #[serde(with = "PathText")]
    pub component: PathBuf,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes.
    pub size: u64,
    pub imports: Vec<String>,
    pub micros: u64,
}
