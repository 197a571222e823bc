//! One account of what running a change has shown: each claim proved, refuted or not known.

use std::collections::BTreeMap;

use guardhost_core::change::{Evidence, Finding, Judgement, VerdictKind};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProofState {
    Proved,
    Refuted,
    NotKnown,
}

impl ProofState {
    /// For people.
    pub fn as_str(self) -> &'static str {
        match self {
            ProofState::Proved => "proved",
            ProofState::Refuted => "refuted",
            ProofState::NotKnown => "not known",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "proof")]
pub struct ChangeProof {
    /// `it builds`, `its linters object to nothing new`, `what passed before passes now`, `its tests fail without it`, `its tests run its lines`, `its tests notice
    /// when it is broken`.
    pub claim: &'static str,
    pub state: ProofState,
    /// Why it is not proved.
    pub why: Option<String>,
    pub guard: String,
    /// Repeats it.
    pub command: String,
}

/// Counts the tests that failed without the change, and proves nothing where it does not.
const RED_FIRST: &str = "red-first";

/// Counts the changed lines that the tests go over, and those that they do not.
const LINES_RUN: &str = "lines-run";

/// Counts the small edits that the tests noticed, and those that they did not.
const MUTANTS: &str = "mutants";

/// The guards that run a change, with what each of them claims.
const CLAIMS: [(&str, &str); 6] = [
    ("builds", "it builds"),
    ("no-lint-regressions", "its linters object to nothing new"),
    ("no-test-regressions", "what passed before passes now"),
    (RED_FIRST, "its tests fail without it"),
    (LINES_RUN, "its tests run its lines"),
    (MUTANTS, "its tests notice when it is broken"),
];

/// What one guard said, wherever that is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    pub guard: &'a str,
    pub verdict: VerdictKind,
    /// Of an error, and of a guard that was not concerned.
    pub reason: Option<&'a str>,
    pub findings: &'a [Finding],
    pub metrics: &'a BTreeMap<String, f64>,
}

/// One for each guard of the judgement that runs the change.
pub fn proofs(judgement: &Judgement) -> Vec<ChangeProof> {
    let said: Vec<Said> = judgement.evidence.iter().map(Said::from).collect();
    proofs_of(&said)
}

/// The same of what was recorded.
pub fn proofs_of(said: &[Said]) -> Vec<ChangeProof> {
    let proof = |(guard, claim): (&str, &'static str)| {
        let said = said.iter().find(|said| said.guard == guard)?;
        let (state, why) = said.state();
        let command = format!("host check --guard {guard}");
        Some(ChangeProof { claim, state, why, guard: guard.to_owned(), command })
    };
    CLAIMS.into_iter().filter_map(proof).collect()
}

impl<'a> From<&'a Evidence> for Said<'a> {
    fn from(evidence: &'a Evidence) -> Self {
        Said {
            guard: &evidence.id,
            verdict: VerdictKind::from(&evidence.verdict),
            reason: evidence.verdict.reason(),
            findings: evidence.verdict.findings(),
            metrics: &evidence.metrics,
        }
    }
}

impl Said<'_> {
    fn state(&self) -> (ProofState, Option<String>) {
        let line = |finding: &Finding| finding.message.lines().next().unwrap_or_default().to_owned();
        let first = |rules: &[&str]| self.findings.iter().find(|found| rules.contains(&found.rule.as_str())).map(line);
        let counted = |name: &str| self.metrics.get(name).map(|count| *count > 0.0);
        match (self.verdict, self.guard) {
            (VerdictKind::Error | VerdictKind::NotApplicable, _) => {
                (ProofState::NotKnown, self.reason.map(str::to_owned))
            }
            (VerdictKind::Reject, _) => (ProofState::Refuted, self.findings.first().map(line)),
            // A survivor is a warning by default, and one is enough to know that something goes unnoticed.
            (VerdictKind::Pass, MUTANTS) => match (counted("survived"), counted("killed")) {
                (Some(true), _) => (ProofState::Refuted, first(&["mutant-survived"])),
                (Some(false), Some(true)) => (ProofState::Proved, None),
                (Some(false), Some(false) | None) | (None, _) => {
                    let why =
                        first(&["not-run"]).unwrap_or_else(|| "it did not say what became of the mutants".to_owned());
                    (ProofState::NotKnown, Some(why))
                }
            },
            // So is a line that no test goes over. One of which nothing is known leaves the claim open.
            (VerdictKind::Pass, LINES_RUN) => match (counted("not-run"), counted("not-known"), counted("run")) {
                (Some(true), _, _) => (ProofState::Refuted, first(&["not-run"])),
                (Some(false), Some(false), Some(true)) => (ProofState::Proved, None),
                (Some(false), _, _) | (None, _, _) => {
                    let why = first(&["not-known"]).unwrap_or_else(|| "it did not say which lines are run".to_owned());
                    (ProofState::NotKnown, Some(why))
                }
            },
            (VerdictKind::Pass, RED_FIRST) => match (counted(RED_FIRST), counted("not-known")) {
                (Some(true), _) => (ProofState::Proved, None),
                (Some(false), Some(true)) => (ProofState::NotKnown, first(&["not-known"])),
                (Some(false), Some(false) | None) => (ProofState::Refuted, first(&["never-red", "still-red"])),
                (None, _) => {
                    (ProofState::NotKnown, Some("it did not say how many tests failed without the change".to_owned()))
                }
            },
            // A part of the tests was not run.
            (VerdictKind::Pass, _) => match first(&["not-run", "not-known"]) {
                Some(why) => (ProofState::NotKnown, Some(why)),
                None => (ProofState::Proved, None),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use guardhost_core::change::{Basis, EvidenceSource, GuardVerdict, Mode};

    use super::*;

    #[test]
    fn what_counts_nothing_proves_nothing() {
        let passed = |id: &str| Evidence {
            id: id.to_owned(),
            mark: String::new(),
            version: String::new(),
            digest: String::new(),
            mode: Mode::default(),
            source: EvidenceSource::Guard,
            verdict: GuardVerdict::Pass(Vec::new()),
            event: String::new(),
            micros: 0,
            fuel: 0,
            reused: false,
            cached: false,
            metrics: BTreeMap::new(),
            log: Vec::new(),
            allowed: Vec::new(),
            basis: Basis::default(),
        };
        let state = |evidence: &Evidence| Said::from(evidence).state();
        assert_eq!(state(&passed("builds")).0, ProofState::Proved);
        assert_eq!(state(&passed(RED_FIRST)).0, ProofState::NotKnown);
        for (red, unknown, expected) in
            [(2.0, 1.0, ProofState::Proved), (0.0, 1.0, ProofState::NotKnown), (0.0, 0.0, ProofState::Refuted)]
        {
            let mut evidence = passed(RED_FIRST);
            evidence.metrics = [(RED_FIRST.to_owned(), red), ("not-known".to_owned(), unknown)].into_iter().collect();
            assert_eq!(state(&evidence).0, expected);
        }
        assert_eq!(state(&passed(LINES_RUN)).0, ProofState::NotKnown);
        for (run, not_run, not_known, expected) in [
            (2.0, 1.0, 1.0, ProofState::Refuted),
            (2.0, 0.0, 1.0, ProofState::NotKnown),
            (0.0, 0.0, 0.0, ProofState::NotKnown),
            (2.0, 0.0, 0.0, ProofState::Proved),
        ] {
            let mut evidence = passed(LINES_RUN);
            let metrics = [("run", run), ("not-run", not_run), ("not-known", not_known)];
            evidence.metrics = metrics.map(|(name, count)| (name.to_owned(), count)).into_iter().collect();
            assert_eq!(state(&evidence).0, expected);
        }
        assert_eq!(state(&passed(MUTANTS)).0, ProofState::NotKnown);
        for (killed, survived, expected) in
            [(2.0, 1.0, ProofState::Refuted), (2.0, 0.0, ProofState::Proved), (0.0, 0.0, ProofState::NotKnown)]
        {
            let mut evidence = passed(MUTANTS);
            let metrics = [("killed", killed), ("survived", survived), ("not-run", 1.0)];
            evidence.metrics = metrics.map(|(name, count)| (name.to_owned(), count)).into_iter().collect();
            assert_eq!(state(&evidence).0, expected);
        }
    }
}
