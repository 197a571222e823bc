//! Remote guards, from a web server or a registry. A component is verified before it is cached, and cached by digest.
//!
//! No client is created and no configuration is read before something must be fetched.

mod bounded;
mod credentials;
mod https;
mod oci;
mod publish;
mod retry;
mod signature;
mod signing;

use std::path::{Path, PathBuf};

use crate::config::{ComponentSource, Digest, OciSource};
use guardhost_core::cache::{Folder, MOST};
use guardhost_core::component::Component;
use guardhost_core::error::{Error, Fault, Kind, Result};

pub use credentials::Credentials;
pub use publish::{Publication, publish};
pub use signature::{Signed, verify_signatures};
pub use signing::sign;

/// The most bytes of a component; the engine has the same limit.
const MAX_COMPONENT: u64 = 64 << 20;

/// Access to remote components, and the cache of those that were fetched.
#[derive(Debug, Clone)]
pub struct RegistryClient {
    /// The cache, a folder that only this user can read; None caches nothing.
    pub cache_dir: Option<PathBuf>,
    /// No network access.
    pub offline: bool,
    /// Registries that are contacted without TLS, besides those on loopback.
    pub plain_http: Vec<String>,
    pub credentials: Credentials,
}

/// A component as its source offers it now.
#[derive(Debug, Clone)]
pub struct FoundComponent {
    /// With tag and manifest, where it comes from a registry.
    pub source: ComponentSource,
    pub component: Component,
    /// As published, not verified.
    pub signatures: Vec<String>,
    /// The date that the publisher gave.
    pub published: Option<jiff::Timestamp>,
}

/// The component that a lock names, from the cache or from its source.
///
/// # Errors
/// `Kind::GuardLoad`, with expected and actual: the cache does not have the component and `net` is offline; the source has
/// another one, or cannot be reached.
pub fn fetch(source: &ComponentSource, digest: &Digest, net: &RegistryClient) -> Result<Component> {
    let folder = net.cache_dir.as_deref().map(open).transpose()?;
    let cached = || folder.as_ref()?.read(digest.hex()).map(Component::from);
    let good = |component: &Component| component.digest() == digest.as_str();
    if let Some(component) = cached().filter(good) {
        return Ok(component);
    }
    if net.offline {
        return Err(not_cached(source, digest, cached()).into());
    }
    let fresh = || -> Result<Component> {
        // Another process may have fetched it while this one waited for the lock of the cache entry.
        if let Some(component) = cached().filter(good) {
            return Ok(component);
        }
        let found = download(source, net)?.component;
        if !good(&found) {
            return Err(wrong_digest(source, digest, found.digest()).into());
        }
        store(folder.as_ref(), &found)?;
        Ok(found)
    };
    match &folder {
        Some(folder) => folder.alone(digest.hex(), fresh),
        None => fresh(),
    }
}

/// The current component of a source, not cached.
///
/// # Errors
/// `Kind::GuardLoad` when it cannot be downloaded; `Kind::Config` for a source that is not remote.
pub fn download(source: &ComponentSource, net: &RegistryClient) -> Result<FoundComponent> {
    if net.offline {
        let what = format!("{source} cannot be asked: this run is offline");
        return Err(Fault::new(Kind::GuardLoad, what).hint("run it again without --offline or --frozen").into());
    }
    match source {
        ComponentSource::Https(url) => https::download(url),
        ComponentSource::Oci(artifact) => oci::download(artifact, net),
        ComponentSource::Builtin | ComponentSource::Path(_) => {
            Err(Fault::new(Kind::Config, format!("{source} is not remote; there is nothing to fetch")).into())
        }
    }
}

/// The tags of a repository, in no order.
///
/// # Errors
/// `Kind::GuardLoad` when the registry cannot be reached or refuses.
pub fn tags(artifact: &OciSource, net: &RegistryClient) -> Result<Vec<String>> {
    if net.offline {
        let what = format!("{artifact} cannot be asked for its versions: this run is offline");
        return Err(Fault::new(Kind::GuardLoad, what).hint("run it again without --offline or --frozen").into());
    }
    oci::tags(artifact, net)
}

/// Caches a component. The caller has verified it.
///
/// # Errors
/// `Kind::GuardLoad`: the disk fails, or other users can access the folder.
pub fn cache(component: &Component, net: &RegistryClient) -> Result<()> {
    store(net.cache_dir.as_deref().map(open).transpose()?.as_ref(), component)
}

fn store(folder: Option<&Folder>, component: &Component) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let digest = component.digest();
    let name = digest.strip_prefix("sha256:").unwrap_or(digest);
    folder.put(name, &[component.bytes()]).map_err(|cause| broken(folder.path(), cause))
}

fn open(path: &Path) -> Result<Folder> {
    Folder::open(path, MOST).map_err(|cause| broken(path, cause))
}

fn broken(path: &Path, cause: std::io::Error) -> Error {
    let what = format!("fetched guards cannot be cached in {}", path.display());
    Error::new(cause).context(Fault::new(Kind::GuardLoad, what).hint("see `host doctor`"))
}

fn not_cached(source: &ComponentSource, digest: &Digest, cached: Option<Component>) -> Fault {
    let actual = cached.map_or_else(|| "nothing".to_owned(), |component| component.digest().to_owned());
    Fault::new(
        Kind::GuardLoad,
        format!("{source} cannot be fetched, as this run is offline: expected {digest} in the cache, actual {actual}"),
    )
    .hint("run it once without --offline or --frozen, or keep the guards in the repository: host guard vendor")
    .code("offline")
}

fn wrong_digest(source: &ComponentSource, digest: &Digest, actual: &str) -> Fault {
    Fault::new(Kind::GuardLoad, format!("{source} is not what was pinned: expected {digest}, actual {actual}"))
        .hint(retry::WRONG_DIGEST_HINT)
        .code("digest-mismatch")
}
