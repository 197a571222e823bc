//! `host guard list`: the guards that judge in this repository.

use guardhost_core::change::Mode;
use schemars::JsonSchema;
use serde::Serialize;

/// The guards that judge.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "guards")]
pub struct GuardList {
    pub guards: Vec<GuardRow>,
    /// What reads texts for them, in the order of asking.
    pub languages: Vec<LanguageRow>,
    pub notices: Vec<String>,
}

/// One [language component](languages.md) of the list.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "languageRow")]
pub struct LanguageRow {
    pub id: String,
    pub version: String,
    /// `builtin`, `path:…`, `https://…`, `oci://…`.
    pub source: String,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes of the component.
    pub size: u64,
    /// Languages, as it names them.
    pub reads: Vec<String>,
}

/// One guard of the list.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "guardRow")]
pub struct GuardRow {
    pub id: String,
    /// Its own id, where the pin has another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// Below which it judges, in place of the guard's other pins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// `G13`, or empty.
    #[serde(rename = "g")]
    pub mark: String,
    pub version: String,
    /// `builtin`, `path:…`, `https://…`, `oci://…`.
    pub source: String,
    /// `sha256:…` of the component.
    pub digest: String,
    pub mode: Mode,
    /// Bytes of the component.
    pub size: u64,
    /// The interfaces that the component imports.
    pub imports: Vec<String>,
    /// Beyond the change itself.
    pub grants: Vec<String>,
    /// One sentence of its author.
    pub promise: String,
}
