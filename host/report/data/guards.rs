//! `host guard list`: the guards that judge in this repository.

use guardhost_core::change::Mode;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "guards")]
pub struct GuardList {
    pub guards: Vec<GuardRow>,
    /// [Language components](languages.md), in their order.
    pub languages: Vec<LanguageRow>,
    pub notices: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "languageRow")]
pub struct LanguageRow {
    pub id: String,
    pub version: String,
    /// `builtin`, `path:…`, `https://…`, `oci://…`.
    pub source: String,
    /// `sha256:…` of the component.
    pub digest: String,
    /// Bytes.
    pub size: u64,
    /// Languages.
    pub reads: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(rename = "guardRow")]
pub struct GuardRow {
    pub id: String,
    /// Its own id, where the pin has another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// Where it judges instead of other pins.
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
    /// Bytes.
    pub size: u64,
    /// Interfaces.
    pub imports: Vec<String>,
    /// Beyond the change itself.
    pub grants: Vec<String>,
    /// One sentence.
    pub promise: String,
}
