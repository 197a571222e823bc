//! Rules that repositories share (`[extends]`), from a web server or a registry.

use super::failure::FetchError;
use super::{RegistryClient, ask_online, https, oci};
use crate::config::ComponentSource;
use guardhost_core::error::{Fault, FaultKind, Result};

/// In bytes. The rules of this project have 4 KiB.
pub(super) const MAX_RULES: u64 = 1 << 20;

/// The rules as their source has them now: of a registry the only layer of the artifact, whatever its media type says.
///
/// # Errors
/// [`FaultKind::GuardLoad`]: they cannot be downloaded, or `net` is offline; [`FaultKind::Config`]: `source` is not remote.
pub fn shared_rules(source: &ComponentSource, net: &RegistryClient) -> Result<Vec<u8>> {
    match source {
        ComponentSource::Https(url) => {
            ask_online(url, net)?;
            https::file(url, MAX_RULES, "the file of rules")
        }
        ComponentSource::Oci(artifact) => {
            ask_online(&source.to_string(), net)?;
            oci::only_layer(artifact, MAX_RULES, "the file of rules", net)
        }
        ComponentSource::Builtin | ComponentSource::Path(_) => {
            Err(Fault::new(FaultKind::Config, format!("{source} is not remote; there is nothing to fetch")).into())
        }
    }
}

/// For an artifact that holds no file or several.
pub(super) fn not_one_layer(count: usize) -> FetchError {
    FetchError::content(format_args!("it is no file of rules: expected one layer, actual {count}"))
}
