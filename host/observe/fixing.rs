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
        let (applied, fixed, reason) = match fixing {
            Fixing::Accepted(fixed) => (true, Some(fixed), None),
            Fixing::Rejected(fixed) => (false, Some(fixed), Some(still_rejected(fixed))),
            Fixing::Declined(why) => (false, None, Some(why.clone())),
        };
        let fixes = fixed.map(|fixed| fixed.fixes.clone()).unwrap_or_default();
        let report = FixReport { applied, fixes, reason, before: None };
        match fixed.filter(|_| applied) {
            None => CheckReport { fixed: Some(report), ..self },
            Some(FixedChange { candidate, judgement, .. }) => CheckReport {
                candidate: Some(candidate.tree),
                judgement: judgement.clone(),
                quotes: Quotes::take(candidate, judgement),
                notes: candidate.notes.clone(),
                notices: self.notices.clone(),
                fixed: Some(FixReport { before: Some(Box::new(self)), ..report }),
                ..CheckReport { base: candidate.base, ..CheckReport::default() }
            },
        }
    }
}

fn still_rejected(fixed: &FixedChange) -> String {
    let check = CheckReport { judgement: fixed.judgement.clone(), ..CheckReport::default() };
    format!("with them it would still be turned down by {}", check.against().join(", "))
}
