//! What a guard objects to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::serialized_names;

/// Texts of guards, escaped and cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "finding")]
pub struct Finding {
    /// See `host explain GUARD/RULE`.
    pub rule: String,
    #[serde(default = "unknown", deserialize_with = "known_or_error")]
    pub severity: Severity,
    /// `null`: about the whole change.
    pub path: Option<String>,
    /// From 1, in the new file, or in a deleted one.
    pub line: Option<u32>,
    /// The last line, inclusive.
    pub end_line: Option<u32>,
    /// Of the first line, from 1, in Unicode scalar values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Of the last line, inclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
    #[serde(default)]
    pub message: String,
    pub help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// Its lines hold a secret: none is shown.
    #[serde(default, rename = "secret", skip_serializing_if = "is_false")]
    pub is_secret: bool,
}

impl Finding {
    /// About the whole change.
    pub fn new(rule: impl Into<String>, severity: Severity, message: impl Into<String>) -> Self {
        Finding {
            rule: rule.into(),
            severity,
            path: None,
            line: None,
            end_line: None,
            column: None,
            end_column: None,
            message: message.into(),
            help: None,
            help_url: None,
            related: Vec::new(),
            fix: None,
            is_secret: false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "related")]
pub struct Related {
    pub path: String,
    /// From 1.
    pub line: u32,
    /// Inclusive.
    pub end_line: u32,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "severity")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

/// A record of another version may say nothing, or a word that this one does not know: that counts as grave.
fn unknown() -> Severity {
    Severity::Error
}

fn known_or_error<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
    let word = String::deserialize(deserializer)?;
    let mut known = [Severity::Error, Severity::Warning, Severity::Info].into_iter();
    Ok(known.find(|severity| severity.as_str() == word).unwrap_or_else(unknown))
}

serialized_names!(Severity);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "fix")]
pub struct Fix {
    pub title: String,
    #[serde(default)]
    pub edits: Vec<Edit>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Bytes `start..end` of the new file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "edit")]
pub struct Edit {
    pub path: String,
    pub start: u64,
    pub end: u64,
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    #[schemars(with = "String")]
    pub replacement: Vec<u8>,
}

fn as_text<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&String::from_utf8_lossy(bytes))
}

fn from_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    String::deserialize(deserializer).map(String::into_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `judgement.json` of a run is read by later hosts, and by those of other machines.
    #[test]
    fn a_finding_of_another_version_is_read() {
        for (severity, read) in
            [("\"warning\"", Severity::Warning), ("\"info\"", Severity::Info), ("\"fatal\"", Severity::Error)]
        {
            let text = format!(r#"{{"rule":"r","severity":{severity},"later":1,"fix":{{"title":"t"}}}}"#);
            let finding: Finding = serde_json::from_str(&text).unwrap();
            assert_eq!((finding.severity, finding.path, finding.message.as_str()), (read, None, ""));
        }
        assert_eq!(serde_json::from_str::<Finding>(r#"{"rule":"r"}"#).unwrap().severity, Severity::Error);
    }
}
