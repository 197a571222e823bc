//! `host audit`: what a tree scores.

use guardhost_core::audit::{Audit, Measurement};

#[derive(Debug, Clone)]
pub struct AuditReport {
    pub audit: Audit,
    /// The revision as the user named it.
    pub revision: String,
    /// Microseconds.
    pub micros: u64,
    /// Remarks, one sentence each.
    pub notices: Vec<String>,
}

impl AuditReport {
    /// An analyzer failed, so that a part of the tree is not known.
    pub fn has_failure(&self) -> bool {
        self.audit.metrics.iter().any(|metric| matches!(metric.measurement, Measurement::Failed { .. }))
    }
}
