//! Rules that the host itself holds a change to, beside the guards. Each rejects with evidence of its own.

use std::collections::BTreeMap;

use super::{COULD_NOT_LOOK, Evidence, Failed, Finding, GuardVerdict, Mode};

/// One such rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostRule {
    /// A file that the guards could judge in the base they can judge in the candidate.
    FilesReadable,
    /// At least one guard judged the change.
    ChangeJudged,
    /// `guards.lock` of the candidate fits its `guards.toml` and its components.
    LockFits,
    /// The change adds no comment that allows a finding, where only a person may.
    NoOwnExceptions,
    /// Commits of models say that a model made them, where the rules ask for it.
    ModelsDisclosed,
    /// The change leaves the rules that judge it as they are.
    RulesKept,
}

impl HostRule {
    pub const ALL: [HostRule; 6] = [
        HostRule::FilesReadable,
        HostRule::ChangeJudged,
        HostRule::LockFits,
        HostRule::NoOwnExceptions,
        HostRule::ModelsDisclosed,
        HostRule::RulesKept,
    ];

    /// The id in reports. No guard can have it: the id of a guard has no colon.
    pub fn id(self) -> &'static str {
        match self {
            HostRule::FilesReadable => "host:readable",
            HostRule::ChangeJudged => "host:judged",
            HostRule::LockFits => "host:lock",
            HostRule::NoOwnExceptions => "host:exceptions",
            HostRule::ModelsDisclosed => "host:disclosed",
            HostRule::RulesKept => "host:rules",
        }
    }

    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.id() == id)
    }

    /// The rejection with these findings, of which one must be an error.
    pub fn rejection(self, findings: Vec<Finding>) -> Evidence {
        self.evidence(GuardVerdict::Reject(findings))
    }

    /// The rule could not be checked, because the repository could not be read. That rejects like the failure of a guard.
    pub fn failure(self, message: String) -> Evidence {
        self.evidence(GuardVerdict::Error { code: "repository", message, failed: Failed::Machine })
    }

    /// What the rule is about could not be found out on this machine or by this command.
    pub fn could_not_look(self, message: String) -> Evidence {
        self.evidence(GuardVerdict::Error { code: COULD_NOT_LOOK, message, failed: Failed::Run })
    }

    fn evidence(self, verdict: GuardVerdict) -> Evidence {
        Evidence {
            id: self.id().to_owned(),
            mark: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            digest: String::new(),
            mode: Mode::Enforce,
            source: super::EvidenceSource::Host,
            verdict,
            event: String::new(),
            micros: 0,
            fuel: 0,
            reused: false,
            cached: true,
            metrics: BTreeMap::new(),
            log: Vec::new(),
            allowed: Vec::new(),
            basis: super::Basis::default(),
        }
    }
}
