//! Remote guards, from a web server or a registry. A component is verified before it is cached, and cached by digest.
//!
//! No client is created and no configuration is read before something must be fetched.

mod cache;
mod challenge;
mod credentials;
mod failure;
mod http;
mod https;
mod manifest;
mod oci;
mod publish;
mod registry;
mod retry;
mod shared_rules;
mod signature;
mod signing;

use std::sync::Arc;

use crate::config::{ComponentSource, Digest, OciSource};
use guardhost_core::component::Component;
use guardhost_core::error::{Fault, FaultKind, Result};
use manifest::OciManifest;

pub use cache::ComponentCache;
pub use credentials::RegistryCredentials;
pub use publish::{Publication, publish};
pub use shared_rules::shared_rules;
pub use signature::{SignatureOrigin, Signed, attachable, signed_by, verify_signatures};
pub use signing::sign;

/// The most bytes of a component; the engine has the same limit.
const MAX_COMPONENT: u64 = 64 << 20;

/// Access to remote components, and the cache of those that were fetched.
#[derive(Debug, Clone)]
pub struct RegistryClient {
    /// Only this user can read it.
    pub cache: Arc<ComponentCache>,
    /// No network access.
    pub offline: bool,
    /// Registries that are contacted without TLS, besides those on loopback.
    pub plain_http: Vec<String>,
    pub credentials: RegistryCredentials,
}

impl RegistryClient {
    /// Whether this host, with its port, is asked without TLS.
    fn is_plain(&self, registry: &str) -> bool {
        is_loopback(registry) || self.plain_http.iter().any(|plain| plain == registry)
    }
}

/// `localhost`, `127.0.0.1` and `[::1]`, with or without a port. Such traffic never leaves the machine, so it needs no TLS.
fn is_loopback(registry: &str) -> bool {
    let host = match registry.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => registry.split(':').next().unwrap_or(registry),
    };
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A component as its source offers it now.
#[derive(Debug, Clone)]
pub struct FoundComponent {
    /// With tag and manifest, where it comes from a registry.
    pub source: ComponentSource,
    pub component: Component,
    /// As published, not verified.
    pub signatures: Vec<String>,
    /// The bytes whose digest `source` names; None for a source that is not a registry.
    pub manifest: Option<Vec<u8>>,
    /// The date that the publisher gave.
    pub published: Option<jiff::Timestamp>,
}

/// The signatures that a source has now for one component.
#[derive(Debug, Clone)]
pub struct FoundSignatures {
    /// With the manifest that has them.
    pub source: ComponentSource,
    pub signatures: Vec<String>,
    /// As in [`FoundComponent`].
    pub manifest: Option<Vec<u8>>,
}

/// The component that a lock names, from the cache or from its source. The manifest that the lock names is compared with it.
///
/// # Errors
/// `Kind::GuardLoad`, with expected and actual: the cache does not have the component or its manifest and `net` is offline; the
/// source has another one, or cannot be reached.
pub fn fetch(source: &ComponentSource, digest: &Digest, net: &RegistryClient) -> Result<Component> {
    let cached = || net.cache.component(digest).filter(|component| component.digest() == digest.as_str());
    if let Some(component) = cached().filter(|_| is_named(source, digest, net)) {
        return Ok(component);
    }
    if net.offline {
        return Err(not_cached(source, digest, net).into());
    }
    net.cache.alone(digest, || {
        // Another process may have fetched it while this one waited for the lock of the cache entry.
        match cached() {
            Some(component) => {
                if !is_named(source, digest, net) {
                    name_anew(source, &component, net)?;
                }
                Ok(component)
            }
            None => {
                let found = download(source, net)?;
                if found.component.digest() != digest.as_str() {
                    return Err(wrong_digest(source, digest, found.component.digest()).into());
                }
                net.cache.keep(&found.component, found.manifest.as_deref());
                Ok(found.component)
            }
        }
    })
}

/// Whether the cache has the manifest that `source` names, and that manifest names the component. True for a source without one.
fn is_named(source: &ComponentSource, digest: &Digest, net: &RegistryClient) -> bool {
    let ComponentSource::Oci(OciSource { manifest: Some(manifest), .. }) = source else { return true };
    let cached = net.cache.manifest(manifest).and_then(|bytes| OciManifest::parse(&bytes).ok());
    cached.is_some_and(|manifest| manifest.layer().is_ok_and(|layer| layer.digest == *digest))
}

/// Fetches the manifest of a component that is cached without it, or under another one.
fn name_anew(source: &ComponentSource, component: &Component, net: &RegistryClient) -> Result<()> {
    let ComponentSource::Oci(artifact) = source else { return Ok(()) };
    let found = oci::manifest(artifact, net)?;
    let layer = found.manifest.layer().map_err(|error| error.fault(&source.to_string()))?;
    if layer.digest.as_str() != component.digest() {
        return Err(wrong_digest(source, &layer.digest, component.digest()).into());
    }
    net.cache.keep(component, Some(&found.bytes));
    Ok(())
}

/// The current component of a source, not cached.
///
/// # Errors
/// `Kind::GuardLoad` when it cannot be downloaded; `Kind::Config` for a source that is not remote.
pub fn download(source: &ComponentSource, net: &RegistryClient) -> Result<FoundComponent> {
    ask_online(&source.to_string(), net)?;
    match source {
        ComponentSource::Https(url) => https::download(url),
        ComponentSource::Oci(artifact) => oci::download(artifact, net),
        ComponentSource::Builtin | ComponentSource::Path(_) => {
            Err(Fault::new(FaultKind::Config, format!("{source} is not remote; there is nothing to fetch")).into())
        }
    }
}

/// The signatures that the source of a locked component has now. A registry is asked for its tag, because a signature that is added
/// makes another manifest.
///
/// # Errors
/// `Kind::GuardLoad`: the source cannot be reached, or has another component by now.
pub fn signatures_now(source: &ComponentSource, digest: &Digest, net: &RegistryClient) -> Result<FoundSignatures> {
    ask_online(&source.to_string(), net)?;
    match source {
        ComponentSource::Https(url) => {
            let signatures = https::signature(url)?.into_iter().collect();
            Ok(FoundSignatures { source: source.clone(), signatures, manifest: None })
        }
        ComponentSource::Oci(artifact) => {
            let tagged = OciSource {
                manifest: artifact.manifest.clone().filter(|_| artifact.tag.is_none()),
                ..artifact.clone()
            };
            let found = oci::manifest(&tagged, net)?;
            let layer = found.manifest.layer().map_err(|error| error.fault(&tagged.to_string()))?;
            if layer.digest != *digest {
                return Err(wrong_digest(&ComponentSource::Oci(tagged), digest, layer.digest.as_str()).into());
            }
            let source = ComponentSource::Oci(OciSource { manifest: Some(found.digest), ..tagged });
            Ok(FoundSignatures { source, signatures: found.manifest.signatures(), manifest: Some(found.bytes) })
        }
        ComponentSource::Builtin | ComponentSource::Path(_) => {
            Err(Fault::new(FaultKind::Config, format!("{source} is not remote; it has no signatures")).into())
        }
    }
}

/// The tags of a repository, in no order.
///
/// # Errors
/// `Kind::GuardLoad` when the registry cannot be reached or refuses.
pub fn tags(artifact: &OciSource, net: &RegistryClient) -> Result<Vec<String>> {
    ask_online(&artifact.to_string(), net)?;
    oci::tags(artifact, net)
}

fn ask_online(source: &str, net: &RegistryClient) -> Result<()> {
    if net.offline {
        let what = format!("{source} cannot be asked: this run is offline");
        return Err(Fault::new(FaultKind::GuardLoad, what).hint("run it again without --offline or --frozen").into());
    }
    Ok(())
}

fn not_cached(source: &ComponentSource, digest: &Digest, net: &RegistryClient) -> Fault {
    let actual = match net.cache.component(digest) {
        Some(component) if component.digest() == digest.as_str() => {
            "the component without the manifest that the lock names".to_owned()
        }
        Some(component) => component.digest().to_owned(),
        None => net.cache.trouble().unwrap_or_else(|| "nothing".to_owned()),
    };
    Fault::new(
        FaultKind::GuardLoad,
        format!("{source} cannot be fetched, as this run is offline: expected {digest} in the cache, actual {actual}"),
    )
    .hint("run it once without --offline or --frozen, or keep the guards in the repository: host guard vendor")
    .code("offline")
}

fn wrong_digest(source: &ComponentSource, digest: &Digest, actual: &str) -> Fault {
    Fault::new(FaultKind::GuardLoad, format!("{source} is not what was pinned: expected {digest}, actual {actual}"))
        .hint(failure::WRONG_DIGEST_HINT)
        .code("digest-mismatch")
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn loopback() {
        for host in ["localhost", "localhost:5000", "127.0.0.1:5000", "127.8.8.8", "[::1]:5000"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in
            ["example.org", "localhost.example.org", "127.0.0.1.example.org:80", "10.0.0.1", "[::2]", "0.0.0.0:80"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
