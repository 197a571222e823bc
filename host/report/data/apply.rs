//! `host apply`: a patch file, placed, judged and written to the index and the work tree.

use schemars::JsonSchema;
use serde::Serialize;

use guardhost_core::change::{Note, Strategy, Touched};

use super::{CheckReport, Refusal};

/// What `host apply` did.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "apply")]
pub struct ApplyReport {
    /// Index and work tree hold the change; with `dry_run`, they would.
    pub applied: bool,
    /// How the hunks were placed, the weakest way that was needed; `null` when the patch was not placed.
    pub strategy: Option<Strategy>,
    /// The changed files.
    pub touched: Vec<Touched>,
    /// What the host repaired in the patch, as `code: text`.
    pub notes: Vec<Note>,
    /// Why the patch was not placed.
    pub refusal: Option<Refusal>,
    /// `--dry-run` was given.
    pub dry_run: bool,
    /// What the guards said; `null` with `--no-guards`, and if no guard was asked.
    pub check: Option<CheckReport>,
}
