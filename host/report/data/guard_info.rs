//! `host guard info`: everything that a component says about itself.

use super::GuardRow;

/// One guard in full.
#[derive(Debug, Clone, Default)]
pub struct GuardInfo {
    pub row: GuardRow,
    /// `guards.toml` pins this component.
    pub pinned: bool,
    /// Imports that need a grant.
    pub rights: Vec<GuardRight>,
    pub exports: Vec<String>,
    /// Tools that built the component, as it names them.
    pub toolchain: Vec<String>,
    pub stages: Vec<String>,
    /// Files that the guard judges; empty: all.
    pub globs: Vec<String>,
    /// A JSON Schema, as text of the guard.
    pub settings_schema: String,
}

/// An import that needs a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardRight {
    pub name: String,
    /// The guard's reason for the import.
    pub why: String,
    /// `guards.toml` grants it, or the guard is built in.
    pub granted: bool,
}
