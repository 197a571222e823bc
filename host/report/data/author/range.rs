//! `host guard run`: one guard's verdicts on the commits of a range.

use guardhost_core::change::{Evidence, Oid};

use crate::VerdictKind;

#[derive(Debug, Clone)]
pub struct RangeReport {
    /// The guard's id.
    pub id: String,
    pub past: RangeVerdicts,
}

#[derive(Debug, Clone)]
pub struct RangeVerdicts {
    /// As the user wrote it.
    pub range: String,
    /// Oldest first.
    pub changes: Vec<JudgedChange>,
}

#[derive(Debug, Clone)]
pub struct JudgedChange {
    /// None when the range was judged as a single change.
    pub commit: Option<Oid>,
    /// The first line of the commit message.
    pub subject: String,
    pub evidence: Evidence,
}

impl RangeVerdicts {
    /// Number of changes with this verdict.
    pub fn count(&self, verdict: VerdictKind) -> usize {
        self.changes.iter().filter(|change| VerdictKind::from(&change.evidence.verdict) == verdict).count()
    }
}
