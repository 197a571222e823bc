//! What came of the guards' own fixes, beside the judgement that counts.

use crate::change::{Fixed, FixedChange, Fixing, Quotes};

use super::report::CheckReport;

#[derive(Debug, Clone, Default)]
pub struct FixReport {
    /// The change went on with them.
    pub applied: bool,
    /// Empty when none could be tried.
    pub fixes: Vec<Fixed>,
    /// Why they were not applied.
    pub reason: Option<String>,
    /// What was said of the change as it came, when they were.
    pub before: Option<Box<CheckReport>>,
}

impl CheckReport {
    pub fn with_fixing(self, fixing: &Fixing) -> Self {
        let fixes = fixing.change().map(|change| change.fixes.clone()).unwrap_or_default();
        let report = FixReport { fixes, reason: fixing.why_not(), ..FixReport::default() };
        match fixing {
            Fixing::Rejected(_) | Fixing::Declined(_) => CheckReport { fixed: Some(report), ..self },
            Fixing::Accepted(FixedChange { candidate, judgement, .. }) => CheckReport {
                base: candidate.base,
                candidate: Some(candidate.tree),
                judgement: judgement.clone(),
                quotes: Quotes::take(candidate, judgement),
                notes: candidate.notes.clone(),
                notices: self.notices.clone(),
                fixed: Some(FixReport { applied: true, before: Some(Box::new(self)), ..report }),
                refusal: None,
            },
        }
    }
}
