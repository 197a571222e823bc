//! `host guard new`: a guard's project, made from a template.

use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct NewGuard {
    pub name: String,
    pub language: String,
    /// The new folder.
    pub folder: PathBuf,
    /// Paths relative to that folder, sorted.
    pub files: Vec<String>,
}
