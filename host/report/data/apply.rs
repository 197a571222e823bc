//! `host apply`: a patch file, placed, judged and written to the index and the work tree.

use schemars::JsonSchema;
use serde::Serialize;

use guardhost_core::change::{Note, Strategy, Touched};

use super::{CheckReport, ExplainedLines, RefusalReport};

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "apply")]
pub struct ApplyReport {
    /// Index and work tree hold the change; with `dry_run`, they would.
    pub applied: bool,
    /// The weakest that a hunk needed.
    pub strategy: Option<Strategy>,
    pub touched: Vec<Touched>,
    /// Repairs, as `code: text`.
    pub notes: Vec<Note>,
    pub refusal: Option<RefusalReport>,
    pub dry_run: bool,
    /// With `--explain`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<ExplainedLines>,
    /// `null` with `--no-guards`, and if no guard was called.
    pub check: Option<CheckReport>,
}
