//! `host check`: the guards' verdicts on a change.

use guardhost_core::change::{
    AppliedFix, Autofix, FixedCandidate, Judgement, Mode, Note, Oid, Quotes, Severity, Verdict,
};

use super::Refusal;

/// What `host check` found. Rounds of a run and `host apply` carry one each for the guards' part.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// None in a repository without commits.
    pub base: Option<Oid>,
    /// The tree that the guards judged; None when the patch could not be placed.
    pub candidate: Option<Oid>,
    pub judgement: Judgement,
    /// Why no guard was run; None when the guards judged the change.
    pub refusal: Option<Refusal>,
    /// Repairs that were made before the guards ran.
    pub notes: Vec<Note>,
    /// Remarks that do not affect the verdict, one sentence each, such as files that were left out.
    pub notices: Vec<String>,
    /// Source lines that the human format quotes under findings; may be empty.
    pub quotes: Quotes,
    /// What became of the guards' own fixes; None when there were none, or fixing was not requested.
    pub fixed: Option<FixReport>,
}

/// The guards' own fixes for a change.
#[derive(Debug, Clone, Default)]
pub struct FixReport {
    /// The change continues with the fixes in it.
    pub applied: bool,
    /// Empty when no fix could be tried.
    pub fixes: Vec<AppliedFix>,
    /// Why the fixes were not applied; None when they were.
    pub reason: Option<String>,
    /// The report on the change without the fixes; None when they were not applied.
    pub before: Option<Box<CheckReport>>,
}

impl CheckReport {
    /// The judgement's verdict; a refused patch is rejected.
    pub fn verdict(&self) -> Verdict {
        if self.refusal.is_some() { Verdict::Reject } else { self.judgement.verdict() }
    }

    /// Guards were asked, or there was none to ask, and no enforced one judged the change. What the verdict makes of that is policy.
    pub fn is_unjudged(&self) -> bool {
        self.refusal.is_none() && self.judgement.is_unjudged()
    }

    /// Number of findings of this severity. Monitored guards do not count.
    pub fn count(&self, severity: Severity) -> usize {
        let enforced = self.judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        let findings = enforced.flat_map(|evidence| evidence.verdict.findings());
        findings.filter(|finding| finding.severity == severity).count()
    }

    /// The report after fixing: on the fixed candidate when the guards accept it, otherwise on the change as it was.
    pub fn with_fixing(self, fixing: &Autofix) -> Self {
        let fixes = fixing.change().map(|change| change.fixes.clone()).unwrap_or_default();
        let report = FixReport { fixes, reason: fixing.why_not(), ..FixReport::default() };
        match fixing {
            Autofix::Rejected(_) | Autofix::Declined(_) => CheckReport { fixed: Some(report), ..self },
            Autofix::Accepted(FixedCandidate { candidate, judgement, .. }) => CheckReport {
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
