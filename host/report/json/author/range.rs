//! The number of verdicts of each kind, then every change.

use serde_json::{Value, json};

use super::super::check::evidence;
use crate::{RangeReport, VerdictKind};

pub fn range(RangeReport { id, past }: &RangeReport) -> Value {
    let changes = past.changes.iter().map(|change| {
        json!({
            "commit": change.commit.map(|commit| commit.to_string()),
            "subject": change.subject,
            "guard": evidence(&change.evidence),
        })
    });
    json!({
        "id": id,
        "range": past.range,
        "passed": past.count(VerdictKind::Pass),
        "rejected": past.count(VerdictKind::Reject),
        "not_applicable": past.count(VerdictKind::NotApplicable),
        "errors": past.count(VerdictKind::Error),
        "changes": changes.collect::<Vec<_>>(),
    })
}
