//! What a guard builds in a call, as it said it. Nothing is checked yet, and nothing counts until the call returns it.

use crate::bindings::guardhost::guard::report::{Edit, Severity};

/// A description as the guard said it.
#[derive(Default)]
pub struct DescriptionDraft {
    pub id: String,
    pub version: String,
    pub promise: String,
    pub mark: String,
    pub stages: Vec<String>,
    pub globs: Vec<String>,
    /// Capability, globs, reason.
    pub needs: Vec<(String, Vec<String>, String)>,
    pub settings_schema: Option<String>,
    pub event: String,
    /// Rule, summary, address.
    pub rules: Vec<(String, String, Option<String>)>,
}

/// A finding as the guard said it.
pub struct FindingDraft {
    pub rule: String,
    pub severity: Severity,
    pub message: String,
    pub path: Option<String>,
    pub lines: Option<(u32, u32)>,
    pub columns: Option<(u32, u32)>,
    pub help: Option<String>,
    pub fix: Option<(String, Vec<Edit>)>,
    pub related: Vec<RelatedDraft>,
    pub is_secret: bool,
}

pub struct RelatedDraft {
    pub path: String,
    pub lines: (u32, u32),
    pub message: String,
}

/// A point of a score as the analyzer said it.
pub struct PointDraft {
    pub rule: String,
    pub earned: u32,
    pub possible: u32,
    pub path: Option<String>,
    pub line: Option<u32>,
    pub message: String,
    pub help: String,
}

/// An objection as the guard said it.
pub struct ObjectionDraft {
    pub step: String,
    pub reason: String,
    /// None: the step is dropped.
    pub hints: Option<Vec<String>>,
}
