//! Pushes a component to a registry.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oci_client::client::{Config, ImageLayer};
use oci_client::manifest::{OCI_IMAGE_MEDIA_TYPE, OciImageManifest};
use serde_json::json;

use super::RegistryClient;
use super::oci::{self, CONFIG, LAYER, SIGNATURE};
use super::retry::{FetchError, retrying};
use super::signature::key_id;
use crate::config::{Digest, OciSource};
use guardhost_core::component::Component;
use guardhost_core::error::{Fault, Kind, Result};

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

/// Pushes to the tag of `to`, and returns the digest of the manifest. If the tag exists with the same component, only the new
/// signatures are added: a published version never changes.
///
/// # Errors
/// `Kind::Config`: the tag exists with another component; `Kind::GuardLoad`: the registry refuses.
pub fn publish(publication: &Publication, to: &OciSource, net: &RegistryClient) -> Result<Digest> {
    let auth = net.credentials.for_registry(&to.registry)?;
    let existing = retrying(&to.to_string(), || async {
        let client = oci::client(to, net)?;
        match oci::pull(&client, to, &auth).await {
            Ok(pulled) => Ok(Some(pulled.manifest)),
            Err(error) if error.is_missing => Ok(None),
            Err(error) => Err(error),
        }
    })?;
    let mut signatures = BTreeMap::new();
    let mut created = publication.created;
    if let Some(manifest) = &existing {
        let published = oci::component(manifest).map_or_else(|error| error.what, str::to_owned);
        if published != publication.component.digest() {
            let what =
                format!("{to} is published already: expected {}, actual {published}", publication.component.digest());
            return Err(Fault::new(Kind::Config, what)
                .hint("a published version stays; give the guard a new one, and run `host guard publish` again")
                .into());
        }
        signatures = oci::signatures(manifest);
        let annotated = manifest.annotations.as_ref().and_then(|all| all.get(CREATED));
        created = annotated.and_then(|date| date.parse().ok()).unwrap_or(created);
    }
    for signature in publication.signatures {
        let key = key_id(signature).unwrap_or_default();
        signatures.insert(format!("{SIGNATURE}{key}"), signature.clone());
    }
    let created = created.to_string();
    retrying(&to.to_string(), || async {
        let layer = ImageLayer::new(publication.component.bytes().to_vec(), LAYER.to_owned(), None);
        let config = config(publication, &created);
        let mut annotations = BTreeMap::from([
            (CREATED.to_owned(), created.clone()),
            ("org.opencontainers.image.title".to_owned(), publication.id.to_owned()),
            ("org.opencontainers.image.version".to_owned(), publication.version.to_owned()),
        ]);
        let encoded = signatures.iter().map(|(key, text)| (key.clone(), STANDARD.encode(text)));
        annotations.extend(encoded);
        let mut manifest = OciImageManifest::build(std::slice::from_ref(&layer), &config, Some(annotations));
        manifest.media_type = Some(OCI_IMAGE_MEDIA_TYPE.to_owned());
        let (client, reference) = (oci::client(to, net)?, oci::reference(to)?);
        client.push(&reference, &[layer], config, &auth, Some(manifest)).await?;
        let digest = client.fetch_manifest_digest(&reference, &auth).await?;
        digest.parse().map_err(FetchError::permanent)
    })
}

const CREATED: &str = "org.opencontainers.image.created";

fn config(publication: &Publication, created: &str) -> Config {
    let config = json!({
        "created": created,
        "architecture": "wasm",
        // The component uses no operating system, but the layout has no other name for components.
        "os": "wasip2",
        "layerDigests": [publication.component.digest()],
        "component": { "imports": publication.imports, "exports": publication.exports, "target": null },
    });
    Config::new(config.to_string(), CONFIG.to_owned(), None)
}
