//! Who judges.

use guardhost_core::change::Mode;

/// One line of `host guard list`.
#[derive(Debug, Clone, Default)]
pub struct GuardRow {
    pub id: String,
    pub mark: String,
    pub version: String,
    /// `builtin`, `path:…`, `https://…`, `oci://…`.
    pub source: String,
    pub digest: String,
    pub mode: Mode,
    /// Bytes of the component.
    pub size: u64,
    pub imports: Vec<String>,
    pub grants: Vec<String>,
    pub promise: String,
}

/// `host guard info`.
#[derive(Debug, Clone, Default)]
pub struct GuardInfo {
    pub row: GuardRow,
    pub pinned: bool,
    /// Imports that need a grant, each with the guard's reason.
    pub rights: Vec<(String, String)>,
    pub exports: Vec<String>,
    /// Tools that made it, by their own word.
    pub toolchain: Vec<String>,
    pub stages: Vec<String>,
    pub globs: Vec<String>,
    /// JSON Schema, as text.
    pub settings_schema: String,
}
