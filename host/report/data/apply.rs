//! `host apply`: a patch file, placed, judged and written to the index and the work tree.

use guardhost_core::change::{Note, Strategy, Touched};

use super::{CheckReport, Refusal};

/// What `host apply` did.
#[derive(Debug, Clone, Default)]
pub struct ApplyReport {
    /// The index and the work tree now hold the change (with `dry_run`: would hold it).
    pub applied: bool,
    pub dry_run: bool,
    /// None when the patch was not placed.
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    pub notes: Vec<Note>,
    pub refusal: Option<Refusal>,
    /// None with `--no-guards`, and when the patch was refused before any guard ran.
    pub check: Option<CheckReport>,
}
