//! `host apply`: a patch file, placed, judged and written to the index and the work tree.

use schemars::JsonSchema;
use serde::Serialize;

use guardhost_core::change::{Note, Strategy, Touched};

use super::{CheckReport, ExplainedLines, RefusalReport};

/// What `host apply` did.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "apply")]
pub struct ApplyReport {
    /// Index and work tree hold the change; with `dry_run`, they would.
    pub applied: bool,
    /// The weakest way that a hunk needed; `null` when the patch was not placed.
    pub strategy: Option<Strategy>,
    /// The changed files.
    pub touched: Vec<Touched>,
    /// What the host repaired in the patch, as `code: text`.
    pub notes: Vec<Note>,
    /// Why the patch was not placed.
    pub refusal: Option<RefusalReport>,
    /// `--dry-run` was given.
    pub dry_run: bool,
    /// With `--explain`: what each line of the reply was read as, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<ExplainedLines>,
    /// `null` with `--no-guards`, and if no guard was called.
    pub check: Option<CheckReport>,
}
