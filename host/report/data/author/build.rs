//! `host guard build`: a component, made from a guard's project.

use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct BuiltReport {
    pub id: String,
    pub version: String,
    /// The component's file.
    pub component: PathBuf,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    /// Wall time of the build tool.
    pub micros: u64,
}
