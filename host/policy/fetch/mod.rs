//! Guards that come from elsewhere: over https or out of a registry, verified before they are kept, kept by digest.
//!
//! No client is made and no configuration read before something must be fetched.

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
pub use signature::{Signed, signed};
pub use signing::sign;

/// A component's size, in bytes; the guard's own limit.
const LARGEST: u64 = 64 << 20;

/// The net and what is kept of it.
#[derive(Debug, Clone)]
pub struct RegistryClient {
    /// Components that were fetched, a folder of this user's alone; None keeps nothing.
    pub kept: Option<PathBuf>,
    /// Nothing is asked of anybody.
    pub offline: bool,
    /// Registries that are asked without TLS, beside those on loopback.
    pub plain_http: Vec<String>,
    pub credentials: Credentials,
}

/// What a source has to offer now.
#[derive(Debug, Clone)]
pub struct FoundComponent {
    /// With tag and manifest, where it comes from a registry.
    pub source: ComponentSource,
    pub component: Component,
    /// As they were published; nobody has looked at them.
    pub signatures: Vec<String>,
    /// When its publisher says that it was published.
    pub published: Option<jiff::Timestamp>,
}

/// The component that a lock names.
///
/// # Errors
/// `Kind::GuardLoad`, with expected and actual: what is kept is another while `net` is offline, or nothing is kept; whoever
/// should have it has another, or cannot be asked.
pub fn fetch(source: &ComponentSource, digest: &Digest, net: &RegistryClient) -> Result<Component> {
    let folder = net.kept.as_deref().map(open).transpose()?;
    let kept = || folder.as_ref()?.read(digest.hex()).map(Component::from);
    let good = |component: &Component| component.digest() == digest.as_str();
    if let Some(component) = kept().filter(good) {
        return Ok(component);
    }
    if net.offline {
        return Err(absent(source, digest, kept()).into());
    }
    let fresh = || -> Result<Component> {
        // Another host may have fetched it while this one waited.
        if let Some(component) = kept().filter(good) {
            return Ok(component);
        }
        let found = look(source, net)?.component;
        if !good(&found) {
            return Err(another(source, digest, found.digest()).into());
        }
        keep(folder.as_ref(), &found)?;
        Ok(found)
    };
    match &folder {
        Some(folder) => folder.alone(digest.hex(), fresh),
        None => fresh(),
    }
}

/// Whatever a source holds now; nothing is kept.
///
/// # Errors
/// `Kind::GuardLoad` when it cannot be had; `Kind::Config` for a source that is not remote.
pub fn look(source: &ComponentSource, net: &RegistryClient) -> Result<FoundComponent> {
    if net.offline {
        let what = format!("{source} cannot be asked: this run is offline");
        return Err(Fault::new(Kind::GuardLoad, what).hint("run it again without --offline or --frozen").into());
    }
    match source {
        ComponentSource::Https(url) => https::look(url),
        ComponentSource::Oci(artifact) => oci::look(artifact, net),
        ComponentSource::Builtin | ComponentSource::Path(_) => {
            Err(Fault::new(Kind::Config, format!("{source} is here already; there is nothing to fetch")).into())
        }
    }
}

/// The tags of a repository, in no order.
///
/// # Errors
/// `Kind::GuardLoad` when the registry does not tell.
pub fn tags(artifact: &OciSource, net: &RegistryClient) -> Result<Vec<String>> {
    if net.offline {
        let what = format!("{artifact} cannot be asked for its versions: this run is offline");
        return Err(Fault::new(Kind::GuardLoad, what).hint("run it again without --offline or --frozen").into());
    }
    oci::tags(artifact, net)
}

/// Keeps what somebody verified.
///
/// # Errors
/// `Kind::GuardLoad`: the disk, or a folder that is not this user's alone.
pub fn remember(component: &Component, net: &RegistryClient) -> Result<()> {
    keep(net.kept.as_deref().map(open).transpose()?.as_ref(), component)
}

fn keep(folder: Option<&Folder>, component: &Component) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let digest = component.digest();
    let name = digest.strip_prefix("sha256:").unwrap_or(digest);
    folder.put(name, &[component.bytes()]).map_err(|cause| broken(folder.path(), cause))
}

fn open(path: &Path) -> Result<Folder> {
    Folder::open(path, MOST).map_err(|cause| broken(path, cause))
}

fn broken(path: &Path, cause: std::io::Error) -> Error {
    let what = format!("fetched guards cannot be kept in {}", path.display());
    Error::new(cause).context(Fault::new(Kind::GuardLoad, what).hint("see `host doctor`"))
}

fn absent(source: &ComponentSource, digest: &Digest, kept: Option<Component>) -> Fault {
    let actual = kept.map_or_else(|| "nothing".to_owned(), |component| component.digest().to_owned());
    Fault::new(
        Kind::GuardLoad,
        format!("{source} cannot be fetched, as this run is offline: expected {digest} in the cache, actual {actual}"),
    )
    .hint("run it once without --offline or --frozen, or keep the guards in the repository: host guard vendor")
    .code("offline")
}

fn another(source: &ComponentSource, digest: &Digest, actual: &str) -> Fault {
    Fault::new(Kind::GuardLoad, format!("{source} is not what was pinned: expected {digest}, actual {actual}"))
        .hint(retry::ANOTHER)
        .code("digest-mismatch")
}
