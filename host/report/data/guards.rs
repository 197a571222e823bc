//! `host guard list`: the guards that judge in this repository.

use guardhost_core::change::Mode;

/// The guards that judge.
#[derive(Debug, Clone, Default)]
pub struct GuardList {
    pub guards: Vec<GuardRow>,
    pub notices: Vec<String>,
}

/// One guard of the list.
#[derive(Debug, Clone, Default)]
pub struct GuardRow {
    pub id: String,
    /// `G13`, or empty.
    pub mark: String,
    pub version: String,
    /// `builtin`, `path:…`, `https://…`, `oci://…`.
    pub source: String,
    /// `sha256:…` of the component.
    pub digest: String,
    pub mode: Mode,
    /// Bytes of the component.
    pub size: u64,
    /// Names of the imported interfaces.
    pub imports: Vec<String>,
    /// Imports that `guards.toml` grants.
    pub grants: Vec<String>,
    /// What the guard guarantees, in one sentence of its author.
    pub promise: String,
}
