//! Components in registries, laid out as the CNCF's "Wasm OCI Artifact" says:
//! <https://tag-runtime.cncf.io/wgs/wasm/deliverables/wasm-oci-artifact/>. The layer is the component itself, so that its
//! digest in the manifest is the digest that is pinned.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oci_client::client::{ClientConfig, ClientProtocol};
use oci_client::errors::{DigestError, OciDistributionError, OciErrorCode};
use oci_client::manifest::{OCI_IMAGE_MEDIA_TYPE, OciImageManifest};
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference};
use serde::Deserialize;

use super::bounded::BoundedBuffer;
use super::retry::{FetchError, retrying};
use super::{FoundComponent, MAX_COMPONENT, RegistryClient};
use crate::config::{ComponentSource, Digest, OciSource};
use guardhost_core::error::Result;

pub const CONFIG: &str = "application/vnd.wasm.config.v0+json";
pub const LAYER: &str = "application/wasm";
/// Annotations of the manifest whose keys begin like this hold signatures of the component, and end with the id of the key. They
/// are in base64, because signatures have several lines and the client does not escape line feeds when it writes a manifest.
pub const SIGNATURE: &str = "guardhost.minisign.";

/// In bytes. Real configurations are much smaller.
const MAX_CONFIG: u64 = 1 << 20;

pub fn download(artifact: &OciSource, net: &RegistryClient) -> Result<FoundComponent> {
    let auth = net.credentials.for_registry(&artifact.registry)?;
    retrying(&artifact.to_string(), || async {
        let client = client(artifact, net)?;
        let pulled = pull(&client, artifact, &auth).await?;
        let created = config(&client, artifact, &pulled).await?.created;
        let layer = layer(&pulled.manifest)?;
        let mut component = BoundedBuffer { bytes: Vec::new(), max: MAX_COMPONENT };
        client.pull_blob(&pulled.reference, layer, &mut component).await?;
        let resolved = OciSource { manifest: Some(pulled.digest), ..artifact.clone() };
        Ok(FoundComponent {
            source: ComponentSource::Oci(resolved),
            component: component.bytes.into(),
            signatures: signatures(&pulled.manifest).into_values().collect(),
            published: created.and_then(|created| created.parse().ok()),
        })
    })
}

pub fn tags(artifact: &OciSource, net: &RegistryClient) -> Result<Vec<String>> {
    let auth = net.credentials.for_registry(&artifact.registry)?;
    let reference = Reference::with_tag(artifact.registry.clone(), artifact.repository.clone(), "latest".to_owned());
    retrying(&artifact.to_string(), || async {
        let client = client(artifact, net)?;
        let (mut all, mut last) = (Vec::new(), None::<String>);
        // Registries answer in pages. A page without a new tag is the last.
        loop {
            let page = client.list_tags(&reference, &auth, Some(1_000), last.as_deref()).await?.tags;
            let Some(end) = page.last().filter(|end| Some(*end) != last.as_ref()).cloned() else { return Ok(all) };
            let is_full = page.len() >= 1_000;
            all.extend(page);
            if !is_full || all.len() > 100_000 {
                return Ok(all);
            }
            last = Some(end);
        }
    })
}

/// A manifest whose bytes have the requested digest, or the one that the registry states.
pub struct Pulled {
    pub manifest: OciImageManifest,
    pub digest: Digest,
    pub reference: Reference,
}

pub async fn pull(client: &Client, artifact: &OciSource, auth: &RegistryAuth) -> Result<Pulled, FetchError> {
    let reference = reference(artifact)?;
    let (bytes, claimed) = client.pull_manifest_raw(&reference, auth, &[OCI_IMAGE_MEDIA_TYPE]).await?;
    // The client has compared the digests as well; this does not rely on it.
    let digest = Digest::of(&bytes);
    if digest.as_str() != claimed || artifact.manifest.as_ref().is_some_and(|pinned| *pinned != digest) {
        let pinned = artifact.manifest.as_ref().map_or(claimed, ToString::to_string);
        return Err(FetchError::wrong_digest(&pinned, digest.as_str()));
    }
    let manifest = serde_json::from_slice(&bytes)
        .map_err(|error| FetchError::permanent(format!("the manifest cannot be read: {error}")))?;
    Ok(Pulled { manifest, digest, reference })
}

fn layer(manifest: &OciImageManifest) -> Result<&oci_client::manifest::OciDescriptor, FetchError> {
    let mut layers = manifest.layers.iter().filter(|layer| layer.media_type == LAYER);
    let (Some(layer), None) = (layers.next(), layers.next()) else {
        return Err(FetchError::permanent(format!("it is no guard: expected one layer of {LAYER}")));
    };
    match u64::try_from(layer.size) {
        Ok(size) if size <= MAX_COMPONENT => Ok(layer),
        _ => {
            Err(FetchError::permanent(format!("the component has {} bytes; the limit is {MAX_COMPONENT}", layer.size)))
        }
    }
}

/// The digest of the component that a manifest names.
pub fn component(manifest: &OciImageManifest) -> Result<&str, FetchError> {
    Ok(&layer(manifest)?.digest)
}

/// The signatures, by the key of their annotation.
pub fn signatures(manifest: &OciImageManifest) -> BTreeMap<String, String> {
    let ours = manifest.annotations.iter().flatten().filter(|(key, _)| key.starts_with(SIGNATURE));
    let text = |value: &String| STANDARD.decode(value).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    ours.filter_map(|(key, value)| Some((key.clone(), text(value)?))).collect()
}

#[derive(Default, Deserialize)]
struct Configuration {
    created: Option<String>,
}

/// The configuration that the publisher added to the component.
async fn config(client: &Client, artifact: &OciSource, pulled: &Pulled) -> Result<Configuration, FetchError> {
    let descriptor = &pulled.manifest.config;
    if descriptor.media_type != CONFIG {
        return Err(FetchError::permanent(format!(
            "{artifact} is no Wasm artifact: expected a configuration of {CONFIG}"
        )));
    }
    let mut bytes = BoundedBuffer { bytes: Vec::new(), max: MAX_CONFIG };
    client.pull_blob(&pulled.reference, descriptor, &mut bytes).await?;
    serde_json::from_slice(&bytes.bytes)
        .map_err(|error| FetchError::permanent(format!("the configuration cannot be read: {error}")))
}

pub fn reference(artifact: &OciSource) -> Result<Reference, FetchError> {
    let (registry, repository) = (artifact.registry.clone(), artifact.repository.clone());
    Ok(match (&artifact.tag, &artifact.manifest) {
        (_, Some(manifest)) => Reference::with_digest(registry, repository, manifest.to_string()),
        (Some(tag), None) => Reference::with_tag(registry, repository, tag.clone()),
        (None, None) => return Err(FetchError::permanent("neither version nor digest is named")),
    })
}

pub fn client(artifact: &OciSource, net: &RegistryClient) -> Result<Client, FetchError> {
    let plain = is_loopback(&artifact.registry) || net.plain_http.contains(&artifact.registry);
    let protocol = if plain { ClientProtocol::Http } else { ClientProtocol::Https };
    let config = ClientConfig {
        protocol,
        user_agent: concat!("guardhost/", env!("CARGO_PKG_VERSION")),
        // A guard is never published as an index of platforms.
        platform_resolver: None,
        ..ClientConfig::default()
    };
    Ok(Client::try_from(config)?)
}

/// `localhost`, `127.0.0.1` and `[::1]`, with or without a port. Such traffic never leaves the machine, so it needs no TLS.
fn is_loopback(registry: &str) -> bool {
    let host = match registry.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => registry.split(':').next().unwrap_or(registry),
    };
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl From<OciDistributionError> for FetchError {
    fn from(error: OciDistributionError) -> Self {
        match error {
            OciDistributionError::RequestError(error) => error.into(),
            OciDistributionError::DigestError(DigestError::VerificationError { expected, actual }) => {
                FetchError::wrong_digest(&expected, &actual)
            }
            OciDistributionError::ServerError { code, .. } => FetchError {
                is_transient: code >= 500 || code == 429,
                is_missing: code == 404,
                ..FetchError::permanent(error)
            },
            OciDistributionError::RegistryError { ref envelope, .. } => {
                use OciErrorCode::{ManifestUnknown, NameUnknown, NotFound};
                let unknown = |code: &OciErrorCode| [ManifestUnknown, NameUnknown, NotFound].contains(code);
                let is_missing = envelope.errors.iter().any(|error| unknown(&error.code));
                FetchError { is_missing, ..FetchError::permanent(error) }
            }
            // The error's own message would quote the server's answer.
            OciDistributionError::AuthenticationFailure(_) | OciDistributionError::UnauthorizedError { .. } => {
                FetchError::permanent("the registry denied access; log in with `docker login`")
            }
            error => FetchError::permanent(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn loopback() {
        for host in ["localhost", "localhost:5000", "127.0.0.1:5000", "127.8.8.8", "[::1]:5000"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["example.org", "localhost.example.org", "127.0.0.1.example.org:80", "10.0.0.1", "[::2]"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
