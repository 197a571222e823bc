//! `host guard info`: everything that a component says about itself.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{GuardRow, LanguageRow};

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "guardDetails")]
pub struct GuardInfo {
    #[serde(flatten)]
    pub row: GuardRow,
    /// By this repository.
    pub pinned: bool,
    /// Imports that need a grant.
    pub rights: Vec<GuardRight>,
    pub exports: Vec<String>,
    /// Tools that built it.
    pub toolchain: Vec<String>,
    pub stages: Vec<String>,
    /// Empty: all files.
    pub globs: Vec<String>,
    /// A JSON Schema.
    #[serde(serialize_with = "as_json")]
    #[schemars(with = "Value")]
    pub settings_schema: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "guardRight")]
pub struct GuardRight {
    pub name: String,
    /// The guard's reason.
    pub why: String,
    /// `guards.toml` grants it, or the guard is built in.
    #[serde(skip)]
    pub granted: bool,
}

/// `host guard info` of a language component.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "languageDetails")]
pub struct LanguageInfo {
    #[serde(flatten)]
    pub row: LanguageRow,
    /// By this repository.
    pub pinned: bool,
    /// Interfaces.
    pub imports: Vec<String>,
    pub exports: Vec<String>,
    /// Tools that built it.
    pub toolchain: Vec<String>,
    pub claims: Vec<ClaimedLanguage>,
}

/// One language that a component reads.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "claimedLanguage")]
pub struct ClaimedLanguage {
    pub language: String,
    /// Of names, without the dot.
    pub endings: Vec<String>,
    /// Whole names of files.
    pub names: Vec<String>,
    /// Programs that a first line starts.
    pub interpreters: Vec<String>,
    pub line_comments: Vec<String>,
    /// What opens and what closes one.
    pub block_comments: Vec<(String, String)>,
    /// Of every line that puts a test to sleep, a part.
    pub sleep_marks: Vec<String>,
    /// Of every statement that hides an error, a part.
    pub error_marks: Vec<String>,
    /// `problems`, `outline`, `surface`, `signatures`, `names`.
    pub answers: Vec<String>,
}

/// Text of the guard: JSON only if the guard keeps the contract.
fn as_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match serde_json::from_str::<Value>(text) {
        Ok(schema) => schema.serialize(serializer),
        Err(_) => serializer.serialize_str(text),
    }
}
