//! One test case with its outcome and findings.

use std::borrow::Cow;

use guardhost_core::change::{AllowedFinding, Evidence, Finding, GuardVerdict, Mode, Severity};

/// A guard's run, a refusal, a check of `host doctor`, a step of a plan, …
pub struct TestCase<'a> {
    pub id: &'a str,
    /// `G13`, or empty.
    pub mark: &'a str,
    pub version: &'a str,
    pub digest: &'a str,
    pub outcome: CaseOutcome,
    /// Why the case was skipped, or what failed; None for passes and rejections.
    pub reason: Option<Cow<'a, str>>,
    pub findings: Cow<'a, [Finding]>,
    /// Findings that do not count.
    pub allowed: &'a [AllowedFinding],
    /// A failure of this case counts. False for monitored guards.
    pub enforced: bool,
    pub micros: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseOutcome {
    Pass,
    /// The guard rejected, or the check failed.
    Fail,
    /// The guard or the command itself failed.
    Error,
    Skipped,
}

impl<'a> TestCase<'a> {
    /// Enforced, without findings.
    pub fn new(id: &'a str, outcome: CaseOutcome) -> Self {
        let (mark, version, digest) = ("", "", "");
        TestCase {
            id,
            mark,
            version,
            digest,
            outcome,
            reason: None,
            findings: Cow::default(),
            allowed: &[],
            enforced: true,
            micros: 0,
        }
    }
}

/// The run of one guard.
pub fn from_evidence(evidence: &Evidence) -> TestCase<'_> {
    let Evidence { id, mark, version, digest, mode, verdict, micros, .. } = evidence;
    let outcome = match verdict {
        GuardVerdict::Pass(_) => CaseOutcome::Pass,
        GuardVerdict::Reject(_) => CaseOutcome::Fail,
        GuardVerdict::NotApplicable(_) => CaseOutcome::Skipped,
        GuardVerdict::Error { .. } => CaseOutcome::Error,
    };
    TestCase {
        mark,
        version,
        digest,
        reason: verdict.reason().map(Cow::Borrowed),
        findings: Cow::Borrowed(verdict.findings()),
        allowed: &evidence.allowed,
        enforced: *mode == Mode::Enforce,
        micros: *micros,
        ..TestCase::new(id, outcome)
    }
}

/// A finding of the host itself, about no file.
pub fn finding(rule: &str, severity: Severity, message: &str) -> Finding {
    Finding::new(rule, severity, message)
}
