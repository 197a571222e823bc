//! The manifest of a component in a registry, laid out as the CNCF's "Wasm OCI Artifact" says:
//! <https://tag-runtime.cncf.io/wgs/wasm/deliverables/wasm-oci-artifact/>. The layer is the component itself, so that its
//! digest in the manifest is the digest that is pinned.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize};

use super::MAX_COMPONENT;
use super::failure::FetchError;
use crate::config::Digest;

pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
pub const CONFIG: &str = "application/vnd.wasm.config.v0+json";
pub const LAYER: &str = "application/wasm";
/// Annotations of the manifest whose keys begin like this hold signatures of the component in base64, because signatures have
/// several lines. The key ends with the id of the key that signed.
pub const SIGNATURE: &str = "guardhost.minisign.";
/// The annotation from which other clients take the name of a file.
pub const TITLE: &str = "org.opencontainers.image.title";

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OciManifest {
    pub schema_version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    pub config: Descriptor,
    pub layers: Vec<Descriptor>,
    #[serde(default, deserialize_with = "or_empty", skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    pub media_type: String,
    pub digest: Digest,
    /// In bytes.
    pub size: u64,
    #[serde(default, deserialize_with = "or_empty", skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// Some clients write `null` for no annotations.
fn or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

impl OciManifest {
    pub fn parse(bytes: &[u8]) -> Result<Self, FetchError> {
        serde_json::from_slice(bytes).map_err(|error| {
            FetchError::content(format_args!(
                "its manifest cannot be read: expected {MANIFEST}, actual other JSON at line {}, column {}",
                error.line(),
                error.column()
            ))
        })
    }

    /// The component.
    pub fn layer(&self) -> Result<&Descriptor, FetchError> {
        let mut layers = self.layers.iter().filter(|layer| layer.media_type == LAYER);
        let (Some(layer), None) = (layers.next(), layers.next()) else {
            let types: Vec<String> = self.layers.iter().take(4).map(|layer| shown(&layer.media_type)).collect();
            let actual = if types.is_empty() { "no layer".to_owned() } else { types.join(", ") };
            return Err(FetchError::content(format_args!(
                "it is no guard: expected one layer of {LAYER}, actual {actual}"
            )));
        };
        if layer.size > MAX_COMPONENT {
            let size = layer.size;
            return Err(FetchError::content(format_args!(
                "the component is too large: expected at most {MAX_COMPONENT} bytes, actual {size}"
            )));
        }
        Ok(layer)
    }

    /// The texts of the signatures. What is not base64 stays as it is, so that it is named as unreadable later.
    pub fn signatures(&self) -> Vec<String> {
        let values = self.annotations.iter().filter(|(key, _)| key.starts_with(SIGNATURE)).map(|(_, value)| value);
        let decoded = |value: &String| STANDARD.decode(value).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        values.map(|value| decoded(value).unwrap_or_else(|| value.clone())).collect()
    }
}

/// A media type for a message: text of a stranger.
pub fn shown(text: &str) -> String {
    text.chars().take(80).flat_map(char::escape_debug).collect()
}
