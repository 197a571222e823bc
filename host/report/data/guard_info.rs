//! `host guard info`: everything that a component says about itself.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::GuardRow;

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

/// Text of the guard: JSON only if the guard keeps the contract.
fn as_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match serde_json::from_str::<Value>(text) {
        Ok(schema) => schema.serialize(serializer),
        Err(_) => serializer.serialize_str(text),
    }
}
