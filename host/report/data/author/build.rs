//! `host guard build`: a component, made from a guard's project.

use std::path::PathBuf;

use guardhost_core::written::PathText;
use schemars::JsonSchema;
use serde::Serialize;

/// What `host guard build` made.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "built")]
pub struct BuiltReport {
    pub id: String,
    pub version: String,
    /// The component's file.
    #[serde(with = "PathText")]
    pub component: PathBuf,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    /// Wall time of the build tool.
    pub micros: u64,
}
