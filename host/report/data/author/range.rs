//! `host guard run`: one guard's verdicts on the commits of a range.

use guardhost_core::change::{Evidence, Oid};
use guardhost_core::written::OptionalHex;
use guardhost_core::written_from;
use schemars::JsonSchema;
use serde::Serialize;

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

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "judgedChange")]
pub struct JudgedChange {
    /// `null` with `--as-one`.
    #[serde(with = "OptionalHex")]
    pub commit: Option<Oid>,
    /// The message's first line.
    pub subject: String,
    #[serde(rename = "guard")]
    pub evidence: Evidence,
}

impl RangeVerdicts {
    /// Number of changes with this verdict.
    pub fn count(&self, verdict: VerdictKind) -> usize {
        self.changes.iter().filter(|change| VerdictKind::from(&change.evidence.verdict) == verdict).count()
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "range")]
struct RangeKeys<'a> {
    id: &'a str,
    /// As given.
    range: &'a str,
    passed: usize,
    rejected: usize,
    not_applicable: usize,
    errors: usize,
    /// Oldest first.
    changes: &'a [JudgedChange],
}

impl<'a> From<&'a RangeReport> for RangeKeys<'a> {
    fn from(RangeReport { id, past }: &'a RangeReport) -> Self {
        RangeKeys {
            id,
            range: &past.range,
            passed: past.count(VerdictKind::Pass),
            rejected: past.count(VerdictKind::Reject),
            not_applicable: past.count(VerdictKind::NotApplicable),
            errors: past.count(VerdictKind::Error),
            changes: &past.changes,
        }
    }
}

written_from!(RangeReport, RangeKeys<'_>);
