//! What guards said of a change, and why none was asked.

use guardhost_core::change::{
    AppliedFix, Autofix, FixedCandidate, Judgement, Misfit, MisfitAt, Mode, NoPatch, Note, Oid, Quotes, Refused,
    RepoPath, RoundFailure, Severity, Verdict,
};

/// What `host check` found; also the part of a round and of `host apply` in which guards were asked.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// None in a repository without commits.
    pub base: Option<Oid>,
    /// The tree that was judged; None when the patch never became one.
    pub candidate: Option<Oid>,
    pub judgement: Judgement,
    /// Why no guard was asked.
    pub refusal: Option<Refusal>,
    /// What was mended on the way.
    pub notes: Vec<Note>,
    /// Things worth knowing that change nothing, one sentence each: what was left out of the judgement, and why.
    pub notices: Vec<String>,
    /// Source lines that the human format quotes under findings; may be empty.
    pub quotes: Quotes,
    /// What came of the guards' own fixes; None where there were none, or nobody asked for them.
    pub fixed: Option<FixReport>,
}

impl CheckReport {
    /// The judgement's verdict; a refused patch is rejected.
    pub fn verdict(&self) -> Verdict {
        if self.refusal.is_some() { Verdict::Reject } else { self.judgement.verdict() }
    }

    /// Findings of enforced guards.
    pub fn count(&self, severity: Severity) -> usize {
        let enforced = self.judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
        let findings = enforced.flat_map(|evidence| evidence.verdict.findings());
        findings.filter(|finding| finding.severity == severity).count()
    }
}

#[derive(Debug, Clone, Default)]
pub struct FixReport {
    /// The change went on with them.
    pub applied: bool,
    /// Empty when none could be tried.
    pub fixes: Vec<AppliedFix>,
    /// Why they were not applied.
    pub reason: Option<String>,
    /// What was said of the change as it came, when they were.
    pub before: Option<Box<CheckReport>>,
}

impl CheckReport {
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

/// Why a patch did not come as far as a judgement, or was judged and turned down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `no-patch`, `refused`, `misfit`, `rejected`, or what the caller names (`dirty`, …).
    pub kind: &'static str,
    /// What exactly, kebab-case: `prose`, `git-internals`, `ambiguous`, …
    pub code: String,
    pub path: Option<RepoPath>,
    pub message: String,
    /// Every hunk that does not fit, for a misfit.
    pub at: Vec<MisfitAt>,
}

impl From<&NoPatch> for Refusal {
    fn from(none: &NoPatch) -> Self {
        Refusal { kind: "no-patch", code: word(none.kind), path: None, message: none.message.clone(), at: Vec::new() }
    }
}

impl From<&Refused> for Refusal {
    fn from(refused: &Refused) -> Self {
        let Refused { kind, path, message } = refused;
        Refusal { kind: "refused", code: word(*kind), path: path.clone(), message: message.clone(), at: Vec::new() }
    }
}

impl From<&Misfit> for Refusal {
    fn from(misfit: &Misfit) -> Self {
        let first = misfit.at.first();
        Refusal {
            kind: "misfit",
            code: first.map_or("not-found", |at| at.code).to_owned(),
            path: first.map(|at| at.path.clone()),
            message: misfit.to_string(),
            at: misfit.at.clone(),
        }
    }
}

impl From<&RoundFailure> for Refusal {
    fn from(setback: &RoundFailure) -> Self {
        match setback {
            RoundFailure::NoPatch(none) => none.into(),
            RoundFailure::Refused(refused) => refused.into(),
            RoundFailure::Misfit(misfit) => misfit.into(),
            RoundFailure::Rejected(rejection) => {
                let check = CheckReport { judgement: rejection.judgement.clone(), ..CheckReport::default() };
                Refusal {
                    kind: "rejected",
                    code: word(check.verdict()),
                    path: None,
                    message: format!("turned down by {}", check.judgement.against().join(", ")),
                    at: Vec::new(),
                }
            }
        }
    }
}

/// The word that serde writes for a variant without fields.
pub fn word(variant: impl serde::Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(serde_json::Value::String(word)) => word,
        // No variant that is passed here carries data.
        other => unreachable!("not a plain variant: {other:?}"),
    }
}
