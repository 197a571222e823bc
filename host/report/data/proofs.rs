//! One account of what running a change has shown: each claim proved, refuted or not known.

use guardhost_core::change::{Evidence, Finding, GuardVerdict, Judgement};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProofState {
    Proved,
    Refuted,
    /// Nobody looked, or what was seen decides nothing.
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

/// What a guard that runs the change has shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "proof")]
pub struct ChangeProof {
    /// `it builds`, `what passed before passes now`, `its tests fail without it`, `its tests notice when it is broken`.
    pub claim: &'static str,
    pub state: ProofState,
    /// What refutes it, or why it is not known; `null` when it is proved.
    pub why: Option<String>,
    /// The guard that looked.
    pub guard: String,
    /// Repeats it, anywhere: with the options that name the change, such as `--range`.
    pub command: String,
}

/// Counts the tests that failed without the change, and proves nothing where it does not.
const RED_FIRST: &str = "red-first";

/// Counts the small edits that the tests noticed, and those that they did not.
const MUTANTS: &str = "mutants";

/// The guards that run a change, with what each of them claims.
const CLAIMS: [(&str, &str); 4] = [
    ("builds", "it builds"),
    ("no-test-regressions", "what passed before passes now"),
    (RED_FIRST, "its tests fail without it"),
    (MUTANTS, "its tests notice when it is broken"),
];

/// One for each guard of the judgement that runs the change.
pub fn proofs(judgement: &Judgement) -> Vec<ChangeProof> {
    let proof = |(guard, claim): (&str, &'static str)| {
        let evidence = judgement.evidence.iter().find(|evidence| evidence.id == guard)?;
        let (state, why) = state(evidence);
        let command = format!("host check --guard {guard}");
        Some(ChangeProof { claim, state, why, guard: guard.to_owned(), command })
    };
    CLAIMS.into_iter().filter_map(proof).collect()
}

fn state(evidence: &Evidence) -> (ProofState, Option<String>) {
    let first = |rules: &[&str]| {
        let found = evidence.verdict.findings().iter().find(|finding| rules.contains(&finding.rule.as_str()));
        found.map(|finding: &Finding| finding.message.lines().next().unwrap_or_default().to_owned())
    };
    // How many of the tests of a change were seen to fail without it; only `red-first` counts them.
    let counted = |name: &str| evidence.metrics.get(name).map(|count| *count > 0.0);
    match &evidence.verdict {
        GuardVerdict::Error { message, .. } => (ProofState::NotKnown, Some(message.clone())),
        GuardVerdict::NotApplicable(_) => (ProofState::NotKnown, evidence.verdict.reason().map(str::to_owned)),
        GuardVerdict::Reject(findings) => {
            let why = findings.first().map(|finding| finding.message.lines().next().unwrap_or_default().to_owned());
            (ProofState::Refuted, why)
        }
        // A survivor is a warning by default, and one is enough to know that something goes unnoticed.
        GuardVerdict::Pass(_) if evidence.id == MUTANTS => match (counted("survived"), counted("killed")) {
            (Some(true), _) => (ProofState::Refuted, first(&["mutant-survived"])),
            (Some(false), Some(true)) => (ProofState::Proved, None),
            (Some(false), Some(false) | None) | (None, _) => {
                let why = first(&["not-run"]).unwrap_or_else(|| "it did not say what became of the mutants".to_owned());
                (ProofState::NotKnown, Some(why))
            }
        },
        GuardVerdict::Pass(_) => match (counted(RED_FIRST), counted("not-known")) {
            (None, _) if evidence.id == RED_FIRST => {
                (ProofState::NotKnown, Some("it did not say how many tests failed without the change".to_owned()))
            }
            // A part of the tests was not run.
            (None, _) => match first(&["not-run", "not-known"]) {
                Some(why) => (ProofState::NotKnown, Some(why)),
                None => (ProofState::Proved, None),
            },
            (Some(true), _) => (ProofState::Proved, None),
            (Some(false), Some(true)) => (ProofState::NotKnown, first(&["not-known"])),
            (Some(false), Some(false) | None) => (ProofState::Refuted, first(&["never-red", "still-red"])),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use guardhost_core::change::{Basis, EvidenceSource, Mode};

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
        assert_eq!(state(&passed("builds")).0, ProofState::Proved);
        assert_eq!(state(&passed(RED_FIRST)).0, ProofState::NotKnown);
        for (red, unknown, expected) in
            [(2.0, 1.0, ProofState::Proved), (0.0, 1.0, ProofState::NotKnown), (0.0, 0.0, ProofState::Refuted)]
        {
            let mut evidence = passed(RED_FIRST);
            evidence.metrics = [(RED_FIRST.to_owned(), red), ("not-known".to_owned(), unknown)].into_iter().collect();
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
