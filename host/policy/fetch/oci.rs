//! Reads components from registries. Everything is bounded, and compared with the digest and the size that name it.

use serde::Deserialize;

use reqwest::header::LINK;

use super::failure::FetchError;
use super::manifest::{CONFIG, Descriptor, MANIFEST, OciManifest, shown};
use super::registry::{OciRegistry, RegistryAccess};
use super::retry::retrying;
use super::shared_rules::not_one_layer;
use super::{FoundComponent, MAX_COMPONENT, RegistryClient, http};
use crate::config::{ComponentSource, Digest, OciSource};
use guardhost_core::error::Result;

/// In bytes. What the specification asks registries to accept.
const MAX_MANIFEST: u64 = 4 << 20;

/// In bytes, all pages together: some 200,000 tags.
const MAX_TAGS: u64 = 8 << 20;

/// In bytes. Real configurations are much smaller.
const MAX_CONFIG: u64 = 1 << 20;

/// Tags that are asked for at once.
const PAGE: usize = 1_000;

/// A manifest whose bytes have the requested digest, or the one that the registry states.
pub struct FoundManifest {
    pub manifest: OciManifest,
    pub bytes: Vec<u8>,
    pub digest: Digest,
}

pub fn download(artifact: &OciSource, net: &RegistryClient) -> Result<FoundComponent> {
    let login = net.credentials.for_registry(&artifact.registry)?;
    retrying(&artifact.to_string(), || async {
        let registry = OciRegistry::open(artifact, RegistryAccess::Pull, login.as_ref(), net)?;
        let found = pull(&registry, artifact).await?;
        let created = config(&registry, &found.manifest.config).await?.created;
        let layer = found.manifest.layer()?;
        let component = blob(&registry, layer, MAX_COMPONENT, "the component").await?;
        let resolved = OciSource { manifest: Some(found.digest), ..artifact.clone() };
        Ok(FoundComponent {
            source: ComponentSource::Oci(resolved),
            component: component.into(),
            signatures: found.manifest.signatures(),
            manifest: Some(found.bytes),
            published: created.and_then(|created| created.parse().ok()),
        })
    })
}

/// The only layer of an artifact, of at most `max` bytes; messages call it `what`.
pub fn only_layer(artifact: &OciSource, max: u64, what: &str, net: &RegistryClient) -> Result<Vec<u8>> {
    let login = net.credentials.for_registry(&artifact.registry)?;
    retrying(&artifact.to_string(), || async {
        let registry = OciRegistry::open(artifact, RegistryAccess::Pull, login.as_ref(), net)?;
        let found = pull(&registry, artifact).await?;
        match found.manifest.layers.as_slice() {
            [layer] => blob(&registry, layer, max, what).await,
            layers => Err(not_one_layer(layers.len())),
        }
    })
}

/// The manifest alone.
pub fn manifest(artifact: &OciSource, net: &RegistryClient) -> Result<FoundManifest> {
    let login = net.credentials.for_registry(&artifact.registry)?;
    retrying(&artifact.to_string(), || async {
        pull(&OciRegistry::open(artifact, RegistryAccess::Pull, login.as_ref(), net)?, artifact).await
    })
}

pub fn tags(artifact: &OciSource, net: &RegistryClient) -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct TagPage {
        /// `null` in a repository without tags.
        tags: Option<Vec<String>>,
    }

    let login = net.credentials.for_registry(&artifact.registry)?;
    retrying(&artifact.to_string(), || async {
        let registry = OciRegistry::open(artifact, RegistryAccess::Pull, login.as_ref(), net)?;
        let (mut all, mut left) = (Vec::<String>::new(), MAX_TAGS);
        loop {
            let mut url = registry.url("tags/list");
            url.query_pairs_mut().append_pair("n", &PAGE.to_string());
            url.query_pairs_mut().extend_pairs(all.last().map(|last| ("last", last)));
            let response = registry.get(url, "application/json", "the list of tags").await?;
            let more = response.headers().contains_key(LINK);
            let bytes = http::body(response, left, "the list of tags").await?;
            left -= bytes.len() as u64;
            let page: TagPage = serde_json::from_slice(&bytes)
                .map_err(|_| FetchError::content("its list of tags is not JSON of a registry"))?;
            let page = page.tags.unwrap_or_default();
            // A page without a new tag is the last, whatever the registry says.
            let ends = page.is_empty() || page.last() == all.last() || !more && page.len() < PAGE;
            all.extend(page);
            if ends {
                return Ok(all);
            }
        }
    })
}

pub async fn pull(registry: &OciRegistry<'_>, artifact: &OciSource) -> Result<FoundManifest, FetchError> {
    let reference = match (&artifact.manifest, &artifact.tag) {
        (Some(digest), _) => digest.as_str(),
        (None, Some(tag)) => tag.as_str(),
        (None, None) => return Err(FetchError::content("neither version nor digest is named")),
    };
    let what = match &artifact.manifest {
        Some(digest) => format!("a manifest with the digest {digest}"),
        None => format!("a manifest with the tag {reference}"),
    };
    let response = registry.get(registry.url(&format!("manifests/{reference}")), MANIFEST, &what).await?;
    let stated = response.headers().get("docker-content-digest").and_then(|value| value.to_str().ok());
    // A digest of another kind is not compared: the content of a tag is whatever the registry says, until it is locked.
    let stated = stated.and_then(|text| text.parse::<Digest>().ok());
    let bytes = http::body(response, MAX_MANIFEST, "the manifest").await?;
    let digest = Digest::of(&bytes);
    if let Some(expected) = artifact.manifest.as_ref().or(stated.as_ref()).filter(|expected| **expected != digest) {
        return Err(FetchError::wrong_digest("the manifest", expected.as_str(), digest.as_str()));
    }
    Ok(FoundManifest { manifest: OciManifest::parse(&bytes)?, bytes, digest })
}

#[derive(Default, Deserialize)]
struct Configuration {
    created: Option<String>,
}

/// The configuration that the publisher added to the component.
async fn config(registry: &OciRegistry<'_>, descriptor: &Descriptor) -> Result<Configuration, FetchError> {
    if descriptor.media_type != CONFIG {
        let actual = shown(&descriptor.media_type);
        return Err(FetchError::content(format_args!(
            "it is no Wasm artifact: expected a configuration of {CONFIG}, actual {actual}"
        )));
    }
    let bytes = blob(registry, descriptor, MAX_CONFIG, "the configuration").await?;
    serde_json::from_slice(&bytes)
        .map_err(|_| FetchError::content("its configuration cannot be read: expected JSON, actual other text"))
}

/// A blob with the size and the digest that its descriptor says.
async fn blob(
    registry: &OciRegistry<'_>,
    descriptor: &Descriptor,
    max: u64,
    what: &str,
) -> Result<Vec<u8>, FetchError> {
    let url = registry.url(&format!("blobs/{}", descriptor.digest));
    let bytes = http::body(registry.get(url, "*/*", what).await?, max, what).await?;
    let digest = Digest::of(&bytes);
    if digest != descriptor.digest {
        return Err(FetchError::wrong_digest(what, descriptor.digest.as_str(), digest.as_str()));
    }
    if bytes.len() as u64 != descriptor.size {
        return Err(FetchError::content(format_args!(
            "{what} does not have the size in its manifest: expected {} bytes, actual {}",
            descriptor.size,
            bytes.len()
        )));
    }
    Ok(bytes)
}
