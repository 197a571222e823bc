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

use super::bounded::Bounded;
use super::retry::{Trouble, ask};
use super::{FoundComponent, LARGEST, RegistryClient};
use crate::config::{ComponentSource, Digest, OciSource};
use guardhost_core::error::Result;

pub const CONFIG: &str = "application/vnd.wasm.config.v0+json";
pub const LAYER: &str = "application/wasm";
/// Annotations of the manifest whose keys begin so hold signatures of the component, in base64, since they have several lines and
/// the client writes manifests in a JSON that escapes none. The key's id ends them.
pub const SIGNATURE: &str = "guardhost.minisign.";

/// More than any configuration of this kind has, in bytes.
const LARGEST_CONFIG: u64 = 1 << 20;

pub fn look(artifact: &OciSource, net: &RegistryClient) -> Result<FoundComponent> {
    let auth = net.credentials.of(&artifact.registry)?;
    ask(&artifact.to_string(), || async {
        let client = client(artifact, net)?;
        let pulled = pull(&client, artifact, &auth).await?;
        let created = config(&client, artifact, &pulled).await?.created;
        let layer = layer(&pulled.manifest)?;
        let mut component = Bounded { bytes: Vec::new(), most: LARGEST };
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
    let auth = net.credentials.of(&artifact.registry)?;
    let reference = Reference::with_tag(artifact.registry.clone(), artifact.repository.clone(), "latest".to_owned());
    ask(&artifact.to_string(), || async {
        let client = client(artifact, net)?;
        let (mut all, mut last) = (Vec::new(), None::<String>);
        // Registries answer in pages; a page without a new tag is the end.
        loop {
            let page = client.list_tags(&reference, &auth, Some(1_000), last.as_deref()).await?.tags;
            let Some(end) = page.last().filter(|end| Some(*end) != last.as_ref()).cloned() else { return Ok(all) };
            let whole = page.len() >= 1_000;
            all.extend(page);
            if !whole || all.len() > 100_000 {
                return Ok(all);
            }
            last = Some(end);
        }
    })
}

/// A manifest whose bytes have the digest that they were asked by, or that the registry claims.
pub struct Pulled {
    pub manifest: OciImageManifest,
    pub digest: Digest,
    pub reference: Reference,
}

pub async fn pull(client: &Client, artifact: &OciSource, auth: &RegistryAuth) -> Result<Pulled, Trouble> {
    let reference = reference(artifact)?;
    let (bytes, claimed) = client.pull_manifest_raw(&reference, auth, &[OCI_IMAGE_MEDIA_TYPE]).await?;
    // The client has compared what is claimed; this is our own look.
    let digest = Digest::of(&bytes);
    if digest.as_str() != claimed || artifact.manifest.as_ref().is_some_and(|pinned| *pinned != digest) {
        let pinned = artifact.manifest.as_ref().map_or(claimed, ToString::to_string);
        return Err(Trouble::another(&pinned, digest.as_str()));
    }
    let manifest = serde_json::from_slice(&bytes)
        .map_err(|error| Trouble::lasting(format!("the manifest cannot be read: {error}")))?;
    Ok(Pulled { manifest, digest, reference })
}

fn layer(manifest: &OciImageManifest) -> Result<&oci_client::manifest::OciDescriptor, Trouble> {
    let mut layers = manifest.layers.iter().filter(|layer| layer.media_type == LAYER);
    let (Some(layer), None) = (layers.next(), layers.next()) else {
        return Err(Trouble::lasting(format!("it holds no guard: expected one layer of {LAYER}")));
    };
    match u64::try_from(layer.size) {
        Ok(size) if size <= LARGEST => Ok(layer),
        _ => Err(Trouble::lasting(format!("the component has {} bytes; {LARGEST} are the limit", layer.size))),
    }
}

/// The digest of the component that a manifest names.
pub fn component(manifest: &OciImageManifest) -> Result<&str, Trouble> {
    Ok(&layer(manifest)?.digest)
}

/// By the key of their annotation.
pub fn signatures(manifest: &OciImageManifest) -> BTreeMap<String, String> {
    let ours = manifest.annotations.iter().flatten().filter(|(key, _)| key.starts_with(SIGNATURE));
    let text = |value: &String| STANDARD.decode(value).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    ours.filter_map(|(key, value)| Some((key.clone(), text(value)?))).collect()
}

#[derive(Default, Deserialize)]
struct Configuration {
    created: Option<String>,
}

/// What a publisher says beside the component.
async fn config(client: &Client, artifact: &OciSource, pulled: &Pulled) -> Result<Configuration, Trouble> {
    let descriptor = &pulled.manifest.config;
    if descriptor.media_type != CONFIG {
        return Err(Trouble::lasting(format!("{artifact} is no Wasm artifact: expected a configuration of {CONFIG}")));
    }
    let mut bytes = Bounded { bytes: Vec::new(), most: LARGEST_CONFIG };
    client.pull_blob(&pulled.reference, descriptor, &mut bytes).await?;
    serde_json::from_slice(&bytes.bytes)
        .map_err(|error| Trouble::lasting(format!("the configuration cannot be read: {error}")))
}

pub fn reference(artifact: &OciSource) -> Result<Reference, Trouble> {
    let (registry, repository) = (artifact.registry.clone(), artifact.repository.clone());
    Ok(match (&artifact.tag, &artifact.manifest) {
        (_, Some(manifest)) => Reference::with_digest(registry, repository, manifest.to_string()),
        (Some(tag), None) => Reference::with_tag(registry, repository, tag.clone()),
        (None, None) => return Err(Trouble::lasting("neither version nor digest is named")),
    })
}

pub fn client(artifact: &OciSource, net: &RegistryClient) -> Result<Client, Trouble> {
    let plain = is_loopback(&artifact.registry) || net.plain_http.contains(&artifact.registry);
    let protocol = if plain { ClientProtocol::Http } else { ClientProtocol::Https };
    let config = ClientConfig {
        protocol,
        user_agent: concat!("guardhost/", env!("CARGO_PKG_VERSION")),
        // An index of many platforms holds no guard.
        platform_resolver: None,
        ..ClientConfig::default()
    };
    Ok(Client::try_from(config)?)
}

/// `localhost`, `127.0.0.1` and `[::1]`, with or without a port: nobody listens on the way.
fn is_loopback(registry: &str) -> bool {
    let host = match registry.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => registry.split(':').next().unwrap_or(registry),
    };
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl From<OciDistributionError> for Trouble {
    fn from(error: OciDistributionError) -> Self {
        match error {
            OciDistributionError::RequestError(error) => error.into(),
            OciDistributionError::DigestError(DigestError::VerificationError { expected, actual }) => {
                Trouble::another(&expected, &actual)
            }
            OciDistributionError::ServerError { code, .. } => {
                Trouble { passing: code >= 500 || code == 429, absent: code == 404, ..Trouble::lasting(error) }
            }
            OciDistributionError::RegistryError { ref envelope, .. } => {
                use OciErrorCode::{ManifestUnknown, NameUnknown, NotFound};
                let unknown = |code: &OciErrorCode| [ManifestUnknown, NameUnknown, NotFound].contains(code);
                let absent = envelope.errors.iter().any(|error| unknown(&error.code));
                Trouble { absent, ..Trouble::lasting(error) }
            }
            // Its sentence would quote what the capability answered.
            OciDistributionError::AuthenticationFailure(_) | OciDistributionError::UnauthorizedError { .. } => {
                Trouble::lasting("the registry does not let us in; log in with `docker login`")
            }
            error => Trouble::lasting(error),
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
