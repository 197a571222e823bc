//! Pushes a component to a registry.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, LOCATION};
use serde_json::json;

use super::RegistryClient;
use super::failure::{FetchError, FetchFailure};
use super::manifest::{CONFIG, Descriptor, LAYER, MANIFEST, OciManifest, SIGNATURE, TITLE};
use super::oci;
use super::registry::{OciRegistry, RegistryAccess};
use super::retry::retrying;
use super::signature::key_id;
use crate::config::{Digest, OciSource};
use guardhost_core::component::Component;
use guardhost_core::error::{Fault, FaultKind, Result};

/// One version of a guard, about to be published.
pub struct Publication<'a> {
    pub id: &'a str,
    pub version: &'a str,
    pub component: &'a Component,
    /// The interfaces, as the component names them.
    pub imports: &'a [String],
    pub exports: &'a [String],
    /// In minisign's format.
    pub signatures: &'a [String],
    pub created: jiff::Timestamp,
}

const CREATED: &str = "org.opencontainers.image.created";

/// Pushes to the tag of `to`, and returns the digest of the manifest. If the tag exists with the same component, only the new
/// signatures are added: a published version never changes.
///
/// # Errors
/// `Kind::Config`: the tag exists with another component; `Kind::GuardLoad`: the registry refuses.
pub fn publish(publication: &Publication, to: &OciSource, net: &RegistryClient) -> Result<Digest> {
    let login = net.credentials.for_registry(&to.registry)?;
    let existing = retrying(&to.to_string(), || async {
        match oci::pull(&OciRegistry::open(to, RegistryAccess::Push, login.as_ref(), net)?, to).await {
            Ok(pulled) => Ok(Some(pulled.manifest)),
            Err(error) if error.class == FetchFailure::Missing => Ok(None),
            Err(error) => Err(error),
        }
    })?;
    let (mut signatures, mut created) = (BTreeMap::new(), publication.created);
    if let Some(manifest) = existing {
        let published = manifest.layer().map_or_else(|error| error.what, |layer| layer.digest.to_string());
        if published != publication.component.digest() {
            let what =
                format!("{to} is published already: expected {}, actual {published}", publication.component.digest());
            return Err(Fault::new(FaultKind::Config, what)
                .hint("a published version stays; give the guard a new one, and run `host guard publish` again")
                .into());
        }
        created = manifest.annotations.get(CREATED).and_then(|date| date.parse().ok()).unwrap_or(created);
        signatures = manifest.annotations;
        signatures.retain(|key, _| key.starts_with(SIGNATURE));
    }
    for signature in publication.signatures {
        let key = key_id(signature).unwrap_or_default();
        signatures.insert(format!("{SIGNATURE}{key}"), STANDARD.encode(signature));
    }
    let created = created.to_string();
    let config = config(publication, &created).to_string().into_bytes();
    let layer = Descriptor {
        annotations: BTreeMap::from([(TITLE.to_owned(), format!("{}.wasm", publication.id))]),
        ..descriptor(LAYER, publication.component.bytes())
    };
    let mut annotations = signatures;
    annotations.extend([
        (CREATED.to_owned(), created),
        (TITLE.to_owned(), publication.id.to_owned()),
        ("org.opencontainers.image.version".to_owned(), publication.version.to_owned()),
    ]);
    let manifest = OciManifest {
        schema_version: 2,
        media_type: Some(MANIFEST.to_owned()),
        config: descriptor(CONFIG, &config),
        layers: vec![layer],
        annotations,
    };
    let bytes = serde_json::to_vec(&manifest)?;
    retrying(&to.to_string(), || async {
        let registry = OciRegistry::open(to, RegistryAccess::Push, login.as_ref(), net)?;
        push_blob(&registry, publication.component.bytes()).await?;
        push_blob(&registry, &config).await?;
        push_manifest(&registry, &bytes, publication.version).await
    })
}

fn descriptor(media_type: &str, bytes: &[u8]) -> Descriptor {
    Descriptor {
        media_type: media_type.to_owned(),
        digest: Digest::of(bytes),
        size: bytes.len() as u64,
        annotations: BTreeMap::new(),
    }
}

/// In one piece, unless the registry has it.
async fn push_blob(registry: &OciRegistry<'_>, bytes: &[u8]) -> Result<(), FetchError> {
    let digest = Digest::of(bytes);
    let there = registry.url(&format!("blobs/{digest}"));
    match registry.send("a blob", |http| http.head(there.clone())).await {
        Ok(response) if response.status() == StatusCode::OK => return Ok(()),
        Err(error) if error.class.is_transient() => return Err(error),
        // Not there; or a server that the registry redirects to does not say. The upload shows whether it may be there.
        Ok(_) | Err(_) => {}
    }
    let begin = registry.url("blobs/uploads/");
    // Some registries want the length of a body that is not there.
    let begun = registry.send("an upload", |http| http.post(begin.clone()).header(CONTENT_LENGTH, 0)).await?;
    let mut place = location(begun.headers(), begun.url())?;
    place.query_pairs_mut().append_pair("digest", digest.as_str());
    let put = registry.send("an upload", |http| {
        http.put(place.clone()).header(CONTENT_TYPE, "application/octet-stream").body(bytes.to_vec())
    });
    put.await.map(drop)
}

/// Where a registry wants the bytes: a path, or a whole address.
fn location(headers: &HeaderMap, asked: &reqwest::Url) -> Result<reqwest::Url, FetchError> {
    let place = headers.get(LOCATION).and_then(|value| value.to_str().ok()).and_then(|place| asked.join(place).ok());
    place.ok_or_else(|| FetchError::new(FetchFailure::Rejected, "it does not say where to upload: expected a Location"))
}

async fn push_manifest(registry: &OciRegistry<'_>, bytes: &[u8], tag: &str) -> Result<Digest, FetchError> {
    let url = registry.url(&format!("manifests/{tag}"));
    let pushed = registry
        .send("a manifest", |http| http.put(url.clone()).header(CONTENT_TYPE, MANIFEST).body(bytes.to_vec()))
        .await?;
    let digest = Digest::of(bytes);
    let stated = pushed.headers().get("docker-content-digest").and_then(|value| value.to_str().ok());
    match stated.and_then(|text| text.parse::<Digest>().ok()) {
        Some(stated) if stated != digest => {
            Err(FetchError::wrong_digest("the manifest that the registry keeps", digest.as_str(), stated.as_str()))
        }
        _ => Ok(digest),
    }
}

fn config(publication: &Publication, created: &str) -> serde_json::Value {
    json!({
        "created": created,
        "architecture": "wasm",
        // The component uses no operating system, but the layout has no other name for components.
        "os": "wasip2",
        "layerDigests": [publication.component.digest()],
        "component": { "imports": publication.imports, "exports": publication.exports, "target": null },
    })
}
