//! A guard's description of itself.

mod check;
pub mod identity;
pub mod inspect;
pub mod language;
pub mod metadata;
pub mod outline;
pub mod settings;

use serde::{Deserialize, Serialize};

/// As in the contract, with its texts escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    pub id: String,
    pub version: String,
    pub mark: String,
    pub promise: String,
    pub stages: Vec<Stage>,
    pub globs: Vec<String>,
    pub needs: Vec<Need>,
    /// JSON Schema, as text.
    pub settings_schema: String,
    pub event: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleDoc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Patch,
    Content,
    Command,
    Plan,
    Score,
    Analysis,
}

/// A capability that the guard imports, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// The capability's name.
    pub name: String,
    pub why: String,
    /// Globs of the files that it needs; empty means every file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
}

impl Need {
    /// The smallest grants that suffice, as a pin writes them.
    pub fn grants(&self) -> Vec<String> {
        if self.paths.is_empty() {
            return vec![self.name.clone()];
        }
        self.paths.iter().map(|glob| format!("{}:{glob}", self.name)).collect()
    }
}

/// A rule, as its guard describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleDoc {
    pub rule: String,
    pub summary: String,
    /// An https address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Description {
    /// Where the rule is documented.
    pub fn url_of(&self, rule: &str) -> Option<&str> {
        self.rules.iter().find(|known| known.rule == rule)?.url.as_deref()
    }
}
