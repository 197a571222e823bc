//! `host check`: the guards' verdicts on a change.

use guardhost_core::change::{
    AppliedFix, Autofix, FixedCandidate, Judgement, Mode, Note, Oid, Quotes, Severity, Verdict,
};
use guardhost_core::written::OptionalHex;
use guardhost_core::written_as;
use schemars::JsonSchema;
use serde::Serialize;

use super::RefusalReport;
use super::TriageReport;
use super::proofs::{ChangeProof, proofs};

/// What `host check` found. Rounds of a run and `host apply` carry one each for the guards' part.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// None in a repository without commits.
    pub base: Option<Oid>,
    /// The tree that the guards judged; None when the patch could not be placed.
    pub candidate: Option<Oid>,
    pub judgement: Judgement,
    /// Why no guard was run; None when the guards judged the change.
    pub refusal: Option<RefusalReport>,
    /// Repairs that were made before the guards ran.
    pub notes: Vec<Note>,
    /// Remarks that do not affect the verdict, one sentence each, such as files that were left out.
    pub notices: Vec<String>,
    /// Source lines that the human format quotes under findings; may be empty.
    pub quotes: Quotes,
    /// What became of the guards' own fixes; None when there were none, or fixing was not requested.
    pub fixed: Option<FixReport>,
    /// What is proved of the change; None unless it was asked for.
    pub triage: Option<TriageReport>,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "fixed")]
pub struct FixReport {
    /// The report is about the fixed change.
    pub applied: bool,
    pub fixes: Vec<AppliedFix>,
    /// Why they were not applied.
    pub reason: Option<String>,
    /// On the change without the fixes.
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

    /// What running the change has shown.
    pub fn proofs(&self) -> Vec<ChangeProof> {
        proofs(&self.judgement)
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
                triage: self.triage.clone(),
                fixed: Some(FixReport { applied: true, before: Some(Box::new(self)), ..report }),
                refusal: None,
            },
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(remote = "CheckReport")]
#[schemars(rename = "check")]
struct CheckKeys {
    #[serde(getter = "CheckReport::verdict")]
    verdict: Verdict,
    /// `null` in a repository without commits.
    #[serde(with = "OptionalHex")]
    base: Option<Oid>,
    /// The judged tree.
    #[serde(with = "OptionalHex")]
    candidate: Option<Oid>,
    /// One for each guard, in the order of the set; then for each [rule of the host](guards-toml.md#rules-of-the-host) that
    /// rejects.
    #[serde(rename = "guards")]
    judgement: Judgement,
    /// Why no guard was asked.
    refusal: Option<RefusalReport>,
    /// Repairs, as `code: text`.
    notes: Vec<Note>,
    notices: Vec<String>,
    /// Fixes by guards.
    fixed: Option<FixReport>,
    /// No enforced guard judged the change; `verdict` is what the [policy](guards-toml.md#rules-of-the-host) makes of that.
    #[serde(getter = "CheckReport::is_unjudged")]
    unjudged: bool,
    /// One for each guard that runs the change.
    #[serde(getter = "CheckReport::proofs", skip_serializing_if = "Vec::is_empty", default)]
    proofs: Vec<ChangeProof>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    triage: Option<TriageReport>,
}

written_as!(CheckReport, CheckKeys);
