//! Putting a component into a registry, for everybody.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oci_client::client::{Config, ImageLayer};
use oci_client::manifest::{OCI_IMAGE_MEDIA_TYPE, OciImageManifest};
use serde_json::json;

use super::RegistryClient;
use super::oci::{self, CONFIG, LAYER, SIGNATURE};
use super::retry::{Trouble, ask};
use super::signature::key_id;
use crate::config::{Digest, OciSource};
use guardhost_core::component::Component;
use guardhost_core::error::{Fault, Kind, Result};

/// One version of a guard, about to be published.
pub struct Publication<'a> {
    pub id: &'a str,
    pub version: &'a str,
    pub component: &'a Component,
    /// As the component writes them.
    pub imports: &'a [String],
    pub exports: &'a [String],
    /// In minisign's format.
    pub signatures: &'a [String],
    pub created: jiff::Timestamp,
}

/// Pushes to the tag of `to`; the digest of the manifest. A version that is there already gets the new signatures, if it is the
/// same component: versions do not change.
///
/// # Errors
/// `Kind::Config`: the version is there, with another component; `Kind::GuardLoad`: the registry refuses.
pub fn publish(edition: &Publication, to: &OciSource, net: &RegistryClient) -> Result<Digest> {
    let auth = net.credentials.of(&to.registry)?;
    let there = ask(&to.to_string(), || async {
        let client = oci::client(to, net)?;
        match oci::pull(&client, to, &auth).await {
            Ok(pulled) => Ok(Some(pulled.manifest)),
            Err(trouble) if trouble.absent => Ok(None),
            Err(trouble) => Err(trouble),
        }
    })?;
    let mut signatures = BTreeMap::new();
    let mut created = edition.created;
    if let Some(manifest) = &there {
        let published = oci::component(manifest).map_or_else(|trouble| trouble.what, str::to_owned);
        if published != edition.component.digest() {
            let what =
                format!("{to} is published already: expected {}, actual {published}", edition.component.digest());
            return Err(Fault::new(Kind::Config, what)
                .hint("a published version stays; give the guard a new one, and run `host guard publish` again")
                .into());
        }
        signatures = oci::signatures(manifest);
        let told = manifest.annotations.as_ref().and_then(|all| all.get(CREATED));
        created = told.and_then(|told| told.parse().ok()).unwrap_or(created);
    }
    for signature in edition.signatures {
        let key = key_id(signature).unwrap_or_default();
        signatures.insert(format!("{SIGNATURE}{key}"), signature.clone());
    }
    let created = created.to_string();
    ask(&to.to_string(), || async {
        let layer = ImageLayer::new(edition.component.bytes().to_vec(), LAYER.to_owned(), None);
        let config = config(edition, &created);
        let mut annotations = BTreeMap::from([
            (CREATED.to_owned(), created.clone()),
            ("org.opencontainers.image.title".to_owned(), edition.id.to_owned()),
            ("org.opencontainers.image.version".to_owned(), edition.version.to_owned()),
        ]);
        let encoded = signatures.iter().map(|(key, text)| (key.clone(), STANDARD.encode(text)));
        annotations.extend(encoded);
        let mut manifest = OciImageManifest::build(std::slice::from_ref(&layer), &config, Some(annotations));
        manifest.media_type = Some(OCI_IMAGE_MEDIA_TYPE.to_owned());
        let (client, reference) = (oci::client(to, net)?, oci::reference(to)?);
        client.push(&reference, &[layer], config, &auth, Some(manifest)).await?;
        let digest = client.fetch_manifest_digest(&reference, &auth).await?;
        digest.parse().map_err(Trouble::lasting)
    })
}

const CREATED: &str = "org.opencontainers.image.created";

fn config(edition: &Publication, created: &str) -> Config {
    let config = json!({
        "created": created,
        "architecture": "wasm",
        // A component that wants nothing of an operating system; the layout knows no other name for components.
        "os": "wasip2",
        "layerDigests": [edition.component.digest()],
        "component": { "imports": edition.imports, "exports": edition.exports, "target": null },
    });
    Config::new(config.to_string(), CONFIG.to_owned(), None)
}
