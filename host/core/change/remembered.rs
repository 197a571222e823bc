//! What a repository remembers of a ruling: who asked, what was judged, what stood against it. No text of the change, and no message of a finding.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::serialized_names;

/// One ruling of the gate on one change.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "remembered")]
#[serde(default)]
pub struct RememberedRuling {
    /// `check`, `pre-commit`, `agent-edit`, `run`, …
    pub door: String,
    /// `person` or `model`.
    pub author: String,
    /// `claude`, `codex`, …
    pub agent: Option<String>,
    /// `sha256:…` of rules and pins.
    pub rules: String,
    /// The tree before.
    pub base: String,
    /// The tree as it was proposed.
    pub tree: String,
    /// The first 50.
    pub files: Vec<String>,
    pub more_files: usize,
    pub verdict: RememberedVerdict,
    /// Accepted with the guards' fixes.
    pub mended: bool,
    /// Of enforced guards and rules of the host, as proposed.
    pub findings: Vec<RememberedFinding>,
    /// By a person.
    pub allowed: Vec<RememberedAllowance>,
    /// By `--skip`.
    pub skipped: Vec<String>,
    pub rule_change_allowed: bool,
    /// Enforced guards that passed it.
    pub passed: Vec<String>,
    pub micros: u64,
    pub fuel: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "rememberedVerdict")]
pub enum RememberedVerdict {
    Accepted,
    Rejected,
    /// A guard failed.
    Failed,
    /// It alters the rules.
    Refused,
    /// From a newer version.
    #[default]
    #[serde(other)]
    Unknown,
}

serialized_names!(RememberedVerdict);

impl RememberedVerdict {
    /// Whether the change was let through.
    pub fn is_accepted(self) -> bool {
        match self {
            RememberedVerdict::Accepted => true,
            RememberedVerdict::Rejected
            | RememberedVerdict::Failed
            | RememberedVerdict::Refused
            | RememberedVerdict::Unknown => false,
        }
    }
}

/// The errors of one rule in one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "rememberedFinding")]
pub struct RememberedFinding {
    /// `host:…` for a rule of the host.
    pub guard: String,
    /// Or the code of an error.
    pub rule: String,
    pub file: Option<String>,
    pub count: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "rememberedAllowance")]
pub struct RememberedAllowance {
    #[serde(flatten)]
    pub finding: RememberedFinding,
    pub by: AllowedBy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "allowedBy")]
pub enum AllowedBy {
    /// A comment `guardhost: allow RULE reason`.
    Comment,
    /// A baseline.
    Baseline,
}

/// Where rulings are remembered.
pub trait RulingMemory: Send + Sync + fmt::Debug {
    /// Adds one ruling, now.
    ///
    /// # Errors
    /// It could not be written. No verdict depends on that.
    fn remember(&self, ruling: &RememberedRuling) -> Result<()>;
}
