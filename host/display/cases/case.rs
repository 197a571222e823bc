//! A case: a guard's run, a commit, something that was looked at.

use std::borrow::Cow;

use guardhost_core::change::{Evidence, Finding, GuardVerdict, Mode};

/// A guard's run, a look of the doctor's, or the command itself.
pub struct Case<'a> {
    pub id: &'a str,
    /// `G13`, or empty.
    pub mark: &'a str,
    pub version: &'a str,
    pub digest: &'a str,
    pub outcome: Outcome,
    /// Why it was left out, or what broke.
    pub reason: Option<Cow<'a, str>>,
    pub findings: Cow<'a, [Finding]>,
    /// Its no counts.
    pub enforced: bool,
    pub micros: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Pass,
    /// It said no.
    Fail,
    /// It broke.
    Error,
    Skipped,
}

impl<'a> Case<'a> {
    pub fn new(id: &'a str, outcome: Outcome) -> Self {
        let (mark, version, digest) = ("", "", "");
        Case { id, mark, version, digest, outcome, reason: None, findings: Cow::default(), enforced: true, micros: 0 }
    }
}

pub fn of_evidence(evidence: &Evidence) -> Case<'_> {
    let Evidence { id, mark, version, digest, mode, verdict, micros, .. } = evidence;
    let outcome = match verdict {
        GuardVerdict::Pass(_) => Outcome::Pass,
        GuardVerdict::Reject(_) => Outcome::Fail,
        GuardVerdict::NotApplicable(_) => Outcome::Skipped,
        GuardVerdict::Error { .. } => Outcome::Error,
    };
    Case {
        mark,
        version,
        digest,
        reason: verdict.reason().map(Cow::Borrowed),
        findings: Cow::Borrowed(verdict.findings()),
        enforced: *mode == Mode::Enforce,
        micros: *micros,
        ..Case::new(id, outcome)
    }
}
